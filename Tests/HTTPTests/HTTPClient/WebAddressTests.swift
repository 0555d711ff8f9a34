import Base
import HTTPClient
import Testing

@Suite("WebAddress")
struct WebAddressTests {
    @Test func anAddressIsSplitIntoItsParts() throws {
        let address = try WebAddress("HTTPS://API.Example.org/api/v3?per_page=3#here")
        #expect(address.origin == "https://api.example.org:443")
        #expect(address.target == "/api/v3?per_page=3")
        #expect(address.text == "https://api.example.org/api/v3?per_page=3")
        #expect(try WebAddress("http://127.0.0.1:8080").text == "http://127.0.0.1:8080/")
    }

    @Test(arguments: [
        "", "api.example.org", "/users", "ftp://example.org/", "file:///etc/passwd", "https://",
        "https://a@example.org/", "https://exa mple.org", "https://example.org\\@evil.example/",
        "https://example.org/\u{e9}", "javascript:alert(1)",
    ])
    func invalidAddressesAreRejected(_ text: String) {
        #expect(throws: RollcallError.self) { try WebAddress(text) }
    }

    @Test(arguments: [
        ("/users?since=46", "https://api.example.org/users?since=46"),
        ("?page=2", "https://api.example.org/v3/users?page=2"),
        ("https://api.example.org:443/x", "https://api.example.org/x"), ("//evil.example/x", "https://evil.example/x"),
        ("../../..", "https://api.example.org/"), ("http://api.example.org/x", "http://api.example.org/x"),
    ])
    func linksAreResolved(_ link: String, _ target: String) throws {
        #expect(try WebAddress("https://api.example.org/v3/users").following(link).text == target)
    }

    @Test func originsDifferBySchemeHostAndPort() throws {
        let home = try WebAddress("https://api.example.org/").origin
        for other in [
            "http://api.example.org/", "https://example.org/", "https://api.example.org:8443/",
            "https://api.example.org.evil.example/",
        ] { #expect(try WebAddress(other).origin != home) }
    }

    @Test func parametersAreEncoded() throws {
        let address = try WebAddress("https://example.org/a").appending("k e", "ä&=").appending("b", "1")
        #expect(address.text == "https://example.org/a?k%20e=%C3%A4%26%3D&b=1")
        #expect(try WebAddress("https://example.org/v3/?x=1").below("users").text == "https://example.org/v3/users")
    }
}
