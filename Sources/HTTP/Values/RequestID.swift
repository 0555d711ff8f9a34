import Bytes

/// What `X-Request-Id` may be: 1 to 128 letters, digits and `-._~:+/=@`. That is what proxies and tracers make, and nothing that
/// could break out of a log line or a field.
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
