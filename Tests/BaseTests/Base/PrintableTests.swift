import Base
import Testing

@Suite("Texts on a terminal and in a shell")
struct PrintableTests {
    /// A colour, a title, an eight-bit control, a direction, a line end and a tab.
    private static let hostile = "a\u{1B}[31m\u{7}\u{9B}b\u{202E}c\nd\te"

    @Test func charactersThatActAreShown() {
        #expect(Self.hostile.printable == #"a\u{1b}[31m\u{7}\u{9b}b\u{202e}c\u{a}d\u{9}e"#)
        #expect(Self.hostile.printableLines == #"a\u{1b}[31m\u{7}\u{9b}b\u{202e}c"# + "\nd\te")
        #expect("Zoë 김".printable == "Zoë 김" && "Zoë\n김".printableLines == "Zoë\n김")
    }

    @Test func jsonKeepsItsMeaning() {
        #expect("\"a\u{9B}\u{202E}\"\n".printableJSON == #""a\u009b\u202e""# + "\n")
    }

    @Test(arguments: [
        ("E-Mail", "E-Mail"), ("Zoë", "Zoë"), ("First name", "'First name'"), ("$(touch x)", "'$(touch x)'"),
        ("`x`", "'`x`'"), ("it's", #"'it'\''s'"#), ("a\"b", "'a\"b'"), ("", "''"), ("a\\b", #"'a\b'"#), ("~", "'~'"),
        ("a\u{1B}b", #"'a\u{1b}b'"#), ("a,b;c", "'a,b;c'"),
    ])
    func aWordOfACommandIsQuotedWhereItMustBe(_ text: String, _ word: String) { #expect(text.shellWord == word) }

    @Test func aValueThatLooksLikeAnOptionIsBehindAnEqualsSign() {
        #expect("--publish".shellValue(of: "--key") == "--key=--publish")
        #expect("-$(x)".shellValue(of: "--key") == "--key='-$(x)'")
        #expect("E-Mail".shellValue(of: "--key") == "--key E-Mail")
    }
}
