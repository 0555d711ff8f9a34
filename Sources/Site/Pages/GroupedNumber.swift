import Bytes

extension Int {
    /// The number with its digits in groups of three.
    var grouped: String {
        let buffer = ByteBuffer(capacity: 32)
        buffer.append(grouped: Int64(self))
        return String(buffer)
    }
}
