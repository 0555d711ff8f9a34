import NGramIndex
import People
import SortIndex

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
    func page(_ query: UserQuery, search: Search, in directory: Directory) throws -> Page {
        let order = try IndexedOrder(query.sort, directory.settings)
        var work = SearchState(
            query: query, search: search, directory: directory, order: order, seek: try SeekKey(query.start, order),
            seekPosition: knownPosition(query, directory))
        work.sortedMatches = cache[search, work.matchOrder, directory.generation]
        let candidates = cache[candidates: search, directory.generation]
        state.noteSearch(isKnown: work.sortedMatches != nil || candidates != nil)
        if let candidates { work.take(candidates) }
        while true {
            let strategy = work.nextStep(limits)
            if let page = try apply(strategy, to: &work) { return page }
        }
    }

    /// Returns all matches in the ascending order of `query`, or `nil` if there are more than are counted.
    func sortedMatches(_ query: UserQuery, search: Search, in directory: Directory) throws -> [Int64]? {
        let order = try IndexedOrder(query.sort, directory.settings)
        var work = SearchState(
            query: query, search: search, directory: directory, order: order, seek: nil, seekPosition: nil)
        work.sortedMatches = cache[search, work.matchOrder, directory.generation]
        if let candidates = cache[candidates: search, directory.generation] { work.take(candidates) }
        // Only a page would be made by a scan.
        work.hasScanned = true
        while true {
            if let sorted = work.sortedMatches { return sorted.ids }
            let strategy = work.nextStep(limits)
            if case .scan = strategy { return nil }
            _ = try apply(strategy, to: &work)
        }
    }

    /// Takes one step. Returns the page if it is complete.
    func apply(_ strategy: SearchStrategy, to work: inout SearchState) throws -> Page? {
        switch strategy {
        case .cutPage: return try cutPage(work)
        case .intersectPostingLists: work.take(try findCandidates(work))
        case .verifyByOffset: try verifyByOffset(&work)
        case .verifyByText: try verifyByText(&work)
        case .groupByPrefix: try groupByPrefix(&work)
        case .walkByRelevance: return try walkPage(work)
        case .sortByRelevance: keep(sorted: try sortByRelevance(&work), &work)
        case .scan(let maxBlocks):
            if let page = try scanPage(work, maxBlocks: maxBlocks) { return page }
            work.hasScanned = true
        case .sortByID: keep(sorted: work.candidates.ids.all, &work)
        case .sortByScan: keep(sorted: try sortByScan(work), &work)
        case .sortByKey: keep(sorted: try sortByKey(work), &work)
        }
        return nil
    }

    private func keep(sorted ids: [Int64], _ work: inout SearchState) {
        keep(sorted: SortedMatches(ids), &work)
    }

    private func keep(sorted matches: SortedMatches, _ work: inout SearchState) {
        work.sortedMatches = matches
        cache[work.search, work.matchOrder, work.directory.generation] = matches
    }
}

/// The next step towards a page of a search, as ``SearchState/nextStep(_:)`` chooses it.
enum SearchStrategy: Equatable {
    /// Cuts the page out of the sorted list of all matches.
    case cutPage
    /// Intersects the posting lists of the search's n-grams. The results are the candidates: all matches, and maybe
    /// others.
    case intersectPostingLists
    /// Proves candidates to match by the offsets of their n-grams.
    case verifyByOffset
    /// Decides about the remaining candidates by reading their texts, until more match than are counted.
    case verifyByText
    /// Scans the order from the page's start and picks the matches, until the page is full. Gives up after `maxBlocks`
    /// blocks.
    case scan(maxBlocks: Int)
    /// Walks through the matches in the order of relevance from the page's start, until the page is full.
    case walkByRelevance
    /// Sorts the matches by relevance: by the texts and keys of all, or, if these are thousands, by a scan. Decides
    /// about few candidates on the way.
    case sortByRelevance
    /// Finds the matches whose login begins with the word. They are adjacent in the order by login, and sorted there.
    case groupByPrefix
    /// Takes the matches in the order of ids, which they are in already.
    case sortByID
    /// Sorts the matches by scanning the whole order and picking them.
    case sortByScan
    /// Sorts the matches by their keys, which are read one by one.
    case sortByKey
}

