import Bytes
import Directories
import Foundation

/// A user's place in an order, as bytes to compare: a text or a number, then the id.
///
/// Compared as SQLite compares them, with the first eight bytes as one number, which settles most comparisons.
struct SortKey {
    /// Of a text its first eight bytes, of a number its place among all 64-bit numbers; 0 in the order by id.
    var prefix: UInt64
    /// All of a text, in bytes kept elsewhere; else empty.
    var text: Slice
    var id: Int64

    init(number: Int64, id: Int64) {
        prefix = UInt64(bitPattern: number) ^ (1 << 63)
        text = .empty
        self.id = id
    }

    init(text: Slice, in bytes: UnsafeRawBufferPointer, id: Int64) {
        prefix = Self.prefix(bytes[text])
        self.text = text
        self.id = id
    }

    /// Keeps a copy of `value` at the end of `bytes`.
    init(keeping value: UnsafeRawBufferPointer, in bytes: inout [UInt8], id: Int64) {
        prefix = Self.prefix(value)
        text = Slice(offset: bytes.count, count: value.count)
        self.id = id
        bytes.append(contentsOf: value)
    }

    var number: Int64 { Int64(bitPattern: prefix ^ (1 << 63)) }

    static func prefix(_ text: UnsafeRawBufferPointer) -> UInt64 {
        if text.count >= 8 { return UInt64(bigEndian: text.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < text.count ? UInt64(text[index]) : 0) }
        return prefix
    }

    /// Negative, zero or positive as this key comes before, at or after `other`, whose text is in `otherBytes`.
    func compare(in bytes: UnsafeRawBufferPointer, to other: SortKey, in otherBytes: UnsafeRawBufferPointer) -> Int {
        if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
        if !text.isEmpty || !other.text.isEmpty {
            let order = compareBytes(bytes[text], otherBytes[other.text])
            if order != 0 { return order }
        }
        return id < other.id ? -1 : id == other.id ? 0 : 1
    }
}

/// As `BINARY` collation: byte by byte, and of two that begin alike the shorter one first.
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let left = left.baseAddress, let right = right.baseAddress {
        let order = memcmp(left, right, shared)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}
