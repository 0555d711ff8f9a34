import Testing

@testable import Base

@Suite("Addresses and blocks of them")
struct AddressRangeTests {
    private func number(_ text: String) throws -> UInt128 {
        // The whole of one address.
        let range = try #require(AddressRange(text))
        return range.first
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("0.0.0.0/0", "192.0.2.1", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.0/24", "::ffff:192.0.2.7", true), ("::/0", "2001:db8::1", true),
        ("fd00::/8", "fd12:3456::1", true), ("fd00::/8", "fe80::1", false), ("::1", "::1", true),
        ("2001:db8::/33", "2001:db8:8000::", false), ("2001:db8::/33", "2001:db8:7fff::", true),
    ])
    func anAddressIsInsideOrNot(_ range: String, _ address: String, _ isInside: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(number(address)) == isInside)
    }

    @Test(arguments: [
        "", "10", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "/8", "::1/129", "localhost", "fe80::1%lo",
        "10.0.0.0/+8", " 10.0.0.1", "1.2.3.4:80",
    ])
    func anythingElseIsNone(_ text: String) { #expect(AddressRange(text) == nil) }
}
