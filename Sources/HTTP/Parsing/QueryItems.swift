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
