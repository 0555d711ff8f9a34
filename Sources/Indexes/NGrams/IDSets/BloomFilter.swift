/// A [Bloom filter](https://en.wikipedia.org/wiki/Bloom_filter) with two hashes: rules out most values that are not in
/// a set.
package struct BloomFilter {
    private var words: [UInt64]
    /// The logarithm of the number of bits.
    private let bits: UInt64

    /// A filter of 2 to the power of `bits` bits, in which nothing is.
    package init(bits: UInt64) {
        self.bits = bits
        words = [UInt64](repeating: 0, count: 1 << Int(bits - 6))
    }

    /// The filter of `ids`, with 32 bits an id, in at most 8 MiB: it costs a fiftieth of a binary search.
    init(_ ids: [Int64]) {
        self.init(bits: UInt64(min(max(64 - (ids.count * 32).leadingZeroBitCount, 10), 26)))
        let bits = bits
        words.withUnsafeMutableBufferPointer { words in
            for id in ids { Self.insert(Self.hash(id), in: words, bits) }
        }
    }

    @inline(__always) func mayContain(_ id: Int64) -> Bool { mayContain(hash: Self.hash(id)) }

    /// - Parameter hash: Depends on all bits of the value in its uppermost bits.
    @inline(__always) package func mayContain(hash: UInt64) -> Bool {
        hasBit(Self.first(hash, bits)) && hasBit(Self.second(hash, bits))
    }

    package mutating func insert(hash: UInt64) {
        let bits = bits
        words.withUnsafeMutableBufferPointer { Self.insert(hash, in: $0, bits) }
    }

    @inline(__always) private static func insert(
        _ hash: UInt64, in words: UnsafeMutableBufferPointer<UInt64>, _ bits: UInt64
    ) {
        let (first, second) = (first(hash, bits), second(hash, bits))
        words[Int(truncatingIfNeeded: first &>> 6)] |= 1 &<< (first & 63)
        words[Int(truncatingIfNeeded: second &>> 6)] |= 1 &<< (second & 63)
    }

    @inline(__always) private func hasBit(_ bit: UInt64) -> Bool { words[Int(bit >> 6)] & 1 << (bit & 63) != 0 }

    /// The uppermost bits of the hash, and the bits below them.
    @inline(__always) private static func first(_ hash: UInt64, _ bits: UInt64) -> UInt64 { hash &>> (64 &- bits) }
    @inline(__always) private static func second(_ hash: UInt64, _ bits: UInt64) -> UInt64 {
        (hash &<< bits) &>> (64 &- bits)
    }

    @inline(__always) private static func hash(_ id: Int64) -> UInt64 {
        UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    }
}
