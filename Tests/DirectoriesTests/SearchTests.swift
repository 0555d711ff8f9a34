import Directories
import Testing

@Suite("Search words")
struct SearchTests {
    @Test(arguments: ["", " ", "\t\n\u{3000}\u{a0}"])
    func nothingIsNoSearch(_ text: String) { #expect(Search(text) == nil) }

    @Test func wordsAreFoldedAndOnce() {
        #expect(Search(" Ada  LOVELACE\u{3000}ada ")?.words == ["ada", "lovelace"])
    }

    @Test func operatorsAreWords() {
        #expect(Search("a OR \"b\" -c*")?.words == ["a", "or", "\"b\"", "-c*"])
    }
}
