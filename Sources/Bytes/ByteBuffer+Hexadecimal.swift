extension ByteBuffer {
    /// Appends the low `digits` hexadecimal digits of `number`, in lower case.
    public func append(hexadecimal number: UInt64, digits: Int = 16) {
        for position in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * position)) & 15
            append(digit < 10 ? digit + 48 : digit + 87)
        }
    }

    /// Appends `text` with all but the unreserved characters (RFC 3986 §2.3) percent-encoded: safe in paths and
    /// queries.
    public func append(percentEncoding text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { append(percentEncoding: UnsafeRawBufferPointer($0)) }
    }

    public func append(percentEncoding bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 65...90, 97...122, 48...57, 45, 46, 95, 126: append(byte)
            default:
                append(UInt8(ascii: "%"))
                // RFC 3986 §2.1: capital letters.
                for digit in [byte >> 4, byte & 15] { append(digit < 10 ? digit + 48 : digit + 55) }
            }
        }
    }
}
