import Base

/// Calls `body` with every item of a query: `name=value`, separated by `&`, still percent-encoded. Without `=` the
/// value is empty.
///
/// Empty items, as in `a&&b`, are skipped. Nothing is copied.
@inlinable public func forEachQueryItem(
    in query: UnsafeRawBufferPointer,
    body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
) rethrows {
    var start = 0
    for end in 0...query.count where end == query.count || query[end] == UInt8(ascii: "&") {
        let item = UnsafeRawBufferPointer(rebasing: query[start..<end])
        start = end + 1
        guard !item.isEmpty else { continue }
        let split = item.firstIndex(of: UInt8(ascii: "=")) ?? item.count
        try body(
            UnsafeRawBufferPointer(rebasing: item[..<split]),
            UnsafeRawBufferPointer(rebasing: item[min(split + 1, item.count)...]))
    }
}

extension ByteBuffer {
    /// Appends `encoded` after percent-decoding it once (RFC 3986 §2.1, §2.4).
    ///
    /// Returns `false` and appends nothing if two hexadecimal digits do not follow a `%`. The decoded bytes may be
    /// anything: the caller must check for NUL and for invalid UTF-8.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in the queries of HTML forms.
    public func append(percentDecoding encoded: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> Bool {
        let start = count
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            index += 1
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: append(.space)
            case UInt8(ascii: "%"):
                guard index + 1 < encoded.count, let high = encoded[index].hexadecimalValue,
                    let low = encoded[index + 1].hexadecimalValue
                else {
                    truncate(to: start)
                    return false
                }
                append(high << 4 | low)
                index += 2
            default: append(byte)
            }
        }
        return true
    }
}
