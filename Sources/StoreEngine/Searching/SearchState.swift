import NGramIndex
import People
import SortIndex

/// A search on its way to a page: the question, and what is known so far. ``nextStep(_:)`` reads it.
struct SearchState {
    let query: UserQuery
    let search: Search
    let directory: ShownDirectory
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

/// The results of a reader's last searches: pages of one search follow each other, and finding all matches is most of
/// the work.
struct SearchCache {
    private struct Entry {
        var search: Search
        var order: MatchOrder
        /// No two directories share a generation.
        var generation: Int64
        var matches: SortedMatches
    }

    /// Each takes at most 80 KB.
    private static let maxEntries = 4
    private var entries: [Entry] = []
    /// The candidates of one search: in a directory of a million users some hundred kilobytes.
    private var candidates: (search: Search, generation: Int64, Candidates)?

    /// The first or last user of a page that was read. The page before or after it is requested with the user's cursor.
    struct Edge: Hashable {
        var search: Search
        var sort: Sort
        var generation: Int64
        var cursor: Cursor
    }

    /// The same by how well they match. In a directory of a million users each of up to six sets has at most 122 KiB.
    private var relevance: (search: Search, generation: Int64, RelevanceCandidates)?

    private static let maxEdges = 32
    private var edges: [Edge] = []
    private var positions: [Edge: Int] = [:]

    /// The sorted matches of a search.
    subscript(search: Search, order: MatchOrder, generation: Int64) -> SortedMatches? {
        get { entries.first { $0.generation == generation && $0.search == search && $0.order == order }?.matches }
        set {
            guard let newValue else { return }
            if entries.count == Self.maxEntries { entries.removeFirst() }
            entries.append(Entry(search: search, order: order, generation: generation, matches: newValue))
        }
    }

    /// Returns the position of a user among the matches, counted from 1.
    func position(of edge: Edge) -> Int? { positions[edge] }

    mutating func note(_ position: Int, of edge: Edge) {
        guard positions.updateValue(position, forKey: edge) == nil else { return }
        edges.append(edge)
        if edges.count > Self.maxEdges { positions[edges.removeFirst()] = nil }
    }

    /// The candidates of a search, which are the same in all orders.
    subscript(candidates search: Search, generation: Int64) -> Candidates? {
        get {
            guard let candidates, candidates.generation == generation, candidates.search == search else { return nil }
            return candidates.2
        }
        set { candidates = newValue.map { (search, generation, $0) } }
    }

    subscript(relevance search: Search, generation: Int64) -> RelevanceCandidates? {
        get {
            guard let relevance, relevance.generation == generation, relevance.search == search else { return nil }
            return relevance.2
        }
        set { relevance = newValue.map { (search, generation, $0) } }
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
    var maxTextsReadFirst = 64
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
    var maxTextsVerified = 20_000, verifiedShare = 10
    /// The most texts that are read to find out who belongs to a tier of the order by relevance. If more were needed,
    /// the index decides alone.
    var tierTexts = 1_024

    /// The greatest number of matches that are compared with the accents of the words.
    var maxAccentsCompared: Int { min(accented, counted) }

    /// The greatest number of texts that are read to find the matches in a directory of `total` users.
    func maxTextsVerified(of total: Int) -> Int { max(maxTextsVerified, total / verifiedShare) }
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
            if case .relevance = key, isProven == nil, count < limits.sortedByRelevance,
                count <= limits.maxAccentsCompared
            {
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
        if group == nil, key == .login, candidates.terms.soleWord != nil, count >= limits.maxTextsReadFirst {
            return .groupByPrefix
        }

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
