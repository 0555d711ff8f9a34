import Bytes
import Directories
import Testing

@testable import Site

@Suite("User views")
struct PersonTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (2971, "2,971"), (1_000_042, "1,000,042"), (-12345, "-12,345"),
        (Int64.min, "-9,223,372,036,854,775,808"),
    ])
    func numbersAreGrouped(_ number: Int64, _ expected: String) {
        let buffer = ByteBuffer()
        buffer.append(grouped: number)
        #expect(String(buffer) == expected)
    }

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
