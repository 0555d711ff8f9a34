import Base

/// The last line of an export whose reader asked for a proof that it is whole: the number of people before it.
///
/// In NDJSON it is `{"rollcall":{"count":3}}`. In CSV the same object stands in the column `more` of a row that is
/// empty otherwise. Imports compare the number with the records that came and make no user of the line.
public enum ExportProof {
    private static let start: StaticString = "{\"rollcall\":{\"count\":"
    private static let end: StaticString = "}}"

    static func append(_ count: Int, into buffer: ByteBuffer) {
        buffer.append(start)
        buffer.append(decimal: count)
        buffer.append(end)
    }

    /// Returns the number if a line or a cell is such an object, with nothing but white space of JSON around it, or
    /// `nil`.
    public static func count(in text: UnsafeRawBufferPointer) -> Int? {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: text[first...last])
            .removingPrefix(start)?.removingSuffix(end).flatMap { Int(decimalDigits: $0) }
    }
}
