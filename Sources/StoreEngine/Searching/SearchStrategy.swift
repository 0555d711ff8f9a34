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
