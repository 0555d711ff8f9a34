import Bytes

/// Makes ids for requests that have none: 16 hexadecimal digits that no other event loop or process is likely to repeat
/// soon.
struct RequestNumbers {
    private var random = SplitMix64(state: UInt64.random(in: 0...UInt64.max))

    /// Appends the next id.
    mutating func append(to buffer: ByteBuffer) {
        buffer.append(hexadecimal: random.next())
    }
}
