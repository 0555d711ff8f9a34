import Base
import People
import Indexes

/// Finds where the letters of an order by names begin, and how many users belong to each.
///
/// Each letter takes one look-up of a rank, whatever the size of the directory. The counts of whole directories are
/// kept until these change.
final class LetterReader {
    private let searchEngine: SearchEngine
    private var known: [(generation: Int64, sort: Sort, letters: [LetterCount])] = []

    private static let maxKnown = 8

    init(_ searchEngine: SearchEngine) { self.searchEngine = searchEngine }

    /// Returns the letters of the order of `query`, or `nil` if it has none.
    func letters(_ query: UserQuery, in directory: ShownDirectory) throws -> [LetterCount]? {
        guard query.sort.key.hasLetters, directory.collation == CollationStamp(language: directory.settings.language),
            let index = Collation(directory.settings.language).index
        else { return nil }
        let find = { try self.ranks(query, index, in: directory).map { Self.letters(index, $0, query.sort) } }
        if query.search != nil { return try find() }
        let kept = known.first { $0.generation == directory.generation && $0.sort == query.sort }
        if let kept { return kept.letters }
        guard let letters = try find() else { return nil }
        if known.count == Self.maxKnown { known.removeFirst() }
        known.append((directory.generation, query.sort, letters))
        return letters
    }

    /// Returns the start of the page that begins with a letter.
    func start(of label: String, _ query: UserQuery, in directory: ShownDirectory) throws -> UserQuery.Start {
        guard let letters = try letters(query, in: directory) else { throw StoreError.noLetters(of: query) }
        guard let letter = letters.first(where: { $0.label == label }) else {
            throw StoreError(.invalidCursor, "expected one of \(letters.map(\.label).joined(separator: ", "))")
        }
        return letter.position == 1 ? .first : .at(letter.position - 1)
    }

    /// The number of users before each letter in the ascending order, the number of users with a value, and the number
    /// of users.
    private typealias Ranks = (starts: [Int], valued: Int, total: Int)

    /// Returns `nil` if a search has more matches than are counted.
    private func ranks(_ query: UserQuery, _ index: CollationIndex, in directory: ShownDirectory) throws -> Ranks? {
        var query = query
        query.sort.direction = .ascending
        query.start = .first
        let order = try IndexedOrder(query.sort, directory.settings)
        var starts = index.letters.map { SeekKey(text: $0.start, id: 0) }
        // Users without a value come after all others.
        if order.hasTwoIndexes { starts.append(SeekKey(text: order.key(.empty), id: 0)) }
        var (found, total): ([Int], Int)
        if let search = query.search {
            guard let matches = try searchEngine.sortedMatches(query, search: search, in: directory) else { return nil }
            found = try starts.map {
                try searchEngine.count(of: matches, before: $0, orAt: false, order, in: directory.id)
            }
            total = matches.count
        } else {
            found = try starts.map { try searchEngine.orders.rank(of: $0, in: order, of: directory) }
            total = directory.total
        }
        guard zip(found, found.dropFirst()).allSatisfy({ $0 <= $1 }), found.last ?? 0 <= total else {
            throw StoreError.damagedOrder
        }
        let valued = order.hasTwoIndexes ? found.removeLast() : total
        return (found, valued, total)
    }

    /// In a descending order, users without a value still come last, and belong to the last letter.
    private static func letters(_ index: CollationIndex, _ ranks: Ranks, _ sort: Sort) -> [LetterCount] {
        let ends = ranks.starts.dropFirst() + [ranks.total]
        let letters = zip(index.letters, zip(ranks.starts, ends)).map { letter, range in
            let (start, end) = range
            let isForward = sort.direction == .ascending || start >= ranks.valued && end > ranks.valued
            let position = isForward ? start : ranks.valued - min(end, ranks.valued)
            return LetterCount(label: letter.label, count: end - start, position: position + 1)
        }
        return sort.direction == .ascending ? letters : letters.reversed()
    }
}

extension StoreError {
    fileprivate static func noLetters(of query: UserQuery) -> StoreError {
        if query.search != nil {
            return StoreError(
                .invalidCursor,
                "letters of a search with more than \(UserQuery.numberedMatches) matches are not available")
        }
        return StoreError(.invalidCursor, "this directory has no letters until its order is rebuilt")
    }
}
