/// Reads numbers from bytes. Every access is checked; past the end, all results are `nil`.
struct ByteReader {
    private let all: ArraySlice<UInt8>
    private var position: Int
    private let isBigEndian: Bool

    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        (all, position, self.isBigEndian) = (bytes, bytes.startIndex, isBigEndian)
    }

    /// Continues at `offset` from the start, and returns whether it exists.
    mutating func move(to offset: Int) -> Bool {
        guard (0...all.count).contains(offset) else { return false }
        position = all.startIndex + offset
        return true
    }

    mutating func byte() -> UInt8? {
        guard position < all.endIndex else { return nil }
        defer { position += 1 }
        return all[position]
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= all.endIndex - position else { return nil }
        defer { position += count }
        return all[position..<(position + count)]
    }

    mutating func uint16() -> UInt16? { number(2).map { UInt16($0) } }
    mutating func uint32() -> UInt32? { number(4) }

    private mutating func number(_ count: Int) -> UInt32? {
        guard let digits = bytes(count) else { return nil }
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | UInt32($1) } : digits.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
