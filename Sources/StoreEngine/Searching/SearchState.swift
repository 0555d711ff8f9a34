import NGramIndex
import People
import SortIndex

/// A search on its way to a page: the question, and what is known so far. ``nextStep(_:)`` reads it.
struct SearchState {
    let query: UserQuery
    let search: Search
    let directory: Directory
    /// The sort index of the query's order.
    let order: IndexedOrder
    /// The key that the page starts from, or `nil` for an end of the order and for a page by number.
    let seek: SeekKey?
    /// The position of the user that the page starts from, counted from 1, if a page next to it was read lately.
    let seekPosition: Int?
    /// All matches, sorted.
    var sortedMatches: SortedMatches?
    /// All users who may match; nobody as long as ``hasCandidates`` is `false`.
    private(set) var candidates = Candidates.none
    private(set) var hasCandidates = false
    /// By rank, which candidates the offsets of n-grams prove to match; `nil` as long as these were not compared.
    var isProven: [Bool]?
    /// The matches whose key begins with the word, in ascending order, and all other matches.
    var group: (ids: [Int64], others: IDSet)?
    /// Whether a scan has given up.
    var hasScanned = false

    /// Sets the candidates, or the same after more of them are known to match.
    mutating func take(_ candidates: Candidates) {
        (self.candidates, hasCandidates, isProven) = (candidates, true, nil)
    }

    var key: Sort.Key { query.sort.key }
    /// Whether the page's users are read from the end of the index on.
    var isDescending: Bool { query.sort.isReadBackwards }
    /// Whether the page is the first or the last one, or next to a page whose position is known.
    var isStartKnown: Bool { query.start.isAtEnd || seekPosition != nil }

    /// The order of ``sortedMatches``.
    var matchOrder: MatchOrder {
        if case .relevance(let base) = query.sort.key { return .relevance(order, isDescending: base.isReadBackwards) }
        return .index(order)
    }

    /// The number of matches, if they are counted. The matches of filters alone are always counted: the index knows as
    /// much about these as about a whole directory.
    func total(_ limits: SearchLimits) -> Int? {
        let count = candidates.ids.count
        guard hasCandidates, candidates.verification == .done else { return nil }
        return count <= limits.counted || search.words.isEmpty ? count : nil
    }
}

/// The order of a sorted list of matches.
enum MatchOrder: Hashable {
    /// The ascending order of a sort index.
    case index(IndexedOrder)
    /// The order by relevance, best first; those of one relevance in the order of a sort index, or its reverse.
    case relevance(IndexedOrder, isDescending: Bool)
}

/// All matches of a search, sorted.
struct SortedMatches {
    let ids: [Int64]
    /// In the order by relevance, the number of matches up to each of ``SearchMatch/all``; else empty.
    let ends: [Int]

    init(_ ids: [Int64], ends: [Int] = []) {
        self.ids = ids
        self.ends = ends
    }

    /// The relevance of a match, by its index.
    func relevance(at index: Int) -> SearchMatch {
        SearchMatch.all[ends.firstIndex { index < $0 } ?? SearchMatch.all.count - 1]
    }

    /// The indexes of the matches of one relevance.
    func range(of relevance: SearchMatch) -> Range<Int> {
        let rank = relevance.rank
        return (rank == 0 ? 0 : ends[rank - 1])..<ends[rank]
    }
}
