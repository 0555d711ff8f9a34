import Base

/// Decides which IP addresses may be asked because somebody else says so: a directory's data names the URLs of
/// pictures, and a server redirects. Neither must make Rollcall send requests into the network that it runs in.
///
/// Addresses are IPv6 addresses, or IPv4 addresses that are mapped into them (`::ffff:192.0.2.1`).
public enum PublicAddress {
    /// Returns whether `address` is global unicast and in no block of IANA's special-purpose registries (RFC 6890).
    /// Blocks of the registries that are globally reachable are left out as well: they hold no web servers.
    public static func isPublic(_ address: UInt128) -> Bool {
        let address = unwrapped(address)
        if address >> 32 == 0xFFFF { return !special4.contains { $0.contains(address) } }
        return globalUnicast6.contains(address) && !special6.contains { $0.contains(address) }
    }

    /// Returns the special-purpose block that `address` is in; `nil` for a public address.
    public static func network(of address: UInt128) -> AddressRange? {
        let inner = unwrapped(address)
        return special6.first { $0.contains(address) } ?? special4.first { $0.contains(inner) }
    }

    /// Returns the IPv4 address inside an IPv6 address that leads to it, as `::ffff:192.0.2.1`; any other address
    /// unchanged.
    public static func unwrapped(_ address: UInt128) -> UInt128 {
        let isWrapped = wrapping6.contains { $0.contains(address) }
        return isWrapped ? AddressRange.mapped(UInt32(truncatingIfNeeded: address)) : address
    }

    /// IANA's IPv4 Special-Purpose Address Registry, and multicast (RFC 5771).
    private static let special4 = ranges(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")

    /// The only part of IPv6 from which global unicast addresses are given out (RFC 4291 §2.4).
    private static let globalUnicast6 = ranges("2000::/3")[0]

    /// The blocks of IANA's IPv6 Special-Purpose Address Registry inside ``globalUnicast6``: protocol assignments with
    /// Teredo, documentation, 6to4, AS112 and documentation again. Then those outside that have servers: this machine,
    /// unique local and link-local addresses.
    private static let special6 = ranges(
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "::1/128", "fc00::/7", "fe80::/10")

    /// IPv4-compatible addresses (RFC 4291 §2.5.5.1), and NAT64 with the well-known prefix (RFC 6052). A NAT64 router
    /// connects to the IPv4 address inside.
    private static let wrapping6 = ranges("::/96", "64:ff9b::/96")

    private static func ranges(_ texts: String...) -> [AddressRange] { texts.compactMap(AddressRange.init) }
}

/// The servers that may be asked because somebody else says so: those on the public internet at the ports of the web,
/// and those in the networks that the publisher allows at any port.
public struct AskableServers: Sendable {
    /// 80 and 443. Other ports are those of other services, which take requests for commands.
    public static let ports = [80, 443]

    public var allowedNetworks: [AddressRange]
    /// Added to the reason why an address is not on the public internet: what the publisher can do.
    private let advice: String

    public init(allowedNetworks: [AddressRange] = [], advice: String = "") {
        (self.allowedNetworks, self.advice) = (allowedNetworks, advice)
    }

    /// The servers to which one that the publisher has named may redirect. If it is not on the public internet itself
    /// but at `address`, these are also the servers of its network.
    public init(besidePublishersAt address: UInt128?) {
        self.init(allowedNetworks: address.flatMap(PublicAddress.network).map { [$0] } ?? [])
    }

    /// Returns why `address`, in the form that ``PublicAddress`` takes, may not be asked at `port`; `nil` if it may be.
    /// An unknown address, which a proxy will look up, is judged by the port alone.
    public func refusal(of address: UInt128?, port: Int) -> String? {
        if let address {
            let inner = PublicAddress.unwrapped(address)
            if allowedNetworks.contains(where: { $0.contains(address) || $0.contains(inner) }) { return nil }
            guard PublicAddress.isPublic(address) else {
                return "its address is not on the public internet" + advice
            }
        }
        return Self.ports.contains(port) ? nil : "expected port 80 or 443, found \(port)"
    }
}
