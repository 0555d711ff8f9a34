import Indexes
import People
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("SearchTerms")
struct SearchTermsTests {
    private func terms(_ text: String) throws -> SearchTerms { SearchTerms(try #require(Search(text))) }

    @Test func wordsContainedInOthersAreOmitted() throws {
        let terms = try terms("na anna a ann b")
        #expect(Set(terms.ngrams) == Set(["ann", "nna", "b"].map { [ngram($0)] }))
        #expect(terms.undecidedWords.map(\.text) == ["anna"])
    }

    @Test(arguments: [("anna na", "hanna", true), ("an na", "nan", true), ("anna ko", "anna", false)])
    func termsMatchLikeAllTheirWords(_ text: String, _ name: String, _ matches: Bool) throws {
        let terms = try terms(text)
        Array(name.utf8).withUnsafeBytes { #expect(terms.hasAllWords(SearchedText($0)) == matches) }
    }

    @Test func aLongWordIsAPhraseOfNGramsThatCoverIt() throws {
        let terms = try terms("collective labs ann")
        #expect(
            terms.phrases.map { $0.parts.map(\.ngram) }
                == [["col", "lec", "tiv", "ive"], ["lab", "abs"]].map { $0.map(ngram) })
        #expect(terms.phrases.map { $0.parts.map(\.distance) } == [[0, 3, 6, 7], [0, 1]])
        #expect(try self.terms("abcdefghijklmnopqrstuvwxyz").phrases.isEmpty, "not all of its n-grams are used")
    }

    @Test func aShortWordWithAPartialSyllableIsOneOfManyNGrams() throws {
        for (word, beginning) in [("미", ""), ("김미", "김"), ("김민수", "김민")] {
            let terms = try terms(word)
            let choice = (word.unicodeScalars.last!.value..<(word.unicodeScalars.last!.value + 28)).map {
                ngram(beginning + String(Unicode.Scalar($0)!))
            }
            #expect(terms.ngrams == [choice], "\(word)")
            #expect(terms.undecidedWords.isEmpty, "\(word)")
        }
        #expect(try terms("김민준").ngrams == [[ngram("김민준")]])
    }

    @Test func otherPartialSyllablesAreLeftToTheTexts() throws {
        let terms = try terms("남궁민수 김ㅁ")
        #expect(terms.ngrams == [[ngram("남궁민")], [ngram("김")]])
        #expect(terms.undecidedWords.map(\.text) == ["남궁민수", "김ㅁ"])
        #expect(terms.phrases.isEmpty, "phrases would prove a match without the last syllable")
    }

    @Test func aWordOfInitialsIsOneOfTheTextsOwn() throws {
        let terms = try terms("ㄱㅁㅅ")
        #expect(terms.ngrams == [[ngram("\u{1100}\u{1106}\u{1109}")]])
        #expect(terms.undecidedWords.isEmpty)
    }

    @Test func aLongPostingListIsReadIfItSavesReadingManyTexts() throws {
        let terms = try terms("김민 a")
        let reads = { (count: Int, text: String) in
            terms.prefersTexts(of: count, to: [ngram(text)], SearchLimits(maxTextsReadFirst: 10))
        }
        #expect(reads(159, "a") && !reads(160, "a"))
        #expect(reads(9, "ann") && !reads(10, "ann"))
    }
}
