import Base

/// Compares entity tags (RFC 9110 §8.8.3.2).
public enum EntityTag {
    public enum Comparison: Sendable {
        /// The tags are equal if their bytes are equal and neither is weak.
        case strong
        /// The tags are equal if their bytes without `W/` are equal.
        case weak
    }

    public static func equal(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, by comparison: Comparison
    ) -> Bool {
        if comparison == .strong, isWeak(one) || isWeak(other) { return false }
        return opaque(one).equals(opaque(other))
    }

    /// Returns whether the value of an `If-None-Match` or `If-Match` line lists `tag`; `*` matches any tag.
    public static func list(
        _ value: UnsafeRawBufferPointer, contains tag: UnsafeRawBufferPointer, by comparison: Comparison
    ) -> Bool {
        // Most clients have one copy, and send its tag as it came.
        if value.equals(tag) { return comparison == .weak || !isWeak(tag) }
        if value.trimmed.equals("*") { return true }
        var index = 0
        while let element = next(in: value, from: &index) {
            if equal(element, tag, by: comparison) { return true }
        }
        return false
    }

    /// Returns the next tag of a list. A tag may contain a comma. Anything that is not a tag ends the list.
    private static func next(in list: UnsafeRawBufferPointer, from index: inout Int) -> UnsafeRawBufferPointer? {
        while index < list.count, list[index].isBlank || list[index] == UInt8(ascii: ",") { index += 1 }
        let start = index
        if index + 1 < list.count, list[index] == UInt8(ascii: "W"), list[index + 1] == UInt8(ascii: "/") { index += 2 }
        guard index < list.count, list[index] == UInt8(ascii: "\"") else { return nil }
        index += 1
        while index < list.count, list[index] != UInt8(ascii: "\"") { index += 1 }
        guard index < list.count else { return nil }
        index += 1
        return UnsafeRawBufferPointer(rebasing: list[start..<index])
    }

    private static func isWeak(_ tag: UnsafeRawBufferPointer) -> Bool { tag.starts(with: "W/") }

    private static func opaque(_ tag: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        isWeak(tag) ? UnsafeRawBufferPointer(rebasing: tag[2...]) : tag
    }
}
