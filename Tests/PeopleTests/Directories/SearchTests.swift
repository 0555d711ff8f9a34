import People
import Testing

@Suite("Search words")
struct SearchTests {
    @Test(arguments: ["", " ", "\t\n\u{3000}\u{a0}"])
    func emptyTextIsNoSearch(_ text: String) { #expect(Search(text) == nil) }

    @Test func wordsAreLooseAndUnique() {
        #expect(Search(" Ada  LOVELACE\u{3000}ada ")?.words.distinct.map(\.text) == ["ada", "lovelace"])
    }

    /// After a space, a combining accent is not part of a letter: the two form one `Character`.
    @Test func aCombiningAccentAloneIsNoWord() {
        #expect(Search("a \u{307} b")?.words.distinct.map(\.text) == ["a", "b"])
        #expect(Search("\u{307}")?.words.distinct.map(\.text) == ["\u{307}"])
    }

    @Test func searchOperatorsAreOrdinaryWords() {
        #expect(Search("a OR \"b\" -c*")?.words.distinct.map(\.text) == ["a", "or", "\"b\"", "-c*"])
    }
}
