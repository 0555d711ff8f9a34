import Base
import Foundation

/// The key of an entry in a sort index: a text or a number, then the id, which makes every key unique.
///
/// Keys compare as the bytes of their values, and then by the id. The first eight bytes are kept as one number, which
/// decides most comparisons.
package struct SortKey {
    /// The kind of value that an index sorts by before the id.
    package enum Kind: Hashable, Sendable {
        /// Nothing: the ids alone.
        case id
        /// A signed 64-bit number.
        case number
        /// Bytes, compared one by one.
        case text
    }

    /// The first eight bytes of a text, filled up with zeros; a number plus 2⁶³; or 0 in an index of kind ``Kind/id``.
    package var prefix: UInt64
    /// The whole text, as a slice of bytes that are kept elsewhere. Empty in the other kinds.
    package var text: ByteSlice
    package var id: Int64

    /// The key of a number. An index of kind ``Kind/id`` uses the least number for all keys.
    package init(number: Int64, id: Int64) {
        prefix = UInt64(bitPattern: number) ^ (1 << 63)
        text = .empty
        self.id = id
    }

    package init(text: ByteSlice, in bytes: UnsafeRawBufferPointer, id: Int64) {
        prefix = Self.prefix(bytes[text])
        self.text = text
        self.id = id
    }

    /// The key of `value`. A copy of the value is appended to `bytes`.
    package init(appending value: UnsafeRawBufferPointer, to bytes: inout [UInt8], id: Int64) {
        prefix = Self.prefix(value)
        text = ByteSlice(offset: bytes.count, count: value.count)
        self.id = id
        bytes.append(contentsOf: value)
    }

    /// The key of a number, from its bytes in a table: see ``withValue(_:_:_:)``.
    package init(value bytes: UnsafeRawBufferPointer, id: Int64) {
        prefix = Self.prefix(bytes)
        text = .empty
        self.id = id
    }

    package var number: Int64 { Int64(bitPattern: prefix ^ (1 << 63)) }

    /// Calls `body` with bytes that tables order as keys of a kind compare: the text, which is in `bytes`, or those of
    /// the number. They are valid until it returns.
    package func withValue<Result>(
        _ kind: Kind, _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        if kind == .text { return try body(bytes[text]) }
        return try withUnsafeBytes(of: prefix.bigEndian, body)
    }

    private static func prefix(_ text: UnsafeRawBufferPointer) -> UInt64 {
        if text.count >= 8 { return UInt64(bigEndian: text.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < text.count ? UInt64(text[index]) : 0) }
        return prefix
    }

    /// Returns a negative number, zero or a positive number as this key comes before, at or after `other`, whose text
    /// is in `otherBytes`.
    package func compare(
        in bytes: UnsafeRawBufferPointer, to other: SortKey, in otherBytes: UnsafeRawBufferPointer
    ) -> Int {
        if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
        if !text.isEmpty || !other.text.isEmpty {
            let order = compareBytes(bytes[text], otherBytes[other.text])
            if order != 0 { return order }
        }
        return id < other.id ? -1 : id == other.id ? 0 : 1
    }
}

/// Compares byte by byte. If one text is the beginning of the other, the shorter one comes first.
private func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let left = left.baseAddress, let right = right.baseAddress {
        let order = memcmp(left, right, shared)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}

/// A key with its own copy of the text: the position in an order from which a scan starts.
package struct SeekKey {
    package let key: SortKey
    /// The text of `key`.
    package let text: [UInt8]

    package init(number: Int64, id: Int64) {
        key = SortKey(number: number, id: id)
        text = []
    }

    package init(text: [UInt8], id: Int64) {
        self.text = text
        key = text.withUnsafeBytes { SortKey(text: ByteSlice(offset: 0, count: $0.count), in: $0, id: id) }
    }

    /// The key of a kind with bytes from a table: see ``SortKey/withValue(_:_:_:)``.
    package init(value bytes: UnsafeRawBufferPointer, kind: SortKey.Kind, id: Int64) {
        if kind == .text {
            self.init(text: Array(bytes), id: id)
        } else {
            self.init(number: SortKey(value: bytes, id: id).number, id: id)
        }
    }

    /// The owned copy of `key`, whose text is in `bytes`.
    package init(_ key: SortKey, in bytes: UnsafeRawBufferPointer, kind: SortKey.Kind) {
        if kind == .text {
            self.init(text: Array(bytes[key.text]), id: key.id)
        } else {
            self.init(number: key.number, id: key.id)
        }
    }
}

/// Collects keys in any order and sorts them.
package struct SortBuffer {
    /// The texts of `keys`.
    private var text: [UInt8] = []
    private var keys: [SortKey] = []

    package init() {}

    package mutating func append(_ id: Int64, number: Int64) {
        keys.append(SortKey(number: number, id: id))
    }

    package mutating func append(_ id: Int64, text value: UnsafeRawBufferPointer) {
        keys.append(SortKey(appending: value, to: &text, id: id))
    }

    /// Returns the ids in ascending order of their keys. `group`, which is sorted already, is inserted before the first
    /// key after `groupStart`.
    package mutating func sortedIDs(around group: [Int64] = [], at groupStart: [UInt8] = []) -> [Int64] {
        text.withUnsafeBytes { bytes in keys.sort { $0.compare(in: bytes, to: $1, in: bytes) < 0 } }
        if group.isEmpty { return keys.map(\.id) }
        let after = text.withUnsafeBytes { bytes in
            let start = SeekKey(text: groupStart, id: 0)
            return start.text.withUnsafeBytes { startText in
                keys.firstIndex { $0.compare(in: bytes, to: start.key, in: startText) > 0 } ?? keys.count
            }
        }
        return keys[..<after].map(\.id) + group + keys[after...].map(\.id)
    }
}
