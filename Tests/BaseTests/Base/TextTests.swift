import Base
import Testing

@Suite("Text and numbers as bytes")
struct TextTests {
    @Test(arguments: [
        ("https://example.org", true), ("HTTP://example.org/a?b=c#d", true), ("https://example.org/@ann", true),
        ("https://", false), ("http:///path", false), ("https://bank.example@evil.example/", false),
        ("https://exa mple.org", false), ("javascript:alert(1)", false), ("//example.org", false), ("", false),
        ("https://a\n", false), ("data:text/html,x", false), ("https://a@b/", false),
    ])
    func onlyAbsoluteWebURLsAreWebURLs(_ text: String, _ isWebURL: Bool) {
        #expect(text.isWebURL == isWebURL)
    }

    @Test(arguments: [("0", 0), ("007", 7), ("9223372036854775807", Int64.max)] as [(String, Int64)])
    func decimalDigitsAreRead(_ text: String, _ number: Int64) {
        Array(text.utf8).withUnsafeBytes { #expect(Int64(decimalDigits: $0) == number) }
    }

    @Test(arguments: ["", "-1", "+1", " 1", "1.0", "9223372036854775808", "٣"])
    func otherTextIsNotANumber(_ text: String) {
        Array(text.utf8).withUnsafeBytes { #expect(Int64(decimalDigits: $0) == nil) }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_522_905_859, "2018-04-05T05:24:19Z"), (-1, "1969-12-31T23:59:59Z"),
        (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
    func momentsAreWrittenAsISO8601(_ seconds: Int, _ text: String) {
        let buffer = ByteBuffer()
        CivilTime(secondsSince1970: seconds).appendISO8601(to: buffer)
        #expect(String(buffer) == text)
        #expect(CivilTime(secondsSince1970: seconds).secondsSince1970 == seconds)
    }

    @Test func hexadecimalDigitsAreInLowerCase() {
        let buffer = ByteBuffer()
        buffer.append(hexadecimal: 0xAB, digits: 4)
        buffer.append(hexadecimal: 0x0123_4567_89AB_CDEF)
        #expect(String(buffer) == "00ab0123456789abcdef")
    }

    @Test func percentEncodingKeepsUnreservedCharacters() {
        let buffer = ByteBuffer()
        buffer.append(percentEncoding: "a-Z_0.~ /é")
        #expect(String(buffer) == "a-Z_0.~%20%2F%C3%A9")
    }

    @Test func whiteSpaceIsTrimmedByScalars() {
        #expect(" \t a b\u{A0}\n".trimmed == "a b")
        #expect(" \u{301}x".trimmed == "\u{301}x")
        #expect(" ".trimmed.isEmpty)
    }

    @Test(arguments: [("", ""), ("one", "one"), ("SELECT 1\n    FROM a\r\n\n  WHERE b\n", "SELECT 1, FROM a, WHERE b")])
    func linesAreJoined(_ text: String, _ line: String) { #expect(text.joiningLines(with: ", ") == line) }

    @Test func splitMix64ReturnsThePublishedNumbers() {
        var random = SplitMix64(state: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
