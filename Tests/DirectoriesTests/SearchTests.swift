import Directories
import Testing

@Suite("Search words")
struct SearchTests {
    @Test(arguments: ["", " ", "\t\n\u{3000}\u{a0}"])
    func nothingIsNoSearch(_ text: String) { #expect(Search(text) == nil) }

    @Test func wordsAreFoldedAndOnce() {
        #expect(Search(" Ada  LOVELACE\u{3000}ada ")?.words == ["ada", "lovelace"])
    }

    /// With a space before it, an accent is no letter, and the two are one `Character`.
    @Test func anAccentOnASpaceIsAWord() {
        #expect(Search("a \u{307} b")?.words == ["a", "\u{307}", "b"])
    }

    @Test func operatorsAreWords() {
        #expect(Search("a OR \"b\" -c*")?.words == ["a", "or", "\"b\"", "-c*"])
    }
}
