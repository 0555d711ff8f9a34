import Indexes
import People

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
    /// All users who may match.
    private(set) var candidates = Candidates.unknown
    /// By rank, which candidates the offsets of n-grams prove to match; `nil` as long as these were not compared.
    var isProven: [Bool]?
    /// The matches whose key begins with the word, in ascending order, and all other matches.
    var group: (ids: [Int64], others: IDSet)?
    /// Whether a scan has given up.
    var hasScanned = false

    /// Sets the candidates, or the same after more of them are known to match.
    mutating func take(_ candidates: Candidates) {
        (self.candidates, isProven) = (candidates, nil)
    }

    var key: Sort.Key { query.sort.key }
    /// Whether the page's users are read from the end of the index on.
    var isDescending: Bool { query.sort.isReadBackwards }
    /// Whether the page's users are taken from the end of ``sortedMatches`` on.
    var isReversed: Bool { if case .relevance = key { query.sort.direction == .descending } else { isDescending } }
    /// Whether the page is the first or the last one, or next to a page whose position is known.
    var isStartKnown: Bool { query.start.isAtEnd || seekPosition != nil }

    /// The order of ``sortedMatches``.
    var matchOrder: MatchOrder {
        guard case .relevance(let base) = query.sort.key else { return MatchOrder(index: order) }
        return MatchOrder(index: order, isByRelevance: true, isDescending: base.isReadBackwards)
    }

    /// The number of matches, if they are counted. The matches of filters alone are always counted: the index knows as
    /// much about these as about a whole directory.
    func total(_ limits: SearchLimits) -> Int? {
        let count = candidates.ids.count
        guard candidates.verification == .done else { return nil }
        return count <= limits.counted || search.words.isEmpty ? count : nil
    }
}

extension SearchState {
    /// Returns the next step of the search. This is the only place that knows the order in which strategies apply.
    func nextStep(_ limits: SearchLimits) -> SearchStrategy {
        if sortedMatches != nil { return .cutPage }
        if candidates.verification == .unknown { return .intersectPostingLists }
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
