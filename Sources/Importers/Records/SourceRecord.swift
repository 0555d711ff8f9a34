import Base

/// A record as a reader finds it in a file, before anything is known of the meaning of its members. The bytes are valid
/// until the reader goes on.
///
/// ```swift
/// // From people.csv, and from people.ndjson:
/// SourceRecord.row([/* Ada */, /* Sales */], header)
/// SourceRecord.object(/* {"name": "Ada", "department": "Sales"} */)
/// ```
enum SourceRecord {
    /// A JSON object.
    ///
    /// - `uid`: A text that identifies the person unless the settings name a key, such as the UID of a vCard; empty
    ///   without one.
    /// - `addresses`: The e-mail addresses by which the person is known whatever the settings are, as in a git history.
    case object(UnsafeRawBufferPointer, uid: String = "", addresses: [String] = [])
    /// The cells of a table's row, in UTF-8 and without guards against formulas.
    case row([UnsafeRawBufferPointer], CSVHeader)
}

/// Reads the bytes of a file in chunks of any size and decodes users.
protocol RecordReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws
    /// Reads the rest after the last chunk.
    mutating func finish(into sink: some RecordSink) throws
}

/// Receives what a reader finds in a file: a survey of its columns first, and then the import.
protocol RecordSink {
    func take(_ record: SourceRecord, at place: @autoclosure () -> String) throws
    /// Takes a row that is hidden in its sheet. It adds nobody, and changes nobody who is in the directory.
    func passOver(_ record: SourceRecord) throws
    func reject(_ rejection: Rejection) throws
    /// Reports a row that is not a person. That is not an error.
    func leaveOut(_ kind: RowKind, at place: @autoclosure () -> String) throws
    /// Reports a message that is not about one record.
    func note(_ text: String)
    /// Reports the layout of the file, before its first record and again at its end. Only tables have a header.
    func describe(_ layout: FileLayout, _ header: CSVHeader?)
}

extension RecordSink {
    /// Reports that something occurred `count` times, unless it did not.
    func note(_ count: Int, _ one: String, _ several: String) {
        if count > 0 { note(counted(count, one, several)) }
    }

    func passOver(_ record: SourceRecord) {}
    func leaveOut(_ kind: RowKind, at place: @autoclosure () -> String) {}
}

/// The limits on one record.
enum RecordLimits {
    /// 1 MiB: sixteen times the limit of `more`.
    static let recordBytes = 1 << 20
    /// The columns of a table.
    static let columns = 1_024
    /// The members: hardly more fit into the 64 KiB of `more`, but a service's response has room for a million.
    static let members = 10_000
}
