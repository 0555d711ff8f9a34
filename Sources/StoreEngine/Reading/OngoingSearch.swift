import NGramIndex
import People
import SortIndex

/// A search while its page is made: the question, and what is known so far.
struct OngoingSearch {
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
    /// The candidates, as far as they are verified; `nil` as long as none are known.
    var verification: CandidateVerification?
    /// The matches whose key begins with the word, in ascending order, and all other matches.
    var group: (ids: [Int64], others: IDSet)?
    /// Whether a scan has given up.
    var hasScanned = false

    var key: Sort.Key { query.sort.key }
    /// Whether the page's users are read from the end of the index on.
    var isDescending: Bool { query.sort.isReadBackwards }

    /// The order of ``sortedMatches``.
    var matchOrder: MatchOrder {
        if case .relevance(let base) = query.sort.key { return .relevance(order, isDescending: base.isReadBackwards) }
        return .index(order)
    }

    /// The candidates; none as long as none are known.
    var candidates: Candidates { verification?.candidates ?? Candidates.none }

    /// The number of matches, if they are counted. The matches of facets alone are always counted: the index knows as
    /// much about these as about a whole directory.
    func total(_ limits: SearchLimits) -> Int? {
        let count = candidates.ids.count
        guard candidates.verification == .done else { return nil }
        return count <= limits.counted || search.words.isEmpty ? count : nil
    }

    /// The numbers that decide about the next step.
    var progress: SearchProgress {
        var progress = SearchProgress(key: key, limit: query.limit, total: directory.total)
        progress.isStartKnown = query.start.isAtEnd || seekPosition != nil
        progress.isOneWord = candidates.plan.soleWord != nil
        progress.candidates = verification?.progress
        progress.ungrouped = group?.others.count
        progress.hasScanned = hasScanned
        progress.hasSortedMatches = sortedMatches != nil
        return progress
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

/// Candidates, and which of them are proven to match.
struct CandidateVerification {
    var candidates: Candidates
    /// By rank; `nil` as long as none are proven.
    var isProven: [Bool]?
    var hasMatchedOffsets = false

    init(_ candidates: Candidates) {
        self.candidates = candidates
    }

    var progress: SearchProgress.CandidateProgress {
        let count = candidates.ids.count
        let plan = candidates.plan
        let verification: SearchProgress.Verification =
            switch candidates.verification {
            case .done: .done
            case .tooMany: .tooMany
            case .pending:
                .pending(
                    unproven: isProven.map { $0.count { !$0 } } ?? count,
                    canUseOffsets: !hasMatchedOffsets && candidates.isComplete && !plan.phrases.isEmpty)
            }
        return SearchProgress.CandidateProgress(count: count, verification: verification)
    }
}
