import Bytes
import Directories
import NGramIndex

/// The candidates of each ``SearchMatch`` of a search: sets with all users that match so, and maybe others.
///
/// They come from the n-grams with marks, which say where words begin and titles end, and are looked up when a page gets
/// to them. Where many users match better, those whom the index proves to do so are left out.
final class RelevanceCandidates {
    /// All candidates of the search.
    private let all: IDSet
    private let words: SearchWords
    private let index: NGramIndexReader<SQLiteBlobs>
    private let range: ClosedRange<Int64>
    private let limits: SearchLimits
    private var tiers: [SearchMatch.Tier: IDSet] = [:]
    private var withVariants: [SearchMatch.Tier: IDSet] = [:]

    init(
        _ all: IDSet, _ words: SearchWords, _ index: NGramIndexReader<SQLiteBlobs>, in range: ClosedRange<Int64>,
        _ limits: SearchLimits
    ) {
        self.all = all
        self.words = words
        self.index = index
        self.range = range
        self.limits = limits
    }

    func ids(of match: SearchMatch) throws -> IDSet {
        let ids = try ids(of: match.tier)
        let needsVariants = match.isExact ? words.needVariantsToMatchExactly : words.needVariantsToMatchInexactly
        // The texts of a few users cost less than the posting list of the tag.
        guard needsVariants, ids.count >= limits.few else { return ids }
        if let known = withVariants[match.tier] { return known }
        let found = try index.ids(with: .hasVariants, among: ids, in: range).withFilter
        withVariants[match.tier] = found
        return found
    }

    private func ids(of tier: SearchMatch.Tier) throws -> IDSet {
        if let known = tiers[tier] { return known }
        let ids = try findIDs(of: tier).withFilter
        tiers[tier] = ids
        return ids
    }

    private func findIDs(of tier: SearchMatch.Tier) throws -> IDSet {
        switch tier {
        case .whole:
            let beginning = try ids(of: .beginning)
            guard beginning.count >= limits.few, let ngram = words.phrase.last?.endNGram else { return beginning }
            return try index.ids(with: ngram, among: beginning, in: range)
        case .beginning:
            guard let ngrams = words.phrase.first?.ngrams(after: .title) else { return all }
            return try index.ids(withAnyOf: ngrams, among: all, in: range)
        case .words: return try excludeBeginnings(from: usersWithWords())
        case .elsewhere: return try excludeUsersWithWords()
        }
    }

    /// Returns the candidates in whom each word seems to begin a word.
    private func usersWithWords() throws -> IDSet {
        try words.distinct.reduce(all) { ids, word in
            guard let ngrams = word.startNGrams else { return ids }
            return try index.ids(withAnyOf: ngrams, among: ids, in: range)
        }
    }

    // MARK: Better matches

    private func excludeBeginnings(from ids: IDSet) throws -> IDSet {
        guard ids.count >= limits.matchedByOffset, words.phrase.count == 1, let word = words.phrase.first,
            let isProven = try areStarts(of: word, after: [.title], among: ids)
        else { return ids }
        return ids.filtered { !isProven[$0] }
    }

    private func excludeUsersWithWords() throws -> IDSet {
        guard all.count >= limits.matchedByOffset else { return all }
        var isBetter = [Bool](repeating: true, count: all.count)
        for word in words.distinct {
            guard let isProven = try areStarts(of: word, after: [.title, .word], among: all) else { return all }
            for rank in isBetter.indices where !isProven[rank] { isBetter[rank] = false }
        }
        return all.filtered { !isBetter[$0] }
    }

    /// Returns, by rank, in which users the index proves that the word comes after one of `marks`; `nil` if the index
    /// cannot prove it in anybody.
    private func areStarts(of word: SearchWords.Word, after marks: [NGram.Mark], among ids: IDSet) throws -> [Bool]? {
        let scalars = Array(word.text.unicodeScalars)
        guard word.completions == nil else { return nil }
        var isProven = [Bool](repeating: false, count: ids.count)
        for mark in marks {
            let isFound: [Bool]
            if scalars.count < NGram.maxLength {
                let found = try index.ids(with: NGram(mark, before: scalars), among: ids, in: range).withFilter
                isFound = ids.all.map(found.contains)
            } else {
                isFound = try index.provenMatches(of: [Phrase(mark, before: scalars)], among: ids)
            }
            for rank in isFound.indices where isFound[rank] { isProven[rank] = true }
        }
        return isProven
    }
}

extension SearchWords.Word {
    /// The n-grams of which a text has one if it has the word after `mark`; `nil` if there is no such choice.
    fileprivate func ngrams(after mark: NGram.Mark) -> [NGram]? {
        let start = String(decoding: beginning, as: UTF8.self).unicodeScalars.prefix(NGram.maxLength - 1)
        if !start.isEmpty { return [NGram(mark, before: start)] }
        // All of the word is a part of a syllable.
        return completions.map { $0.compactMap { Unicode.Scalar($0) }.map { NGram(mark, before: [$0]) } }
    }

    /// The n-grams of which a text has one if the word begins a word of it. Before punctuation there is no mark, except
    /// at the start of a title.
    fileprivate var startNGrams: [NGram]? {
        guard let first = text.unicodeScalars.first, WordScalars.contains(first.value),
            let title = ngrams(after: .title), let word = ngrams(after: .word)
        else { return nil }
        return title + word
    }

    /// The n-gram of a title that ends with the word.
    fileprivate var endNGram: NGram? {
        let end = Array(text.unicodeScalars.suffix(2))
        return end.count == 2 ? NGram(endingWith: end[0], end[1]) : nil
    }
}
