import Bytes

/// Makes ids for requests that have none: 16 hexadecimal digits that no other event loop or process is likely to repeat
/// soon.
struct RequestNumbers {
    private var state = UInt64.random(in: 0...UInt64.max)

    /// Appends the next id.
    mutating func append(to buffer: ByteBuffer) {
        // SplitMix64: it visits every state once, in an order that appears random.
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: mixed >> UInt64(shift)) & 15
            buffer.append(digit < 10 ? digit + 48 : digit + 87)
        }
    }
}
