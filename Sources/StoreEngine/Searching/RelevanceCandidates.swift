import Base
import Indexes
import People

/// The candidates of each ``SearchMatch`` of a search: sets with all users that match so, and maybe others.
///
/// They come from the n-grams with marks, which say where words begin and titles end, and are looked up when a page
/// gets to them. Where many users match better, those that the index proves to do so are left out.
final class RelevanceCandidates {
    /// All candidates of the search.
    private let candidates: Candidates
    let words: SearchWords
    private let index: NGramIndexReader
    private let space: IDSpace
    /// The number of users in the directory.
    private let total: Int
    private let limits: SearchLimits
    /// Whether ``SearchMatch/isExact`` is found out. Else every match counts as exact.
    let comparesAccents: Bool
    private var tiers: [SearchMatch.Tier: IDSet] = [:]
    private var withVariants: [SearchMatch.Tier: IDSet] = [:]
    private var provenTiers: [SearchMatch.Tier: IDSet] = [:]
    private var cutTiers: [SearchMatch.Tier: IDSet?] = [:]
    private var matches: IDSet?
    private var starts: [Start: IDSet] = [:]

    private struct Start: Hashable {
        var word: String
        var mark: NGram.Mark
    }

    private var all: IDSet { candidates.ids }

    /// More words only cost time: the texts decide about the others. Where texts are not read for that, a search for
    /// more words has no tiers.
    private static let maxWords = 4
    private var isLong: Bool { words.distinct.count > Self.maxWords }

    init(_ work: SearchState, _ engine: SearchEngine, in space: IDSpace) {
        (candidates, words) = (work.candidates, work.search.words)
        index = engine.index(of: work.directory.id)
        self.space = space
        total = work.directory.total
        limits = engine.limits
        comparesAccents = engine.comparesAccents(work)
    }

    func ids(of match: SearchMatch) throws -> IDSet {
        let ids = try ids(of: match.tier)
        guard comparesAccents else { return ids }
        let needsVariants = match.isExact ? words.needVariantsToMatchExactly : words.needVariantsToMatchInexactly
        // The texts of a few users cost less than the posting list of the tag, which many of all users have.
        guard needsVariants, ids.count >= limits.maxTextsReadFirst + total / limits.usersPerText else { return ids }
        return try known(\.withVariants, match.tier) {
            try index.ids(with: .hasVariants, among: ids, in: space).withFilter
        }
    }

    /// Returns what was found for `key`, or else what `find` returns.
    private func known<Key>(
        _ sets: ReferenceWritableKeyPath<RelevanceCandidates, [Key: IDSet]>, _ key: Key, _ find: () throws -> IDSet
    ) rethrows -> IDSet {
        if let known = self[keyPath: sets][key] { return known }
        let found = try find()
        self[keyPath: sets][key] = found
        return found
    }

    private func ids(of tier: SearchMatch.Tier) throws -> IDSet { try cut(tier) ?? uncut(tier) }

    private func uncut(_ tier: SearchMatch.Tier) throws -> IDSet {
        try known(\.tiers, tier) { try findIDs(of: tier).withFilter }
    }

    private func findIDs(of tier: SearchMatch.Tier) throws -> IDSet {
        switch tier {
        case .whole:
            return try index.ids(with: words.joined.withUnsafeBytes(NGram.init(title:)), among: all, in: space)
        case .beginning: return try usersWithBeginnings()
        case .words:
            let users = try usersWithWords()
            if let beginnings = try cut(.beginning) { return users.subtracting(beginnings) }
            guard words.phrase.count == 1 else { return users }
            return try users.subtracting(better(among: users, after: [.title]) { try ids(of: .beginning) })
        case .elsewhere:
            if let users = try cut(.words) { return all.subtracting(users).subtracting(try proven(.beginning)) }
            if isLong { return all }
            return try all.subtracting(better(among: all, after: [.title, .word], usersWithWords))
        }
    }

    /// Returns those of `ids` for which the index proves that they match better, as each word comes after one of
    /// `marks`; none if `candidates` says that they are too few: these cost less to skip than to find.
    private func better(
        among ids: IDSet, after marks: [NGram.Mark], _ candidates: () throws -> IDSet
    ) throws -> IDSet {
        guard ids.count >= limits.matchedByOffset, try candidates().count > ids.count / 2 else {
            return .list(IDList())
        }
        return try starting(ids, after: marks)
    }

    /// Returns the candidates with a title that seems to begin with the words.
    private func usersWithBeginnings() throws -> IDSet {
        guard let first = words.phrase.first else { return all }
        var found = try users(with: first.ngrams(after: .title), among: all)
        for word in words.phrase.prefix(Self.maxWords).dropFirst()
        where word.beginsWithLetter && found.count >= limits.maxTextsReadFirst {
            found = try users(with: word.ngrams(after: .word), among: found)
        }
        return found
    }

    /// Returns the candidates with texts in which each word seems to begin a word. Nobody's texts have such a word if
    /// one begins with punctuation: else the texts of all who have an `@` would be read in vain.
    private func usersWithWords() throws -> IDSet {
        guard words.distinct.allSatisfy(\.beginsWithLetter) else { return .list(IDList()) }
        return try words.distinct.prefix(Self.maxWords).reduce(all) { try users(with: $1.startNGrams, among: $0) }
    }

    /// Returns those of `ids` who have one of `ngrams`; all of them for `nil`.
    private func users(with ngrams: [NGram]?, among ids: IDSet) throws -> IDSet {
        guard let ngrams else { return ids }
        if case .bitmap = ids { return try index.ids(withAnyOf: ngrams, among: ids, in: space) }
        return .union(of: try ngrams.map { try index.ids(with: $0, among: ids, in: space) }, in: space)
    }

