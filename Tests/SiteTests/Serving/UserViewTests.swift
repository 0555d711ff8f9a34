import Base
import People
import Testing

@testable import Site

@Suite("User views")
struct PersonTests {
    @Test(arguments: [
        ("https://example.org/a?b=c", true), ("HTTP://EXAMPLE.ORG", true), ("javascript:alert(1)", false),
        ("//example.org", false),
        ("https://a b", false), ("https://a\n", false), ("data:text/html,x", false), ("", false), ("http://", false),
        ("https://a@b/", false), ("https://medium.com/@a", true),
    ])
    func onlyWebURLsAreLinked(_ url: String, _ isWebURL: Bool) {
        Array(url.utf8).withUnsafeBytes { #expect($0.isWebURL == isWebURL) }
    }
}
