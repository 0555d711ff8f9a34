import Bytes
import Directories
import NGramIndex

// Finds people who are spelled almost like a search that has no matches.

extension SearchEngine {
    private enum SuggestionLimits {
        /// A shorter word has too many neighbours.
        static let wordLength = 4
        /// From this length on, two letters may be wrong.
        static let longWordLength = 8
        static let lists = 16
        static let texts = 2000
    }

    /// Returns the names of people each word of `search` is in, or is spelled almost like a word of: the most similar
    /// ones first, at most `limit`.
    ///
    /// Such people have at least half of the n-grams of each longer word. The work is limited, so somebody may be
    /// missed in a large directory.
    func suggestions(for search: Search, in directory: Directory, limit: Int) throws -> [String] {
        let words = search.words.distinct.map { Array($0.text.unicodeScalars) }
        guard words.contains(where: { $0.count >= SuggestionLimits.wordLength }) else { return [] }
        var found: [(distance: Int, id: Int64)] = []
        let similar = try similarUsers(words, in: directory)
        try texts.forEachText(of: .list(IDList(similar.sorted())), in: directory.id) { id, text in
            if let distance = Self.distance(of: words, to: text) { found.append((distance, id)) }
            return true
        }
        found.sort { $0 < $1 }
        var names: [String] = []
        for (_, id) in found where names.count < limit {
            let users = try rows.users([id], in: .id, of: directory)
            guard let row = users.rows.first else { continue }
            let name = row.name.isEmpty && !row.generated.contains(.login) ? users[row.login] : users[row.name]
            if !name.isEmpty, !names.contains(where: { $0.loose == name.loose }) { names.append(name) }
        }
        return names
    }

    /// Returns the users who have half of the n-grams of each longer word, those who have most first, as many as texts
    /// may be read.
    private func similarUsers(_ words: [[Unicode.Scalar]], in directory: Directory) throws -> [Int64] {
        guard let range = try connection.idRange(of: directory) else { return [] }
        var lists = SuggestionLimits.lists
        var counts: [Int64: Int]?
        for word in words where word.count >= SuggestionLimits.wordLength && lists > 0 {
            var ngrams: [NGram] = []
            for start in 0...(word.count - NGram.maxLength) {
                let ngram = NGram(word[start..<start + NGram.maxLength])
                if !ngrams.contains(ngram), ngrams.count < lists { ngrams.append(ngram) }
            }
            lists -= ngrams.count
            let sets = try ngrams.map { try index(of: directory.id).ids(with: $0, in: range).withFilter }
            let shared = Self.countShared(sets.sorted { $0.count < $1.count })
            guard let known = counts else {
                counts = shared
                continue
            }
            let both = shared.filter { known[$0.key] != nil }
            counts = both.merging(known.filter { shared[$0.key] != nil }, uniquingKeysWith: +)
        }
        let ranked = (counts ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return ranked.prefix(SuggestionLimits.texts).map(\.key)
    }

    /// Returns how many of `sets`, the smallest first, have each id that at least half of them have.
    private static func countShared(_ sets: [IDSet]) -> [Int64: Int] {
        let needed = (sets.count + 1) / 2
        var counts: [Int64: Int] = [:]
        // An id that is in none of these is in too few of the others.
        for (number, set) in sets.prefix(sets.count - needed + 1).enumerated() {
            for id in set.all.prefix(maxShared) where counts[id] == nil {
                counts[id] = sets[number...].count { $0.contains(id) }
            }
        }
        return counts.filter { $0.value >= needed }
    }

    /// Limits the work for n-grams that very many users have.
    private static let maxShared = 50_000

    /// Returns how many letters of the words are wrong if they mean words of the login or name in `text`, or `nil` if
    /// they do not.
    private static func distance(of words: [[Unicode.Scalar]], to text: UnsafeRawBufferPointer) -> Int? {
        let titles = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
        let scalars = titles.map { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) }
        return scalars.compactMap { distance(of: words, to: $0) }.min()
    }

    private static func distance(of words: [[Unicode.Scalar]], to title: [Unicode.Scalar]) -> Int? {
        let parts = title.split { !WordScalars.contains($0.value) }.map(Array.init)
        var sum = 0
        for word in words {
            let allowed = word.count >= SuggestionLimits.longWordLength ? 2 : 1
            let isLong = word.count >= SuggestionLimits.wordLength
            let distances = parts.compactMap { part -> Int? in
                if part.starts(with: word) { return 0 }
                return isLong ? EditDistance.between(word, part, atMost: allowed) : nil
            }
            guard let least = distances.min() else { return nil }
            sum += least
        }
        return sum
    }
}

/// The number of letters that have to be added, removed, replaced or swapped with their neighbour to turn one word into
/// another (Damerau–Levenshtein, optimal string alignment).
enum EditDistance {
    /// Returns `nil` if the distance is greater than `limit`.
    static func between<Element: Equatable>(_ left: [Element], _ right: [Element], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var (before, last) = ([Int](), Array(0...right.count))
        for row in 1..<(left.count + 1) {
            var next = [row]
            for column in 1..<(right.count + 1) {
                let isSame = left[row - 1] == right[column - 1]
                var distance = min(last[column] + 1, next[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                let isSwapped =
                    row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if isSwapped { distance = min(distance, before[column - 2] + 1) }
                next.append(distance)
            }
            guard next.contains(where: { $0 <= limit }) else { return nil }
            (before, last) = (last, next)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
