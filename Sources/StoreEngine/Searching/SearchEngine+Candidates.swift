import Indexes
import People

// Finds the candidates of a search, and verifies that they match.

extension SearchEngine {
    /// Returns all users that have the n-grams of the search.
    func findCandidates(_ work: SearchState) throws -> Candidates {
        let directory = work.directory
        // Frees the last one before it collects another.
        cache[work.search, directory.generation] = (nil, nil)
        let candidates = try intersect(SearchTerms(work.search), work.search, in: directory)
        if candidates.verification != .pending { cache[work.search, directory.generation].candidates = candidates }
        return candidates
    }

    /// - Parameter mayStop: Whether the candidates may be incomplete if they prove that too many match.
    func intersect(
        _ terms: SearchTerms, _ search: Search, in directory: ShownDirectory, mayStop: Bool = true
    ) throws -> Candidates {
        guard let space = try filters.space(of: directory), search.words.isEmpty || !terms.ngrams.isEmpty else {
            return Candidates(.list(IDList()), terms, isComplete: true)
        }
        let index = index(of: directory.id)
        let chosen = try filters.ids(search.filters, in: directory, space)
        // Few users are the candidates from the start; many are only compared with those of the first n-gram.
        var found = terms.ngrams.isEmpty ? chosen : nil
        if case .list = chosen { found = chosen }
        var isComplete = true
        for (number, ngrams) in terms.ngrams.enumerated() {
            if number % Self.listsAtOnce == 0 {
                try index.prepare(terms.ngrams[number...].prefix(Self.listsAtOnce).flatMap { $0 })
            }
            if mayStop, number == Self.listsBeforeProof, terms.isOfPhrases, let found {
                let candidates = Candidates(found.withFilter, terms, isComplete: true)
                if try areTooMany(candidates, in: directory) { return candidates.tooMany }
            }
            guard let known = found else {
                let ids = try index.ids(withAnyOf: ngrams, in: space)
                found = chosen?.intersection(ids) ?? ids
                continue
            }
            isComplete = known.count == 0 || !terms.prefersTexts(of: known.count, to: ngrams, limits)
            guard isComplete else { break }
            found = try index.ids(withAnyOf: ngrams, among: known, in: space)
        }
        return Candidates((found ?? .list(IDList())).withFilter, terms, isComplete: isComplete)
    }

    /// More would often be read in vain: few candidates are left after the first ones.
    private static let listsAtOnce = 4
    /// After so many n-grams of words that most people have, a few thousand candidates prove that too many match. The
    /// other n-grams, which most people have as well, are then not looked up.
    private static let listsBeforeProof = 2

    func index(of directory: Int64) -> NGramIndexReader {
        NGramIndexReader(connection.blobs(.userNGram, of: directory))
    }
}

// MARK: - Verification

extension SearchEngine {
    /// Marks the candidates whose n-grams follow each other as they do in the words.
    func verifyByOffset(_ work: inout SearchState) throws {
        let candidates = work.candidates
        if try areTooMany(candidates, in: work.directory) { return take(candidates.tooMany, &work) }
        work.isProven = try index(of: work.directory.id)
            .provenMatches(of: candidates.terms.phrases, among: candidates.ids)
    }

    /// Whether the first of many candidates prove that more match than are counted. A word that most people have is
    /// then not looked for in all of them.
    private func areTooMany(_ candidates: Candidates, in directory: ShownDirectory) throws -> Bool {
        let count = 2 * limits.counted
        guard candidates.ids.count > 2 * count else { return false }
        let first = IDSet.list(IDList(Array(candidates.ids.all.prefix(count))))
        let isProven = try index(of: directory.id).provenMatches(of: candidates.terms.phrases, among: first)
        return isProven.count { $0 } > limits.counted
    }

    /// Reads the texts of all candidates that are not proven to match, until more match than are counted. Throws an
    /// error if that would be too many texts.
    func verifyByText(_ work: inout SearchState) throws {
        let candidates = work.candidates
        var isMatch = work.isProven ?? [Bool](repeating: false, count: candidates.ids.count)
        let unproven = candidates.ids.filtered { !isMatch[$0] }
        var count = candidates.ids.count - unproven.count
        if count > limits.counted { return take(candidates.tooMany, &work) }
        var ranks = zip(unproven.all, isMatch.indices.filter { !isMatch[$0] }).makeIterator()
        var rest = limits.maxTextsVerified(of: work.directory.total)
        try texts.forEachText(of: unproven, in: work.directory.id) { id, text in
            rest -= 1
            guard rest >= 0 else { throw StoreError.tooBroad }
            guard candidates.matches(text.text) else { return true }
            while let (other, rank) = ranks.next() {
                guard other == id else { continue }
                isMatch[rank] = true
                break
            }
            count += 1
            return count <= limits.counted
        }
        if count > limits.counted { return take(candidates.tooMany, &work) }
        take(candidates.verified(candidates.ids.filtered { isMatch[$0] }), &work)
    }

    /// Notes what is known of the candidates, for later pages as well.
    func take(_ candidates: Candidates, _ work: inout SearchState) {
        cache[work.search, work.directory.generation].candidates = candidates
        work.take(candidates)
    }

    /// Returns the users whose login begins with `word`, in ascending order of an index by login; at most one more than
    /// are counted.
    func ids(beginningWith word: [UInt8], in order: IndexedOrder, of directory: ShownDirectory) throws -> [Int64] {
        var ids: [Int64] = []
        // Before the first user with this name, because no id is 0.
        let seek = SeekKey(text: word, id: 0)
        try orders.scanKeys(IndexScan(order: order, isDescending: false, from: seek), in: directory) { key, text in
            guard text[key.text].starts(with: word) else { return false }
            ids.append(key.id)
            return ids.count <= limits.counted
        }
        return ids
    }
}

/// The users that the search index finds for a search.
struct Candidates {
    enum Verification {
        /// They have not been looked up.
        case unknown
        /// Some of them may not match.
        case pending
        /// All of them match.
        case done
        /// More of them match than are counted, so the others are not decided about.
        case tooMany
    }

    let ids: IDSet
    let terms: SearchTerms
    /// Whether all n-grams of the terms were looked up. If not, texts must be searched for all words.
    let isComplete: Bool
    let verification: Verification

    static var unknown: Candidates { Candidates(.list(IDList()), .none, false, .unknown) }

    init(_ ids: IDSet, _ terms: SearchTerms, isComplete: Bool) {
        self.init(ids, terms, isComplete, isComplete && terms.undecidedWords.isEmpty ? .done : .pending)
    }

    private init(_ ids: IDSet, _ terms: SearchTerms, _ isComplete: Bool, _ verification: Verification) {
        self.ids = ids
        self.terms = terms
        self.isComplete = isComplete
        self.verification = verification
    }

    /// Those of `users`, as candidates of a search that asks for them, too; all for `nil`.
    func among(_ users: IDSet?) -> Candidates {
        Candidates(users.map(ids.intersection) ?? ids, terms, isComplete: isComplete)
    }

    /// The subset `ids`. All of these match.
    func verified(_ ids: IDSet) -> Candidates { Candidates(ids, terms, isComplete, .done) }

    /// The same candidates, marked as too many to decide about all of them.
    var tooMany: Candidates { Candidates(ids, terms, isComplete, .tooMany) }

    /// Whether the candidate with this text matches.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        let text = SearchedText(text)
        return isComplete ? terms.hasUndecidedWords(text) : terms.hasAllWords(text)
    }
}
