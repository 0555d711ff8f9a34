import Bytes

extension ByteBuffer {
    /// Appends `encoded` with its percent-encoding undone, once (RFC 3986 §2.1, §2.4).
    ///
    /// Answers `false`, and appends nothing, where a `%` is not followed by two hexadecimal digits. What comes out may be
    /// any bytes: NUL and what is not UTF-8 are for the caller to judge.
    ///
    /// - Parameter plusIsSpace: as in the queries that HTML forms make.
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
