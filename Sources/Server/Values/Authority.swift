import Base

/// `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2.2), as in `Host` and in an absolute target.
enum Authority {
    /// Returns whether `bytes` is a well-formed authority. User information makes it invalid: in an http URL it only
    /// serves to deceive (RFC 9110 §4.2.4).
    static func isValid(_ bytes: UnsafeRawBufferPointer, needsPort: Bool = false) -> Bool {
        guard !bytes.isEmpty else { return false }
        var index = 0
        if bytes[0] == UInt8(ascii: "[") {
            index = 1
            while index < bytes.count, isInAddress(bytes[index]) { index += 1 }
            guard index > 1, index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return false }
            index += 1
        } else {
            while index < bytes.count, isInName(bytes, at: index) { index += 1 }
            guard index > 0 else { return false }
        }
        if index == bytes.count { return !needsPort }
        guard bytes[index] == UInt8(ascii: ":") else { return false }
        let port = UnsafeRawBufferPointer(rebasing: bytes[(index + 1)...])
        // RFC 3986 §3.2.3 allows a colon without a port.
        if port.isEmpty { return !needsPort }
        return port.decimal.map { $0 <= 65535 } ?? false
    }

    /// The digits, colons and dots of IPv6, and the characters of a future version (`v1.…`) or a zone.
    private static func isInAddress(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "-")
    }

    /// `unreserved`, `sub-delims`, or a `%` and its two digits.
    @inline(__always) private static func isInName(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        switch bytes[index] {
        // Most names have no others.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-")...UInt8(ascii: "."),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "%"):
            index + 2 < bytes.count && bytes[index + 1].hexadecimalValue != nil
                && bytes[index + 2].hexadecimalValue != nil
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"): false
        case let byte: byte.isTokenCharacter
        }
    }
}
