import Directories
import NGramIndex
import Testing

@testable import StoreSQLite

@Suite("SearchPlan")
struct SearchPlanTests {
    private func plan(_ text: String) throws -> SearchPlan { SearchPlan(try #require(Search(text))) }

    private func ngram(_ text: String) -> NGram { NGram(Array(text.unicodeScalars)) }

    @Test func wordsContainedInOthersAreOmitted() throws {
        let plan = try plan("na anna a ann b")
        #expect(Set(plan.ngrams) == Set(["ann", "nna", "b"].map(ngram)))
        #expect(plan.longWords == [Array("anna".utf8)])
    }

    @Test(arguments: [("anna na", "hanna", true), ("an na", "nan", true), ("anna ko", "anna", false)])
    func aPlanMatchesLikeAllItsWords(_ text: String, _ name: String, _ matches: Bool) throws {
        let plan = try plan(text)
        Array(name.utf8).withUnsafeBytes { #expect(plan.hasAllWords($0) == matches) }
    }

    @Test func aLongWordIsAPhraseOfNGramsThatCoverIt() throws {
        let plan = try plan("collective labs ann")
        #expect(
            plan.phrases.map { $0.parts.map(\.ngram) }
                == [["col", "lec", "tiv", "ive"], ["lab", "abs"]].map { $0.map(ngram) })
        #expect(plan.phrases.map { $0.parts.map(\.distance) } == [[0, 3, 6, 7], [0, 1]])
        #expect(try self.plan("abcdefghijklmnopqrstuvwxyz").phrases.isEmpty, "not all of its n-grams are used")
    }

    @Test func aLongPostingListIsReadIfItSavesReadingManyTexts() throws {
        let plan = try plan("김민 a")
        let reads = { (count: Int, text: String) in
            plan.prefersTexts(of: count, to: ngram(text), SearchLimits(few: 10))
        }
        #expect(reads(159, "a") && !reads(160, "a"))
        #expect(reads(9, "ann") && !reads(10, "ann"))
    }
}
