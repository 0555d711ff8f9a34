import Directories

/// Takes the bytes of a file in chunks of any size and makes users of them.
protocol RecordReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws
    /// Takes what the last chunk left over.
    mutating func finish(into sink: some RecordSink) throws
}

/// Where users and rejections go.
protocol RecordSink {
    /// Takes the user that `decode` appends to the batch it is given, or rejects the record for what it throws. It answers
    /// whether it made the user's id.
    func take(at place: @autoclosure () -> String, _ decode: (UserBatch) throws(RecordError) -> Bool) throws
    func reject(_ rejection: Rejection) throws
    /// Takes something to tell the publisher that is about no record.
    func note(_ text: String)
}

/// Limits on what is read.
enum Limits {
    /// 1 MiB a record: sixteen times what `more` may hold, and still no burden.
    static let recordBytes = 1 << 20
    /// A record's members: hardly more fit into the 64 KiB of `more`. An answer of a service has room for a million.
    static let members = 10_000
}
