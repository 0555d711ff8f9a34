import Indexes
import People

/// Finds the matches of searches in the n-gram index, and makes pages of them.
///
/// Up to ten thousand matches are counted, which gives the total and exact positions. More are found one page at a time
/// by scanning the order. ``SearchState/nextStep(_:)`` chooses each step.
final class SearchEngine {
    let connection: any StoreConnection
    let orders: OrderReader
    let rows: UserRowReader
    let texts: TextReader
    let filters: FilterReader
    var cache = SearchCache()
    var limits = SearchLimits()
    private let state: SharedState

    init(_ connection: any StoreConnection, _ orders: OrderReader, _ rows: UserRowReader, _ state: SharedState) {
        self.connection = connection
        self.orders = orders
        self.state = state
        self.rows = rows
        texts = TextReader(connection)
        filters = FilterReader(connection, orders, state)
    }

    /// Returns the page of `directory` that `query`, which asks for `search`, shows.
    func page(_ query: UserQuery, search: Search, in directory: ShownDirectory) throws -> Page {
        var work = try begin(query, search, in: directory)
        state.noteSearch(isKnown: work.sortedMatches != nil || work.candidates.verification != .unknown)
        while true {
            let strategy = work.nextStep(limits)
            if let page = try apply(strategy, to: &work) { return page }
        }
    }

    /// Returns all matches in the ascending order of `query`, or `nil` if there are more than are counted.
    func sortedMatches(_ query: UserQuery, search: Search, in directory: ShownDirectory) throws -> [Int64]? {
        var work = try begin(query, search, in: directory)
        // Only a page would be made by a scan.
        work.hasScanned = true
        while true {
            if let sorted = work.sortedMatches { return sorted.ids }
            let strategy = work.nextStep(limits)
            if case .scan = strategy { return nil }
            _ = try apply(strategy, to: &work)
        }
    }

    /// Returns a search with what is known of it from earlier pages.
    func begin(_ query: UserQuery, _ search: Search, in directory: ShownDirectory) throws -> SearchState {
        let order = try IndexedOrder(query.sort, directory.settings)
        var work = SearchState(
            query: query, search: search, directory: directory, order: order, seek: try SeekKey(query.start, order),
            seekPosition: knownPosition(query, directory))
        work.sortedMatches = cache[search, work.matchOrder, directory.generation]
        if let candidates = cache[search, directory.generation].candidates { work.take(candidates) }
        return work
    }

    /// Takes one step. Returns the page if it is complete.
    func apply(_ strategy: SearchStrategy, to work: inout SearchState) throws -> Page? {
        switch strategy {
        case .cutPage: return try work.sortedMatches.map { try cutPage($0, work) }
        case .intersectPostingLists: work.take(try findCandidates(work))
        case .verifyByOffset: try verifyByOffset(&work)
        case .verifyByText: try verifyByText(&work)
        case .groupByPrefix: try groupByPrefix(&work)
        case .walkByRelevance: return try walkPage(work)
        case .sortByRelevance: keep(sorted: try sortByRelevance(&work), &work)
        case .scan(let maxBlocks):
            if let page = try scanPage(work, maxBlocks: maxBlocks) { return page }
            work.hasScanned = true
        case .sortByID: keep(sorted: SortedMatches(work.candidates.ids.all), &work)
        case .sortByScan: keep(sorted: SortedMatches(try sortByScan(work)), &work)
        case .sortByKey: keep(sorted: SortedMatches(try sortByKey(work)), &work)
        }
        return nil
    }

    private func keep(sorted matches: SortedMatches, _ work: inout SearchState) {
        work.sortedMatches = matches
        cache[work.search, work.matchOrder, work.directory.generation] = matches
    }
}