    // MARK: Cuts

    /// Returns the users that the index proves for a tier, if the texts of too many others would have to be read: these
    /// then belong to the next tier that their words allow. `nil` if the texts decide.
    ///
    /// This depends on the directory and the words alone, so that all pages of a search agree.
    private func cut(_ tier: SearchMatch.Tier) throws -> IDSet? {
        guard !comparesAccents, tier == .beginning || tier == .words else { return nil }
        if let known = cutTiers[tier] { return known }
        // The index knows nothing of an initial consonant that stands for hundreds of syllables.
        guard words.distinct.allSatisfy(\.isOneOfFew) else { return nil }
        if isLong { return .list(IDList()) }
        let users = try tier == .beginning ? uncut(.beginning) : usersWithWords()
        var found: IDSet?
        if users.count > limits.tierTexts {
            let proven = try proven(tier)
            // Users whose title is known to begin with the word need no text.
            let others = try tier == .words ? users.subtracting(self.proven(.beginning)) : users
            if others.count - proven.count > limits.tierTexts { found = proven }
        }
        cutTiers[tier] = .some(found)
        return found
    }

    /// Returns the tier of a user whose text belongs to `tier`, as far as it makes a difference for those of `walked`.
    func tier(of id: Int64, _ tier: SearchMatch.Tier, among walked: SearchMatch.Tier) throws -> SearchMatch.Tier {
        if walked == .whole { return tier }
        var tier = tier
        if tier == .beginning, let users = try cut(.beginning), !users.contains(id) {
            tier = words.distinct.allSatisfy(\.beginsWithLetter) ? .words : .elsewhere
        }
        if tier == .words, walked != .beginning, let users = try cut(.words), !users.contains(id) { tier = .elsewhere }
        return tier
    }

    /// Whether the index proves most users of a tier to belong to it, or all.
    func isCut(_ tier: SearchMatch.Tier) throws -> Bool { try cut(tier == .elsewhere ? .words : tier) != nil }

    // MARK: Proofs

    /// Returns users that the index proves to match in exactly this tier, so that their texts need not be read. A page
    /// that is deep in a search of frequent words walks over thousands of these.
    func proven(_ tier: SearchMatch.Tier) throws -> IDSet {
        try known(\.provenTiers, tier) { try findProven(tier).withFilter }
    }

    private func findProven(_ tier: SearchMatch.Tier) throws -> IDSet {
        var found = IDSet.list(IDList())
        switch tier {
        case .whole: break
        case .beginning: if words.phrase.count == 1 { found = try starting(uncut(.beginning), after: [.title]) }
        case .words: if !isLong { found = try starting(usersWithWords(), after: [.title, .word]) }
        case .elsewhere: found = try provenMatches()
        }
        for better in SearchMatch.Tier.allCases.prefix(while: { $0 != tier }).reversed() where found.count > 0 {
            found = found.subtracting(try ids(of: better))
        }
        return found
    }

    /// Returns the `ids` for which the index proves that each word comes after one of `marks`; none if it cannot prove
    /// it in anybody.
    private func starting(_ ids: IDSet, after marks: [NGram.Mark]) throws -> IDSet {
        var ids = ids
        for word in words.distinct {
            let scalars = Array(word.text.unicodeScalars)
            if word.completions != nil, scalars.count >= NGram.maxLength || !word.isOneOfFew {
                return .list(IDList())
            }
            let sets = try marks.map { try users(with: word, scalars, after: $0).intersection(ids) }
            ids = .union(of: sets, in: space)
        }
        return ids
    }

    /// Returns the candidates that the index proves to match.
    func provenMatches() throws -> IDSet {
        if candidates.verification == .done { return all }
        if let matches { return matches }
        guard candidates.isComplete, !candidates.terms.phrases.isEmpty else { return .list(IDList()) }
        let isProven = try index.provenMatches(of: candidates.terms.phrases, among: all)
        let found = all.filtered { isProven[$0] }
        matches = found
        return found
    }

    /// Returns the candidates for which the index proves that the word comes after `mark`. Several tiers ask for them.
    private func users(
        with word: SearchWords.Word, _ scalars: [Unicode.Scalar], after mark: NGram.Mark
    ) throws -> IDSet {
        try known(\.starts, Start(word: word.text, mark: mark)) {
            guard scalars.count < NGram.maxLength else {
                let isProven = try index.provenMatches(of: [Phrase(mark, before: scalars)], among: all)
                return all.filtered { isProven[$0] }
            }
            let texts = word.completions?.compactMap { Unicode.Scalar($0) }.map { Array(scalars.dropLast()) + [$0] }
            let ngrams = (texts ?? [scalars]).map { NGram(mark, before: $0) }
            return try index.ids(withAnyOf: ngrams, among: all, in: space)
        }
    }
}

extension SearchWords.Word {
    /// The n-grams to look for: a text that has the word after `mark` has one of them. `nil` without such a choice.
    fileprivate func ngrams(after mark: NGram.Mark) -> [NGram]? {
        let start = String(decoding: beginning, as: UTF8.self).unicodeScalars.prefix(NGram.maxLength - 1)
        if !start.isEmpty { return [NGram(mark, before: start)] }
        // All of the word is a part of a syllable.
        return completions.map { $0.compactMap { Unicode.Scalar($0) }.map { NGram(mark, before: [$0]) } }
    }

    /// The n-grams to look for: a text with a word that begins with this word has one of them.
    fileprivate var startNGrams: [NGram]? {
        guard let title = ngrams(after: .title), let word = ngrams(after: .word) else { return nil }
        return title + word
    }
}
