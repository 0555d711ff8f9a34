import Directories
import NGramIndex
import SortIndex

// Finds the candidates of a search, and verifies that they match.

extension SearchEngine {
    /// Returns all users that have the n-grams of the search.
    func findCandidates(_ work: OngoingSearch) throws -> Candidates {
        let directory = work.directory
        cache[candidates: work.search, directory.generation] = nil  // Frees the last ones before it collects others.
        let plan = SearchPlan(work.search, tags: try tags(work.search, in: directory))
        let candidates = try intersect(plan, in: directory.id)
        if candidates.verification == .done { cache[candidates: work.search, directory.generation] = candidates }
        return candidates
    }

    private func intersect(_ plan: SearchPlan, in directory: Int64) throws -> Candidates {
        guard let first = plan.ngrams.first, let range = try idRange(in: directory) else {
            return Candidates(.list(IDList()), plan, isComplete: true)
        }
        let index = index(of: directory)
        var found = try index.ids(with: first, in: range)
        var isComplete = true
        for ngram in plan.ngrams.dropFirst() where isComplete {
            isComplete = found.count == 0 || !plan.prefersTexts(of: found.count, to: ngram, limits)
            if isComplete { found = try index.ids(with: ngram, among: found, in: range) }
        }
        return Candidates(found.withFilter, plan, isComplete: isComplete)
    }

    private func index(of directory: Int64) -> NGramIndexReader<SQLiteBlobs> {
        NGramIndexReader(SQLiteBlobs(.userGram, of: directory, on: connection))
    }

    /// Returns the least and the greatest id of a directory, or `nil` if it has no users.
    private func idRange(in directory: Int64) throws -> ClosedRange<Int64>? {
        // Two subqueries: SQLite would read the whole table to answer both in one.
        let statement = try connection.statement(
            "SELECT (SELECT min(id) FROM userText\(directory)), (SELECT max(id) FROM userText\(directory))")
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        let (first, last) = (statement.number(0), statement.number(1))
        guard 0 < first, first <= last else { throw StoreError.damagedOrder }
        return first...last
    }

    /// Returns the tags of the search's facets, or `nil` if no user has one of the values.
    private func tags(_ search: Search, in directory: Directory) throws -> [NGram]? {
        // The request may have been made with values of a moment ago, and with other upper and lower case.
        let statement = try connection.statement(
            "SELECT number, value FROM facet WHERE directory = ? AND facet = ? ORDER BY count DESC, number")
        var tags: [NGram] = []
        for choice in search.facets {
            guard let filter = FilterNumbers.number(of: choice.facet, in: directory.plan) else { return nil }
            statement.bind(directory.id, at: 1)
            statement.bind(filter, at: 2)
            defer { statement.reset() }
            var (numbers, values): ([Int64], [String]) = ([], [])
            while try statement.step() {
                numbers.append(try statement.facetValue(0))
                values.append(String(decoding: statement.bytes(1), as: UTF8.self))
            }
            guard let index = FacetChoice.index(of: choice.value, in: values) else { return nil }
            tags.append(FilterValues.Value(filter: filter, number: numbers[index]).tag)
        }
        return tags
    }
}

// MARK: - Verification

extension SearchEngine {
    /// Marks the candidates whose n-grams follow each other as they do in the words.
    func verifyByOffset(_ work: inout OngoingSearch) throws {
        let candidates = work.candidates
        work.verification?.isProven = try index(of: work.directory.id)
            .provenMatches(of: candidates.plan.phrases, among: candidates.ids)
        work.verification?.hasMatchedOffsets = true
    }

    /// Marks the candidates whose login or name begins with the word. If login and name share characters, as `soren`
    /// and `sören`, offsets prove neither.
    func verifyByPrefix(_ work: inout OngoingSearch) throws {
        work.verification?.hasMatchedPrefix = true
        let candidates = work.candidates
        guard let word = candidates.plan.soleWord else { return }
        var found = try ids(beginningWith: word, in: .name, of: work.directory)
        // Generated handles are not in the texts.
        if try !HandleTable(of: work.directory.id, on: connection).hasCurrent() {
            found += try ids(beginningWith: word, in: .login, of: work.directory)
        }
        if found.isEmpty { return }
        let beginning = IDSet.list(IDList(Set(found).sorted()).withFilter)
        var isProven = work.verification?.isProven ?? [Bool](repeating: false, count: candidates.ids.count)
        for (rank, id) in candidates.ids.all.enumerated() where !isProven[rank] {
            isProven[rank] = beginning.contains(id)
        }
        work.verification?.isProven = isProven
    }

    /// Reads the texts of all candidates that are not proven to match, until more match than are counted.
    func verifyByText(_ work: inout OngoingSearch) throws {
        let candidates = work.candidates
        let verified = try verified(
            candidates, work.verification?.isProven ?? [Bool](repeating: false, count: candidates.ids.count),
            in: work.directory.id)
        cache[candidates: work.search, work.directory.generation] = verified
        work.verification = CandidateVerification(verified)
    }

    private func verified(
        _ candidates: Candidates, _ isProven: [Bool], in directory: Int64
    ) throws -> Candidates {
        var isMatch = isProven
        let unproven = candidates.ids.filtered { !isMatch[$0] }
        var count = candidates.ids.count - unproven.count
        if count > limits.counted { return candidates.tooMany }
        var ranks = zip(unproven.all, isMatch.indices.filter { !isMatch[$0] }).makeIterator()
        try texts.forEachText(of: unproven, in: directory) { id, text in
            guard candidates.matches(text) else { return true }
            while let (other, rank) = ranks.next() {
                guard other == id else { continue }
                isMatch[rank] = true
                break
            }
            count += 1
            return count <= limits.counted
        }
        return count > limits.counted
            ? candidates.tooMany : candidates.verified(candidates.ids.filtered { isMatch[$0] })
    }

    /// Returns the users whose login, or name, begins with `word`, in ascending order; at most one more than are
    /// counted.
    func ids(beginningWith word: [UInt8], in order: IndexedOrder, of directory: Directory) throws -> [Int64] {
        var ids: [Int64] = []
        // Before the first user with this name, because no id is 0.
        let seek = SeekKey(text: word, id: 0)
        try orders.scanKeys(IndexScan(order: order, isDescending: false), from: seek, in: directory) { key, text in
            guard text[key.text].starts(with: word) else { return false }
            ids.append(key.id)
            return ids.count <= limits.counted
        }
        return ids
    }
}
