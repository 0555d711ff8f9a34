import Directories
import Testing

@testable import StoreSQLite

@Suite("Plans of searches")
struct SearchPlanTests {
    private func plan(_ text: String) throws -> SearchPlan { SearchPlan(try #require(Search(text))) }

    private func gram(_ text: String) -> Gram { Gram(Array(text.unicodeScalars)) }

    @Test func wordsThatStandInAnotherOneAreNotAskedFor() throws {
        let plan = try plan("na anna a ann b")
        #expect(Set(plan.grams) == Set(["ann", "nna", "b"].map(gram)))
        #expect(plan.unproven == [Array("anna".utf8)])
    }

    @Test(arguments: [("anna na", "hanna", true), ("an na", "nan", true), ("anna ko", "anna", false)])
    func theyMatchAsAllWordsDo(_ text: String, _ name: String, _ matches: Bool) throws {
        let plan = try plan(text)
        Array(name.utf8).withUnsafeBytes { #expect(plan.matches($0) == matches) }
    }

    @Test func aListOfManyUsersIsReadWhereItSparesManyTexts() throws {
        let plan = try plan("김민 a")
        let reads = { (count: Int, text: String) in
            plan.readsTexts(of: count, ratherThan: gram(text), SearchLimits(few: 10))
        }
        #expect(reads(159, "a") && !reads(160, "a"))
        #expect(reads(9, "ann") && !reads(10, "ann"))
    }
}
