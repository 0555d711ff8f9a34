import Bytes

/// The rule for `X-Request-Id`: 1 to 128 letters, digits and `-._~:+/=@`. Proxies and tracing systems use no other
/// characters, and none of these can end a log line or a header field.
enum RequestID {
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        (1...128).contains(bytes.count)
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"),
                    UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "@"):
                    true
                default: byte.isDigit || byte.isLetter
                }
            }
    }
}
