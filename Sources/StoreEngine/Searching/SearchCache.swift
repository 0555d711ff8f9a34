import Indexes
import People

/// The order of a sorted list of matches.
struct MatchOrder: Hashable {
    /// The sort index whose ascending order it is.
    var index: IndexedOrder
    /// Whether the best matches come first, and those of one relevance in the order of the index, or its reverse.
    var isByRelevance = false, isDescending = false
}

/// A user that a search finds.
struct Match {
    let id: Int64
    /// How well the user matches; in other orders than that by relevance, not known.
    var relevance = SearchMatch(.elsewhere, isExact: false)
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

    func match(at index: Int) -> Match {
        Match(id: ids[index], relevance: SearchMatch.all[ends.firstIndex { index < $0 } ?? SearchMatch.all.count - 1])
    }

    /// The indexes of the matches of one relevance.
    func range(of relevance: SearchMatch) -> Range<Int> {
        let rank = relevance.rank
        return (rank == 0 ? 0 : ends[rank - 1])..<ends[rank]
    }
}

/// The results of a reader's last searches: pages of one search follow each other, and finding all matches is most of
/// the work.
struct SearchCache {
    /// Each takes at most 80 KB.
    private static let maxEntries = 4
    /// No two directories share a generation.
    private var entries: [(search: Search, order: MatchOrder, generation: Int64, matches: SortedMatches)] = []

    /// The result of a search, whatever the order, and the same by how well they match. In a directory of a million
    /// users, the candidates take some hundred kilobytes, and each of up to six sets by relevance at most 122 KiB.
    typealias Found = (candidates: Candidates?, relevance: RelevanceCandidates?)

    private var last: (search: Search, generation: Int64, found: Found)?

    /// The first or last user of a page that was read. The page before or after it is requested with the user's cursor.
    struct Edge: Equatable {
        var generation: Int64
        var cursor: Cursor
        var sort: Sort
        var search: Search
    }

    private static let maxPositions = 32
    private var positions: [(edge: Edge, position: Int)] = []

    /// The sorted matches of a search.
    subscript(search: Search, order: MatchOrder, generation: Int64) -> SortedMatches? {
        get { entries.first { $0.generation == generation && $0.search == search && $0.order == order }?.matches }
        set {
            guard let newValue else { return }
            if entries.count == Self.maxEntries { entries.removeFirst() }
            entries.append((search, order, generation, newValue))
        }
    }

    /// Returns the position of a user among the matches, counted from 1.
    func position(of edge: Edge) -> Int? { positions.first { $0.edge == edge }?.position }

    mutating func note(_ position: Int, of edge: Edge) {
        if self.position(of: edge) != nil { return }
        if positions.count == Self.maxPositions { positions.removeFirst() }
        positions.append((edge, position))
    }

    /// What was found of a search. That of one search is kept.
    subscript(search: Search, generation: Int64) -> Found {
        get {
            guard let last, last.generation == generation, last.search == search else { return (nil, nil) }
            return last.found
        }
        set { last = (search, generation, newValue) }
    }
}
