import People
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// The order in which the strategies of a search apply, for a directory of a million users.
@Suite("Strategies of a search")
struct SearchStrategyTests {
    private let limits = SearchLimits()

    /// A search whose `candidates` are known, and all match.
    private func search(by key: Sort.Key = .name, candidates count: Int) -> SearchProgress {
        var search = SearchProgress(key: key, limit: 30, total: 1_000_000)
        search.candidates = SearchProgress.CandidateProgress(count: count)
        return search
    }

    private func plan(_ search: SearchProgress) -> SearchStrategy { SearchEngine.plan(search, limits) }

    @Test func sortedMatchesAreUsedFirst() {
        var search = search(candidates: 100)
        search.hasSortedMatches = true
        #expect(plan(search) == .cutPage)
        search.candidates = nil
        #expect(plan(search) == .cutPage)
    }

    @Test func postingListsAreIntersectedWhenNoCandidatesAreKnown() {
        #expect(plan(SearchProgress(key: .id, limit: 30, total: 1_000_000)) == .intersectPostingLists)
    }

    @Test(arguments: [
        (512, true, SearchStrategy.verifyByOffset), (512, false, .verifyByText), (511, true, .verifyByText),
        (0, false, .verifyByText),
    ])
    func candidatesAreVerifiedAsCheaplyAsPossible(
        unproven: Int, canUseOffsets: Bool, strategy: SearchStrategy
    ) {
        var search = search(candidates: 20_000)
        search.candidates?.verification = .pending(unproven: unproven, canUseOffsets: canUseOffsets)
        #expect(plan(search) == strategy)
    }

    @Test(arguments: Sort.Key.common)
    func matchesThatAreNotCountedAreScanned(key: Sort.Key) {
        #expect(plan(search(by: key, candidates: 10_001)) == .scan(maxBlocks: .max))
        var few = search(by: key, candidates: 9000)
        few.candidates?.verification = .tooMany
        #expect(plan(few) == .scan(maxBlocks: .max))
    }

    @Test func matchesAreInTheOrderByIDAlready() {
        #expect(plan(search(by: .id, candidates: 10_000)) == .sortByID)
    }

    @Test func matchesThatBeginWithTheWordAreGroupedInTheOrderByLogin() {
        #expect(plan(search(by: .login, candidates: 64)) == .groupByPrefix)
        #expect(plan(search(by: .name, candidates: 64)) == .sortByKey, "collation keys are not texts")
        #expect(plan(search(by: .login, candidates: 63)) == .sortByKey)
        #expect(plan(search(by: .reputation, candidates: 64)) == .sortByKey)
        var words = search(by: .login, candidates: 64)
        words.isOneWord = false
        #expect(plan(words) == .sortByKey)
        var grouped = search(by: .login, candidates: 64)
        grouped.ungrouped = 64
        #expect(plan(grouped) == .sortByKey)
    }

    @Test func frequentMatchesAreScannedFromAKnownStart() {
        var search = search(by: .reputation, candidates: 4000)
        #expect(plan(search) == .scan(maxBlocks: .max))
        search.isStartKnown = false
        #expect(plan(search) == .sortByScan)
    }

    /// 3,999 matches among 5,200 blocks: a page of 30 is expected after 40 blocks, and 666 cost as much as sorting.
    @Test func otherMatchesAreScannedAsLongAsSortingWouldTake() {
        var search = search(by: .reputation, candidates: 3999)
        #expect(plan(search) == .scan(maxBlocks: 666))
        search.hasScanned = true
        #expect(plan(search) == .sortByKey)
        search.hasScanned = false
        search.isStartKnown = false
        #expect(plan(search) == .sortByKey)
        #expect(plan(self.search(by: .reputation, candidates: 1000)) == .sortByKey)
    }

    @Test func theGroupNeedsNoSorting() {
        var search = search(by: .name, candidates: 9000)
        search.isStartKnown = false
        search.ungrouped = 3999
        #expect(plan(search) == .sortByKey)
        search.ungrouped = 4000
        #expect(plan(search) == .sortByScan)
    }

    @Test(arguments: [
        (511, true, SearchStrategy.sortByRelevance), (512, true, .walkByRelevance), (512, false, .sortByRelevance),
        (10_000, false, .sortByRelevance), (10_001, false, .walkByRelevance), (10_001, true, .walkByRelevance),
    ])
    func matchesAreSortedByRelevanceOnlyWhereAWalkWouldNotKnowThePosition(
        count: Int, isStartKnown: Bool, strategy: SearchStrategy
    ) {
        var search = search(by: .relevance(then: Sort(.name)), candidates: count)
        search.isStartKnown = isStartKnown
        #expect(plan(search) == strategy)
        search.candidates?.verification = .tooMany
        #expect(plan(search) == .walkByRelevance)
    }
}
