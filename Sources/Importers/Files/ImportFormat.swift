/// The format of a file of records.
public enum ImportFormat: String, CaseIterable, Sendable {
    /// One JSON object per line.
    case ndjson
    /// One JSON text: an array of objects, such an array as a member of an object, or one object.
    case json
    /// A header and rows; cells separated by commas, semicolons or tabs, whichever the header has most of.
    case csv
    /// A header and rows; cells separated by tabs.
    case tsv
    /// vCards of an address book (RFC 6350), one after the other.
    case vcard
    /// A workbook of Excel.
    case xlsx
    /// A spreadsheet of OpenDocument.
    case ods
    /// Entries of an LDAP server, as `ldapsearch` prints them (RFC 2849).
    case ldif
}

extension ImportFormat {
    /// Returns the format of a file that begins with `start`.
    static func found(in start: UnsafeRawBufferPointer) -> ImportFormat {
        let text = start.drop(while: \.isWhitespace)
        if String(decoding: text.prefix(11), as: UTF8.self).uppercased() == "BEGIN:VCARD" { return .vcard }
        if isLDIF(start) { return .ldif }
        guard isJSON(start) else { return .csv }
        if text.first == UInt8(ascii: "[") { return .json }
        let line = UnsafeRawBufferPointer(rebasing: text.prefix { $0 != 0x0A })
        // Brackets that close only on a later line begin a JSON text, and no record.
        let end = end(of: line)
        if end.depth > 0, !end.isInString { return .json }
        // A wrapper is the only line; records may have such members, too.
        let hasMore = text.dropFirst(line.count).contains { !$0.isWhitespace }
        return !hasMore && RecordEnvelope.isFound(in: line) ? .json : .ndjson
    }

    /// Whether a text begins as a JSON text does: `[` before a letter begins a heading in brackets, `[Id];[Name]`.
    static func isJSON(_ start: UnsafeRawBufferPointer) -> Bool {
        let text = start.drop(while: \.isWhitespace)
        guard text.first == UInt8(ascii: "[") else { return text.first == UInt8(ascii: "{") }
        let next = text.dropFirst().first { !$0.isWhitespace } ?? 0
        return next < 0x80 && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
    }

    /// Whether the first line after comments begins as an LDIF file does.
    private static func isLDIF(_ start: UnsafeRawBufferPointer) -> Bool {
        let lines = start.prefix(1 << 16).split(separator: 0x0A)
        // A folded comment goes on in a line that begins with a space.
        let line = lines.first { ![UInt8(ascii: "#"), 0x20, 0x0D].contains($0.first) }
        let text = line.map { String(decoding: $0.prefix(16), as: UTF8.self).lowercased() } ?? ""
        return ["dn:", "version: 1", "version:1"].contains(where: text.hasPrefix)
    }

    /// Returns how many brackets are open at the end of `line`, and whether a string is.
    static func end(of line: UnsafeRawBufferPointer) -> (depth: Int, isInString: Bool) {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in line {
            let wasEscaped = isEscaped
            isEscaped = false
            switch byte {
            case UInt8(ascii: "\"") where !wasEscaped: isInString.toggle()
            case UInt8(ascii: "\\"): isEscaped = isInString && !wasEscaped
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return (depth, isInString)
    }
}

/// The kind and the layout of a file, found while the file is read.
public struct FileLayout: Equatable, Sendable {
    /// The file's name, without its folders.
    public var name: String
    public var encoding: TextEncoding
    public var format: ImportFormat
    /// The separator of a table's cells; `nil` for other formats.
    public var separator: Character?
    /// What the table is; `nil` for other formats.
    var reading: TableReading?
    /// The number of the line in which a table's header begins; `nil` for other formats.
    public var headerLine: Int? { reading?.header?.lowerBound }
    /// The sheet of a workbook that is read, and the doubt about it.
    var sheet: String?
    var sheetDoubt: String?
    /// The word for a row in messages.
    var row: String { sheet == nil ? "line" : "row" }
    /// The number of rows without any text, known at the end of the file.
    public var emptyRows = 0
    /// Whether the last row of a text has no line end, known at the end of the file.
    public var lacksLineEnd = false

    init(_ name: String = "", encoding: TextEncoding = .utf8, format: ImportFormat) {
        (self.name, self.encoding, self.format) = (name, encoding, format)
    }
}
