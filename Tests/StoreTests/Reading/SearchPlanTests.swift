import NGramIndex
import People
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("SearchPlan")
struct SearchPlanTests {
    private func plan(_ text: String) throws -> SearchPlan { SearchPlan(try #require(Search(text))) }

    private func ngram(_ text: String) -> NGram { NGram(Array(text.unicodeScalars)) }

    @Test func wordsContainedInOthersAreOmitted() throws {
        let plan = try plan("na anna a ann b")
        #expect(Set(plan.ngrams) == Set(["ann", "nna", "b"].map { [ngram($0)] }))
        #expect(plan.undecidedWords.map(\.text) == ["anna"])
    }

    @Test(arguments: [("anna na", "hanna", true), ("an na", "nan", true), ("anna ko", "anna", false)])
    func aPlanMatchesLikeAllItsWords(_ text: String, _ name: String, _ matches: Bool) throws {
        let plan = try plan(text)
        Array(name.utf8).withUnsafeBytes { #expect(plan.hasAllWords(SearchedText($0)) == matches) }
    }

    @Test func aLongWordIsAPhraseOfNGramsThatCoverIt() throws {
        let plan = try plan("collective labs ann")
        #expect(
            plan.phrases.map { $0.parts.map(\.ngram) }
                == [["col", "lec", "tiv", "ive"], ["lab", "abs"]].map { $0.map(ngram) })
        #expect(plan.phrases.map { $0.parts.map(\.distance) } == [[0, 3, 6, 7], [0, 1]])
        #expect(try self.plan("abcdefghijklmnopqrstuvwxyz").phrases.isEmpty, "not all of its n-grams are used")
    }

    @Test func aShortWordWithAPartialSyllableIsOneOfManyNGrams() throws {
        for (word, beginning) in [("미", ""), ("김미", "김"), ("김민수", "김민")] {
            let plan = try plan(word)
            let choice = (word.unicodeScalars.last!.value..<(word.unicodeScalars.last!.value + 28)).map {
                ngram(beginning + String(Unicode.Scalar($0)!))
            }
            #expect(plan.ngrams == [choice], "\(word)")
            #expect(plan.undecidedWords.isEmpty, "\(word)")
        }
        #expect(try plan("김민준").ngrams == [[ngram("김민준")]])
    }

    @Test func otherPartialSyllablesAreLeftToTheTexts() throws {
        let plan = try plan("남궁민수 김ㅁ")
        #expect(plan.ngrams == [[ngram("남궁민")], [ngram("김")]])
        #expect(plan.undecidedWords.map(\.text) == ["남궁민수", "김ㅁ"])
        #expect(plan.phrases.isEmpty, "phrases would prove a match without the last syllable")
    }

    @Test func aWordOfInitialsIsOneOfTheTextsOwn() throws {
        let plan = try plan("ㄱㅁㅅ")
        #expect(plan.ngrams == [[ngram("\u{1100}\u{1106}\u{1109}")]])
        #expect(plan.undecidedWords.isEmpty)
    }

    @Test func aLongPostingListIsReadIfItSavesReadingManyTexts() throws {
        let plan = try plan("김민 a")
        let reads = { (count: Int, text: String) in
            plan.prefersTexts(of: count, to: [ngram(text)], SearchLimits(few: 10))
        }
        #expect(reads(159, "a") && !reads(160, "a"))
        #expect(reads(9, "ann") && !reads(10, "ann"))
    }
}
