/// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash without known collisions. Swift's own `Hasher` returns
/// different values in each process.
public enum SipHash {
    public static func hash(_ bytes: UnsafeRawBufferPointer, key: (UInt64, UInt64)) -> UInt64 {
        var state = State(key)
        var index = 0
        while index + 8 <= bytes.count {
            state.take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for (shift, byte) in bytes[index...].enumerated() { last |= UInt64(byte) << (8 * UInt64(shift)) }
        state.take(last)
        return state.finish()
    }

    private struct State {
        var a, b, c, d: UInt64

        init(_ key: (UInt64, UInt64)) {
            a = key.0 ^ 0x736F_6D65_7073_6575
            b = key.1 ^ 0x646F_7261_6E64_6F6D
            c = key.0 ^ 0x6C79_6765_6E65_7261
            d = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func take(_ word: UInt64) {
            d ^= word
            round()
            round()
            a ^= word
        }

        mutating func finish() -> UInt64 {
            c ^= 0xFF
            for _ in 0..<4 { round() }
            return a ^ b ^ c ^ d
        }

        private mutating func round() {
            a &+= b
            b = (b << 13 | b >> 51) ^ a
            a = a << 32 | a >> 32
            c &+= d
            d = (d << 16 | d >> 48) ^ c
            a &+= d
            d = (d << 21 | d >> 43) ^ a
            c &+= b
            b = (b << 17 | b >> 47) ^ c
            c = c << 32 | c >> 32
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): a generator of the same random numbers everywhere. It visits every state
/// once, in an order that appears random.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(state: UInt64) { self.state = state }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
