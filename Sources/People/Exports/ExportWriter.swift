import Base

public enum ExportFormat: String, CaseIterable, Sendable {
    /// One JSON object per line: the columns, with null for absent values, then `fields`, an object with the fields of
    /// the publisher or the service, if there are any.
    case ndjson
    /// The columns, and `more` as JSON text in a column of its own.
    case csv
    /// An array of the objects of ``ndjson``.
    case json
}

extension ShownSettings {
    /// The separator of CSV that spreadsheets open with a double click: a semicolon if the last table had it, or where
    /// a comma stands before decimals.
    public var spreadsheetSeparator: StaticString {
        let code = language.primaryLanguage
        let usesCommas = ["ar", "en", "he", "hi", "ja", "ko", "th", "und", "zh"].contains(code)
        return usesCommas && !choices.hadSemicolons ? "," : ";"
    }
}

/// Writes users in a form from which an import restores the same directory.
public struct ExportWriter: Sendable {
    private let format: ExportFormat
    let columns: ExportColumns
    /// That of a spreadsheet, whose CSV also has a byte order mark, so that it reads it as UTF-8.
    private let spreadsheetSeparator: StaticString?
    private var separator: StaticString { spreadsheetSeparator ?? "," }
    private var isFirst = true

    /// - Parameter spreadsheetSeparator: ``ShownSettings/spreadsheetSeparator`` for a spreadsheet; `nil` for plain CSV.
    public init(format: ExportFormat, columns: ExportColumns, spreadsheetSeparator: StaticString? = nil) {
        (self.format, self.columns, self.spreadsheetSeparator) = (format, columns, spreadsheetSeparator)
    }

    /// Appends the text before the first user.
    public func begin(into buffer: ByteBuffer) {
        switch format {
        case .ndjson: break
        case .csv:
            if spreadsheetSeparator != nil { buffer.append("\u{FEFF}") }
            for (index, column) in columns.columns.enumerated() {
                if index > 0 { buffer.append(separator) }
                Array(column.heading.utf8).withUnsafeBytes { buffer.append(csvText: $0) }
            }
            buffer.append("\r\n")
        case .json: buffer.append("[")
        }
    }

    /// Appends row `index` of `users`. Throws an ``ExportError`` if the source's other data is damaged.
    public mutating func append(_ users: UserRows, _ index: Int, into buffer: ByteBuffer) throws {
        try users.text.withUnsafeBytes { text in
            switch format {
            case .ndjson:
                try appendObject(users.rows[index], text, into: buffer)
                buffer.append("\n")
            case .csv: try appendLine(users.rows[index], text, into: buffer)
            case .json:
                buffer.append(isFirst ? "\n" : ",\n")
                try appendObject(users.rows[index], text, into: buffer)
            }
        }
        isFirst = false
    }

    /// Appends a line that proves that all `count` users have been written; `json` has none.
    public func append(proofOf count: Int, into buffer: ByteBuffer) {
        switch format {
        case .ndjson:
            ExportProof.append(count, into: buffer)
            buffer.append("\n")
        case .csv:
            let proof = ByteBuffer(capacity: 64)
            ExportProof.append(count, into: proof)
            for column in columns.columns.indices {
                if column > 0 { buffer.append(separator) }
                if column == columns.columnOfProof { buffer.append(csvCell: proof.bytes) }
            }
            buffer.append("\r\n")
        case .json: break
        }
    }

    /// Appends the text after the last user.
    public func end(into buffer: ByteBuffer) {
        if format == .json { buffer.append("\n]\n") }
    }

    private func appendObject(_ row: UserRow, _ text: UnsafeRawBufferPointer, into buffer: ByteBuffer) throws {
        var separator: StaticString = "{"
        try columns.forEachValue(of: row, text) { column, value in
            guard value != nil || columns.columns[column].isNullable else { return }
            buffer.append(separator)
            separator = ","
            buffer.append(columns.columns[column].key)
            if let value { value.append(jsonTo: buffer) } else { buffer.append("null") }
        }
        buffer.append("}")
    }

    private func appendLine(_ row: UserRow, _ text: UnsafeRawBufferPointer, into buffer: ByteBuffer) throws {
        try columns.forEachValue(of: row, text) { column, value in
            if column > 0 { buffer.append(separator) }
            value?.append(cellTo: buffer)
        }
        buffer.append("\r\n")
    }
}

extension ByteBuffer {
    /// Appends a cell with a user's text. An apostrophe precedes text that a spreadsheet would treat as a formula
    /// (OWASP, “CSV Injection”).
    ///
    /// Text that begins with apostrophes and then such a character gets one more, so that an import can remove one and
    /// restore the same text.
    func append(csvText cell: UnsafeRawBufferPointer) {
        guard cell.isFormula else { return append(csvCell: cell) }
        let guarded = ByteBuffer(capacity: cell.count + 1)
        guarded.append("'")
        guarded.append(cell)
        append(csvCell: guarded.bytes)
    }

    /// Appends a cell as in RFC 4180 §2: in quotes if it contains a quote, a separator or a line break.
    func append(csvCell cell: UnsafeRawBufferPointer) {
        let isPlain = cell.allSatisfy { byte in
            switch byte {
            // A spreadsheet that separates at semicolons or tabs would read `x;=1+1` as two cells, one of them a
            // formula.
            case 0x22, 0x2C, 0x3B, 0x09, 0x0A, 0x0D: false
            default: true
            }
        }
        if isPlain { return append(cell) }
        append("\"")
        for byte in cell {
            if byte == 0x22 { append(byte) }
            append(byte)
        }
        append("\"")
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a spreadsheet would treat the text, without leading apostrophes, as a formula: it begins with `=`, `+`,
    /// `-`, `@`, their full-width forms, a tab or a carriage return.
    var isFormula: Bool {
        let rest = UnsafeRawBufferPointer(rebasing: drop { $0 == UInt8(ascii: "'") })
        switch rest.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: return true
        case 0xEF: return rest.count > 2 && rest[1] == 0xBC && [0x9D, 0x8B, 0x8D, 0xA0].contains(rest[2])
        default: return false
        }
    }

    /// A cell of an export with its original text: without the apostrophe that ``ByteBuffer/append(csvText:)`` added.
    public var withoutFormulaGuard: UnsafeRawBufferPointer {
        first == UInt8(ascii: "'") && isFormula ? UnsafeRawBufferPointer(rebasing: dropFirst()) : self
    }
}
