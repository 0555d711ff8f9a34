import Directories

/// Takes the bytes of a file in chunks of any size and makes users of them.
protocol RecordReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws
    /// Takes what the last chunk left over.
    mutating func finish(into sink: some RecordSink) throws
}

/// Where users and rejections go.
protocol RecordSink {
    /// Takes the user that `decode` appends to the batch, or rejects the record with the error that `decode` throws.
    func take(at place: @autoclosure () -> String, _ decode: (UserBatch) throws(RecordError) -> DecodedRecord) throws
    func reject(_ rejection: Rejection) throws
    /// Takes something to tell the publisher that is about no record.
    func note(_ text: String)
}

/// What else is known about a record that became a user.
public struct DecodedRecord {
    /// Whether the record had no id and got one.
    public var isIDMade: Bool
    /// How many avatars and links were left out, because they are no absolute http or https URLs.
    var ignoredLinks = 0
    /// The first of them that this decoder has seen, as in `avatar "photos/ann.jpg"`.
    var ignoredLink: String?
}

/// The avatars and links that an import left out.
public struct IgnoredLinks: Equatable, Sendable {
    public var count = 0
    /// The first one and its place, as in `line 2: avatar "photos/ann.jpg"`.
    public var example: String?

    public init() {}

    static func += (total: inout IgnoredLinks, more: IgnoredLinks) {
        total.count += more.count
        total.example = total.example ?? more.example
    }
}

/// Limits on what is read.
enum Limits {
    /// 1 MiB a record: sixteen times what `more` may hold, and still no burden.
    static let recordBytes = 1 << 20
    /// A record's members: hardly more fit into the 64 KiB of `more`. An answer of a service has room for a million.
    static let members = 10_000
}
