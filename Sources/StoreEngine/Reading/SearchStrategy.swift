import People
import SortIndex

/// The next step towards a page of a search, as ``SearchEngine/plan(_:_:)`` chooses it.
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
    /// Sorts the matches by relevance, which takes the texts and keys of all.
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

/// All that decides which step comes next: the question, and what is known so far. Numbers only, so that the decision
/// can be tested without a database.
struct SearchProgress: Equatable {
    struct CandidateProgress: Equatable {
        var count: Int
        var verification = Verification.done
    }

    enum Verification: Equatable {
        /// Some candidates are not known to match. `canUseOffsets`: whether the offsets of n-grams can still prove
        /// some.
        case pending(unproven: Int, canUseOffsets: Bool)
        /// All candidates match.
        case done
        /// More candidates match than are counted, so the others are not decided about.
        case tooMany
    }

    var key: Sort.Key
    /// The number of users that a page shows.
    var limit: Int
    /// The number of users in the directory.
    var total: Int
    /// Whether the search is a single word, without facets or with them.
    var isOneWord = true
    /// Whether the page is the first or the last one, or next to a page whose position is known.
    var isStartKnown = true
    /// `nil` as long as no candidates are known.
    var candidates: CandidateProgress?
    /// The number of matches outside the group that begins with the word; `nil` if that has not been looked for.
    var ungrouped: Int?
    var hasScanned = false
    var hasSortedMatches = false
}

/// The numbers that decide between strategies. Tests make them small.
struct SearchLimits {
    /// The greatest number of matches that are counted and sorted. A search with more has no total.
    var counted = 10_000
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
    /// Where more texts would have to be read to find out who belongs to a tier of the order by relevance, those belong
    /// to it whom the index proves to do so.
    var tierTexts = 1_024

    /// The greatest number of texts that are read to find the matches in a directory of `total` users.
    func verified(of total: Int) -> Int { max(verified, total / verifiedShare) }
}

extension SearchEngine {
    /// Returns the next step of a search. This is the only place that knows the order in which strategies apply.
    static func plan(_ known: SearchProgress, _ limits: SearchLimits) -> SearchStrategy {
        if known.hasSortedMatches { return .cutPage }
        guard let candidates = known.candidates else { return .intersectPostingLists }

        // Candidates are verified as cheaply as possible: most matches begin with what people look for.
        if case .pending(let unproven, let canUseOffsets) = candidates.verification {
            return canUseOffsets && unproven >= limits.matchedByOffset ? .verifyByOffset : .verifyByText
        }

        if case .relevance = known.key {
            let areCounted = candidates.verification == .done && candidates.count <= limits.counted
            let areFew = candidates.count < limits.sortedByRelevance
            return areCounted && (areFew || !known.isStartKnown) ? .sortByRelevance : .walkByRelevance
        }
        // Matches that are not counted are not sorted either.
        if candidates.verification == .tooMany || candidates.count > limits.counted { return .scan(maxBlocks: .max) }
        if known.key == .id { return .sortByID }
        if known.ungrouped == nil, known.key == .login, known.isOneWord, candidates.count >= limits.few {
            return .groupByPrefix
        }

        let ungrouped = known.ungrouped ?? candidates.count
        let areFrequent = ungrouped >= known.total / limits.scanned
        if known.isStartKnown, !known.hasScanned {
            if areFrequent { return .scan(maxBlocks: .max) }
            // The number of blocks that a scan reads if the matches are spread evenly over the order. They may be far
            // away: all of them may have the same first name. So the scan may cost as much as sorting, and then gives
            // up.
            let expected =
                (known.limit + 1) * known.total / max(candidates.count, 1) / SortIndexWriter.Limits().newCount
            let affordable = ungrouped / limits.keysPerBlock
            if expected * 2 < affordable { return .scan(maxBlocks: affordable) }
        }
        return areFrequent ? .sortByScan : .sortByKey
    }
}
