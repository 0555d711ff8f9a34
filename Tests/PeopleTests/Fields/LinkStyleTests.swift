import Base
import People
import TestSupport
import Testing

@Suite("Links without a scheme")
struct LinkStyleTests {
    private func read(_ text: String) -> LinkStyle.Reading {
        Array(text.utf8).withUnsafeBytes { LinkStyle.web.read($0) }
    }

    @Test(arguments: ["www.example.org", "müller.example/a", "例え.テスト", "김민수.kr"])
    func namesOfHostsAreLinks(_ text: String) throws {
        guard case .link("https://\(text)", _) = read(text) else { throw Failure("expected a link") }
    }

    @Test(arguments: ["\u{202e}gpj.exe", "a\u{200b}b.exe", "a\u{2066}.exe", "a\u{a0}b.org", "★.example"])
    func aHostWithInvisibleCharactersIsText(_ text: String) { #expect(read(text) == .text) }
}
