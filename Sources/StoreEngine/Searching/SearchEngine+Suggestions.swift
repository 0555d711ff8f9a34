import Base
import Indexes
import People

// Finds people who are spelled like a search, or almost so.

extension SearchEngine {
    /// The limits of the work, whatever the search and however large the directory.
    enum SuggestionLimits {
        /// A shorter word has too many neighbours.
        static let wordLength = 4
        /// From this length on, two letters may be wrong.
        static let longWordLength = 8
        /// The words of a search for which anybody similar is looked for.
        static let words = 8
        static let lists = 16
        /// The postings that are read of one list, and at most those of another blob.
        static let postings = 2000
        static let texts = 100
    }

    /// Returns people each word of `search` is in, or is spelled almost like a word of: the most similar ones first, at
    /// most `limit`, and each name once.
    ///
    /// Such people have the words as a whole title, or at least half of the n-grams of each longer word.
    func suggestions(for search: Search, in directory: ShownDirectory, limit: Int) throws -> [SimilarPerson] {
        let words = search.words.distinct.map { Array($0.text.unicodeScalars) }
        if words.isEmpty { return [] }
        let title = search.words.joined.withUnsafeBytes(NGram.init(title:))
        var similar = Set(try index(of: directory.id).ids(with: title, stoppingAfter: SuggestionLimits.texts).ids)
        if similar.isEmpty, words.count <= SuggestionLimits.words {
            similar = Set(try similarUsers(words, in: directory))
        }
        var found: [(distance: Int, id: Int64)] = []
        let ids = similar.sorted().prefix(SuggestionLimits.texts)
        try texts.forEachText(of: .list(IDList(Array(ids))), in: directory.id) { id, text in
            let isWhole = text.searched.tier(search.words) == .whole
            if let distance = isWhole ? 0 : Self.distance(of: words, to: text.text) { found.append((distance, id)) }
            return true
        }
        found.sort { $0 < $1 }
        var people: [SimilarPerson] = []
        for (_, id) in found where people.count < limit {
            let users = try rows.users([id], in: .id, of: directory)
            guard let row = users.rows.first else { continue }
            let isNameless = row.name.isEmpty && !row.generated.contains(.login)
            let (name, login) = (users[isNameless ? row.login : row.name], users[row.login])
            if !name.isEmpty, !people.contains(where: { $0.name.loose == name.loose }) {
                people.append(SimilarPerson(name: name, login: login))
            }
        }
        return people
    }

    /// Returns the users who have half of the n-grams of each longer word, those who have most first, as many as texts
    /// may be read.
    ///
    /// N-grams that very many users have tell little. They only count if no word has others, and then the first users
    /// who have them.
    private func similarUsers(_ words: [[Unicode.Scalar]], in directory: ShownDirectory) throws -> [Int64] {
        var rest = SuggestionLimits.lists
        var (whole, cut): ([[[Int64]]], [[[Int64]]]) = ([], [])
        for word in words where word.count >= SuggestionLimits.wordLength && rest > 0 {
            var ngrams: [NGram] = []
            for start in 0...(word.count - NGram.maxLength) {
                let ngram = NGram(word[start..<start + NGram.maxLength])
                if !ngrams.contains(ngram), ngrams.count < rest { ngrams.append(ngram) }
            }
            rest -= ngrams.count
            let lists = try ngrams.map {
                try index(of: directory.id).ids(with: $0, stoppingAfter: SuggestionLimits.postings)
            }
            if lists.contains(where: \.areAll) { whole.append(lists.filter(\.areAll).map(\.ids)) }
            cut.append(lists.map(\.ids))
        }
        var counts: [Int64: Int]?
        for lists in whole.isEmpty ? cut : whole {
            let shared = Self.shared(lists)
            counts =
                counts.map { known in
                    known.reduce(into: [:]) { both, user in
                        if let count = shared[user.key] { both[user.key] = user.value + count }
                    }
                } ?? shared
        }
        let ranked = (counts ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return ranked.prefix(SuggestionLimits.texts).map(\.key)
    }

    /// Returns how many of `lists` have each id that at least half of them have.
    private static func shared(_ lists: [[Int64]]) -> [Int64: Int] {
        let needed = (lists.count + 1) / 2
        var ids = Array(lists.joined())
        ids.sortAscending()
        var shared: [Int64: Int] = [:]
        var start = 0
        while start < ids.count {
            var end = start + 1
            while end < ids.count, ids[end] == ids[start] { end += 1 }
            if end - start >= needed { shared[ids[start]] = end - start }
            start = end
        }
        return shared
    }

    /// Returns how many letters of the words are wrong if they mean words of the login or name in `text`, or `nil` if
    /// they do not.
    private static func distance(of words: [[Unicode.Scalar]], to text: UnsafeRawBufferPointer) -> Int? {
        let titles = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
        let scalars = titles.map { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) }
        return scalars.compactMap { distance(of: words, to: $0) }.min()
    }

    private static func distance(of words: [[Unicode.Scalar]], to title: [Unicode.Scalar]) -> Int? {
        let parts = title.split { !$0.value.isWordScalar }.map(Array.init)
        var sum = 0
        for word in words {
            let allowed = word.count >= SuggestionLimits.longWordLength ? 2 : 1
            let isLong = word.count >= SuggestionLimits.wordLength
            let distances = parts.compactMap { part -> Int? in
                if part.starts(with: word) { return 0 }
                return isLong ? word.distance(to: part, atMost: allowed) : nil
            }
            guard let least = distances.min() else { return nil }
            sum += least
        }
        return sum
    }
}
