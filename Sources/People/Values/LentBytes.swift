import Base

// Functions for modules without unsafe code, which have bytes that are lent to them.

extension LinkStyle {
    /// See ``read(_:)``.
    public func read(_ text: String) -> Reading { text.withBytes { read($0) } }
}

extension UserRows {
    /// Appends a copy of `bytes` and returns its slice.
    public mutating func keep(_ bytes: Bytes) -> ByteSlice { bytes.withUnsafeBytes { keep($0) } }
}

extension MatchedText {
    /// See ``ranges(in:)``.
    public func ranges(in text: Bytes) -> [Range<Int>] { text.withUnsafeBytes { ranges(in: $0) } }
}

extension FieldReader {
    /// Calls `body`, in which the fields are those of `row`, whose text is in `text`.
    public func reading<Result>(_ row: UserRow, _ text: Bytes, _ body: () throws -> Result) rethrows -> Result {
        try text.withUnsafeBytes { text in
            read(row.columns, in: text)
            defer { forget() }
            return try body()
        }
    }

    /// Appends the text of the field `index`: see ``text(of:)``.
    public func append(textOf index: Int, to buffer: ByteBuffer) { buffer.append(text(of: index)) }

    /// The values by which the filter `index` finds the user: see ``forEachFilterValue(of:_:)``.
    public func filterValues(of index: Int) -> [String] {
        var texts: [String] = []
        forEachFilterValue(of: index) { texts.append(String(decoding: $0, as: UTF8.self)) }
        return texts
    }
}

extension LooseForm {
    /// Returns the part of the loose form of `text` that orders compare.
    public static func sortText(_ text: String) -> [UInt8] {
        let buffer = ByteBuffer(capacity: text.utf8.count * 4 + 8)
        let slice = buffer.append(loose: text)
        return Array(buffer.bytes[slice].sortText)
    }
}
