import Base
import HTTPClient
import Testing

let notPublic = "its address is not on the public internet"

@Suite("Addresses that may be asked for pictures")
struct PublicAddressTests {
    private func address(_ text: String) throws -> UInt128 { try #require(AddressRange(text)).first }

    /// Every block of IANA's special-purpose registries: its first and its last address, and the neighbours of blocks
    /// that are public.
    @Test(arguments: [
        // IPv4 (RFC 6890 and its updates), and multicast.
        ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"), ("192.0.0.0", "192.0.0.7"), ("192.0.0.8", "192.0.0.10"),
        ("192.0.0.170", "192.0.0.171"), ("192.0.2.0", "192.0.2.255"), ("192.31.196.0", "192.31.196.255"),
        ("192.52.193.0", "192.52.193.255"), ("192.88.99.0", "192.88.99.255"), ("192.168.0.0", "192.168.255.255"),
        ("192.175.48.0", "192.175.48.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.254"),
        ("255.255.255.255", "255.255.255.255"),
        // IPv6.
        ("::", "::1"), ("::ffff:10.0.0.0", "::ffff:10.255.255.255"), ("::ffff:127.0.0.1", "::ffff:7f00:1"),
        ("::127.0.0.1", "::10.255.255.255"), ("64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1"),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"), ("100::", "100::ffff:ffff:ffff:ffff"),
        ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"), ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"), ("2001:1::1", "2001:1::3"),
        ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"), ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"), ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"), ("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"), ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"), ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        // Never given out.
        ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("200::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
    func specialBlocksAreNotPublic(_ first: String, _ last: String) throws {
        #expect(try !PublicAddress.isPublic(address(first)))
        #expect(try !PublicAddress.isPublic(address(last)))
    }

    @Test(arguments: [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
        "192.31.195.255", "192.88.98.255", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.255", "203.0.114.0", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2000::",
        "2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::", "2003::", "2620:4f:7fff::",
        "2620:4f:8001::", "2a00:1450::1", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::",
    ])
    func theirNeighboursArePublic(_ text: String) throws {
        #expect(try PublicAddress.isPublic(address(text)))
    }

    @Test(arguments: [
        ("8.8.8.8", 443, nil), ("8.8.8.8", 80, nil), ("8.8.8.8", 25, "expected port 80 or 443, found 25"),
        ("10.1.2.3", 8080, nil), ("::ffff:10.1.2.3", 80, nil), ("64:ff9b::10.1.2.3", 80, nil), ("fd00::7", 8443, nil),
        ("11.1.2.3", 8080, "expected port 80 or 443, found 8080"), ("127.0.0.1", 80, notPublic),
        ("fe80::1", 80, notPublic),
    ])
    func allowedNetworksMayBeAskedAtAnyPort(_ text: String, _ port: Int, _ refusal: String?) throws {
        let networks = ["10.0.0.0/8", "fd00::/8"].compactMap(AddressRange.init)
        #expect(try AskableServers(allowedNetworks: networks).refusal(of: address(text), port: port) == refusal)
    }
    @Test(
        arguments: [
            ("10.1.2.3", "10.0.0.0/8"), ("127.0.0.1", "127.0.0.0/8"), ("169.254.1.1", "169.254.0.0/16"),
            ("64:ff9b::10.1.2.3", "10.0.0.0/8"), ("::1", "::1/128"), ("fd00::7", "fc00::/7"), ("8.8.8.8", nil),
            ("2606:4700::1", nil),
        ] as [(String, String?)])
    func aServerOfAPrivateNetworkLeadsToItsNetworkOnly(_ text: String, _ network: String?) throws {
        #expect(try PublicAddress.network(of: address(text)) == network.flatMap(AddressRange.init))
        let servers = AskableServers(besidePublishersAt: try address(text))
        #expect(try servers.refusal(of: address(text), port: 8443) == nil || network == nil)
        for other in ["172.16.0.1", "fe90::1"] {
            #expect(try servers.refusal(of: address(other), port: 443) == notPublic)
        }
        #expect(try servers.refusal(of: address("9.9.9.9"), port: 443) == nil)
    }
}
