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
        #expect(plan.readsTexts(of: 1000, ratherThan: gram("a")) && !plan.readsTexts(of: 1100, ratherThan: gram("a")))
        #expect(plan.readsTexts(of: 60, ratherThan: gram("ann")) && !plan.readsTexts(of: 70, ratherThan: gram("ann")))
    }
}
