/// A column of a table whose heading is empty, or equal to an earlier one.
struct RenamedColumn: Equatable, Sendable {
    /// The number of the column, from 1 on.
    var number: Int
    /// As in the file; may be empty.
    var heading: String
    var name: String
}

/// The layout of a file, found while the file is read.
public struct FileLayout: Equatable, Sendable {
    public var encoding: TextEncoding
    public var format: ImportFormat
    /// The separator of a table's cells; `nil` for other formats.
    public var separator: Character?
    /// The number of the line in which a table's header begins; `nil` for other formats.
    public var headerLine: Int?
    /// The number of rows without any text, known at the end of the file.
    public var emptyRows = 0

    init(encoding: TextEncoding = .utf8, format: ImportFormat) {
        self.encoding = encoding
        self.format = format
    }
}
