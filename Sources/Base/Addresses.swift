import Glibc

/// An IPv4 or IPv6 address, or a block of them (`10.0.0.0/8`, `fd00::/8`; RFC 4632 §3.1, RFC 4291 §2.3).
public struct AddressRange: Equatable, Sendable {
    /// The address, or the address before the slash.
    public let first: UInt128
    private let prefixLength: Int

    /// `nil` for anything but an address, or an address, a slash and the length of a prefix. Bits after the prefix are
    /// ignored.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let width: Int
        if let address = Self.ipv4(String(parts[0])) {
            (first, width) = (Self.mapped(address), 32)
        } else if let address = Self.ipv6(String(parts[0])) {
            (first, width) = (address, 128)
        } else {
            return nil
        }
        let length = parts.count == 1 ? width : String(parts[1]).withBytes { Int(decimalDigits: $0) }
        guard parts.count < 3, let length, length <= width else { return nil }
        prefixLength = 128 - width + length
    }

    /// Whether the block has `address`, which is an IPv6 address or an IPv4 address that is mapped into one.
    public func contains(_ address: UInt128) -> Bool { (first ^ address) >> (128 - prefixLength) == 0 }

    /// Returns an IPv4 address as IPv6 has it (RFC 4291 §2.5.5.2).
    public static func mapped(_ address: UInt32) -> UInt128 { 0xFFFF << 32 | UInt128(address) }

    private static func ipv4(_ text: String) -> UInt32? {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        return UInt32(bigEndian: address.s_addr)
    }

    private static func ipv6(_ text: String) -> UInt128? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    }
}

extension UnsafeRawBufferPointer {
    /// The length of `http://` or `https://` at the beginning, in any case; 0 without either.
    public var webSchemeCount: Int {
        starts(ignoringCase: "https://") ? 8 : starts(ignoringCase: "http://") ? 7 : 0
    }

    /// Whether these bytes are an absolute http or https URL that can stand in a link unchanged.
    public var isWebURL: Bool {
        let start = webSchemeCount
        guard start > 0, count > start, self[start] != UInt8(ascii: "/") else { return false }
        guard allSatisfy(\.isVisible) else { return false }
        // `https://bank.example@evil.example/` shows one host and leads to another.
        return !self[start...].prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "@"))
    }
}

extension String {
    /// Whether the text is an absolute http or https URL that can stand in a link unchanged.
    public var isWebURL: Bool { withBytes(\.isWebURL) }
}
