import Directories
import Testing

@Suite("Search words")
struct SearchTests {
    @Test(arguments: ["", " ", "\t\n\u{3000}\u{a0}"])
    func emptyTextIsNoSearch(_ text: String) { #expect(Search(text) == nil) }

    @Test func wordsAreFoldedAndUnique() {
        #expect(Search(" Ada  LOVELACE\u{3000}ada ")?.words == ["ada", "lovelace"])
    }

    /// After a space, a combining accent is not part of a letter: the two form one `Character`.
    @Test func aCombiningAccentAloneIsAWord() {
        #expect(Search("a \u{307} b")?.words == ["a", "\u{307}", "b"])
    }

    @Test func searchOperatorsAreOrdinaryWords() {
        #expect(Search("a OR \"b\" -c*")?.words == ["a", "or", "\"b\"", "-c*"])
    }
}
