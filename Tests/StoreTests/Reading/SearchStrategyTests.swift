import Indexes
import People
import Publishing
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// The order in which the strategies of a search apply, for a directory of a million users.
@Suite("Strategies of a search")
struct SearchStrategyTests {
    private let limits = SearchLimits()
    private let directory = ShownDirectory(
        StoredDirectory(
            Directory(id: 1, slug: Slug("team")!, title: "Team", source: "file", total: 1_000_000, generation: 1)))

    /// A search that knows nothing yet. Its page of 30 users starts at `start`.
    private func search(_ text: String = "lab", by key: Sort.Key = .name, at start: UserQuery.Start = .first) throws
        -> SearchState
    {
        let search = try #require(Search(text))
        let query = UserQuery(directory: 1, search: search, sort: Sort(key), start: start, limit: 30)
        return SearchState(
            query: query, search: search, directory: directory, order: .name, seek: nil, seekPosition: nil)
    }

    /// A search that has found candidates: with three letters, all of them match.
    private func search(
        _ text: String = "lab", by key: Sort.Key = .name, at start: UserQuery.Start = .first, candidates count: Int,
        isComplete: Bool = true, areTooMany: Bool = false
    ) throws -> SearchState {
        var state = try search(text, by: key, at: start)
        let candidates = Candidates(ids(count), SearchTerms(state.search), isComplete: isComplete)
        state.take(areTooMany ? candidates.tooMany : candidates)
        return state
    }

    private func ids(_ count: Int) -> IDSet { .list(IDList(Array(0..<Int64(count)))) }

    @Test func sortedMatchesAreUsedFirst() throws {
        for var search in [try search(), try search(candidates: 100)] {
            search.sortedMatches = SortedMatches([1])
            #expect(search.nextStep(limits) == .cutPage)
        }
    }

    @Test func postingListsAreIntersectedWhenNoCandidatesAreKnown() throws {
        #expect(try search(by: .id).nextStep(limits) == .intersectPostingLists)
    }

    @Test(arguments: [
        (512, true, SearchStrategy.verifyByOffset), (512, false, .verifyByText), (511, true, .verifyByText),
        (0, false, .verifyByText),
    ])
    func candidatesAreVerifiedAsCheaplyAsPossible(count: Int, isComplete: Bool, strategy: SearchStrategy) throws {
        #expect(try search("labs", candidates: count, isComplete: isComplete).nextStep(limits) == strategy)
    }

    @Test func textsDecideAboutThoseWhomOffsetsDoNotProve() throws {
        var search = try search("labs", candidates: 512)
        search.isProven = [Bool](repeating: false, count: 512)
        #expect(search.nextStep(limits) == .verifyByText)
    }

    @Test(arguments: Sort.Key.common)
    func matchesThatAreNotCountedAreScanned(key: Sort.Key) throws {
        #expect(try search(by: key, candidates: 10_001).nextStep(limits) == .scan(maxBlocks: .max))
        #expect(try search(by: key, candidates: 9000, areTooMany: true).nextStep(limits) == .scan(maxBlocks: .max))
    }

    @Test func matchesAreInTheOrderByIDAlready() throws {
        #expect(try search(by: .id, candidates: 10_000).nextStep(limits) == .sortByID)
    }

    @Test func matchesThatBeginWithTheWordAreGroupedInTheOrderByLogin() throws {
        #expect(try search(by: .login, candidates: 64).nextStep(limits) == .groupByPrefix)
        #expect(try search(by: .name, candidates: 64).nextStep(limits) == .sortByKey, "collation keys are not texts")
        #expect(try search(by: .login, candidates: 63).nextStep(limits) == .sortByKey)
        #expect(try search("lab ind", by: .login, candidates: 64).nextStep(limits) == .sortByKey, "two words")
        var grouped = try search(by: .login, candidates: 64)
        grouped.group = ([], ids(64))
        #expect(grouped.nextStep(limits) == .sortByKey)
    }

    @Test func frequentMatchesAreScannedFromAKnownStart() throws {
        #expect(try search(by: .name, candidates: 4000).nextStep(limits) == .scan(maxBlocks: .max))
        #expect(try search(by: .name, at: .at(100), candidates: 4000).nextStep(limits) == .sortByScan)
    }

    /// 3,999 matches among 5,200 blocks: a page of 30 is expected after 40 blocks, and 666 cost as much as sorting.
    @Test func otherMatchesAreScannedAsLongAsSortingWouldTake() throws {
        var search = try search(by: .name, candidates: 3999)
        #expect(search.nextStep(limits) == .scan(maxBlocks: 666))
        search.hasScanned = true
        #expect(search.nextStep(limits) == .sortByKey)
        #expect(try self.search(by: .name, at: .at(100), candidates: 3999).nextStep(limits) == .sortByKey)
        #expect(try self.search(by: .name, candidates: 1000).nextStep(limits) == .sortByKey)
    }

    @Test func theGroupNeedsNoSorting() throws {
        var search = try search(by: .name, at: .at(100), candidates: 9000)
        search.group = ([], ids(3999))
        #expect(search.nextStep(limits) == .sortByKey)
        search.group = ([], ids(4000))
        #expect(search.nextStep(limits) == .sortByScan)
    }

    @Test(arguments: [
        (511, UserQuery.Start.first, SearchStrategy.sortByRelevance), (512, .first, .walkByRelevance),
        (512, .at(100), .sortByRelevance), (10_000, .at(100), .sortByRelevance), (10_001, .at(100), .walkByRelevance),
        (10_001, .first, .walkByRelevance),
    ])
    func matchesAreSortedByRelevanceOnlyWhereAWalkWouldNotKnowThePosition(
        count: Int, start: UserQuery.Start, strategy: SearchStrategy
    ) throws {
        let key = Sort.Key.relevance(then: Sort(.name))
        #expect(try search(by: key, at: start, candidates: count).nextStep(limits) == strategy)
        let tooMany = try search(by: key, at: start, candidates: count, areTooMany: true)
        #expect(tooMany.nextStep(limits) == .walkByRelevance)
    }
}