/// The numbers that decide between strategies. Tests make them small.
struct SearchLimits {
    /// The greatest number of matches that are counted and sorted. A search with more has no total.
    var counted = 10_000
    /// Up to this many matches, those with the accents of the words come first, which takes the text of each.
    var accented = 4_000
    /// If at least one user in this many matches, scanning the order costs less than reading and sorting keys.
    var scanned = 250
    /// Fewer texts than these are read sooner than the posting list of an n-gram that is as frequent as most.
    var few = 64
    /// A scan may take one block for this many keys that would be read to sort.
    var keysPerBlock = 6
    /// Fewer matches than these are sorted by relevance at once, which takes the text and the key of each.
    var sortedByRelevance = 512
    /// For fewer candidates than these, reading texts costs less than matching offsets.
    var matchedByOffset = 512
    /// From this number of users on that a page by relevance walks over, the index proves how well they match.
    var provenFrom = 512
    /// Reading a text costs as much as reading this many ids of a posting list.
    var usersPerText = 512
    /// The greatest number of texts that are read to find out who matches, and at least one of this many users.
    var verified = 20_000, verifiedShare = 10
    /// The most texts that are read to find out who belongs to a tier of the order by relevance. If more were needed,
    /// the index decides alone.
    var tierTexts = 1_024

    /// The greatest number of matches that are compared with the accents of the words.
    var compared: Int { min(accented, counted) }

    /// The greatest number of texts that are read to find the matches in a directory of `total` users.
    func verified(of total: Int) -> Int { max(verified, total / verifiedShare) }
}

extension SearchState {
    /// Returns the next step of the search. This is the only place that knows the order in which strategies apply.
    func nextStep(_ limits: SearchLimits) -> SearchStrategy {
        if sortedMatches != nil { return .cutPage }
        guard hasCandidates else { return .intersectPostingLists }
        let count = candidates.ids.count

        // Candidates are verified as cheaply as possible: most matches begin with what people look for.
        if candidates.verification == .pending {
            // Sorting reads the same texts.
            if case .relevance = key, isProven == nil, count < limits.sortedByRelevance, count <= limits.compared {
                return .sortByRelevance
            }
            let canUseOffsets = isProven == nil && candidates.isComplete && !candidates.terms.phrases.isEmpty
            return canUseOffsets && count >= limits.matchedByOffset ? .verifyByOffset : .verifyByText
        }

        let areCounted = candidates.verification == .done && count <= limits.counted
        if case .relevance = key {
            let areFew = count < limits.sortedByRelevance
            return areCounted && (areFew || !isStartKnown) ? .sortByRelevance : .walkByRelevance
        }
        // Matches that are not counted are not sorted either.
        guard areCounted else { return .scan(maxBlocks: .max) }
        if key == .id { return .sortByID }
        if group == nil, key == .login, candidates.terms.soleWord != nil, count >= limits.few { return .groupByPrefix }

        let ungrouped = group?.others.count ?? count
        let areFrequent = ungrouped >= directory.total / limits.scanned
        if isStartKnown, !hasScanned {
            if areFrequent { return .scan(maxBlocks: .max) }
            // The number of blocks that a scan reads if the matches are spread evenly over the order. They may be far
            // away: all of them may have the same first name. So the scan may cost as much as sorting, and then gives
            // up.
            let blockCount = SortIndexWriter.Limits().newCount
            let expected = (query.limit + 1) * directory.total / max(count, 1) / blockCount
            let affordable = ungrouped / limits.keysPerBlock
            if expected * 2 < affordable { return .scan(maxBlocks: affordable) }
        }
        return areFrequent ? .sortByScan : .sortByKey
    }
}
