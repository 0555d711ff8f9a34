import Indexes
import People

// Counts the values of filters.

extension SearchEngine {
    /// Returns, for each of `filters`, the number of users with each of its values, among those that `search` finds
    /// without its own filter of that field; `nil` if these are too many to count.
    func counts(of filters: [ChosenFilter], among search: Search, in directory: ShownDirectory) throws -> [[Int]?] {
        guard let space = try self.filters.space(of: directory) else { return filters.map { $0.values.map { _ in 0 } } }
        var known: [Search: IDSet?] = [:]
        let searches = Set(filters.compactMap { chosen in search.filtered { $0.filter != chosen.filter } })
        var words: Candidates?
        return try filters.map { chosen in
            guard let others = search.filtered({ $0.filter != chosen.filter }) else {
                return counts(of: chosen, in: directory)
            }
            return try self.filters.cache.counts(of: chosen, among: others, in: directory) {
                // The words are looked up once for all filters.
                if words == nil, searches.count > 2 { words = try usersWithWords(of: search, in: directory) }
                let users = try known[others] ?? matches(of: others, words, in: directory, space)
                known[others] = users
                return try users.map { users in
                    try chosen.values.map { value in
                        try self.filters.ids(ChosenFilter(chosen.filter, value), in: directory, space)
                            .intersectionCount(users)
                    }
                }
            }
        }
    }

    /// Returns the users that have the words of a search by the index, whatever its filters.
    private func usersWithWords(of search: Search, in directory: ShownDirectory) throws -> Candidates? {
        guard !search.words.isEmpty, let search = search.filtered({ _ in false }) else { return nil }
        return try intersect(SearchTerms(search), search, in: directory, mayStop: false)
    }

    /// The numbers of users in the whole directory.
    private func counts(of chosen: ChosenFilter, in directory: ShownDirectory) -> [Int] {
        let known = directory.filters.first { $0.filter == chosen.filter }
        return chosen.values.map { known?.value($0)?.count ?? 0 }
    }

    /// Returns the users that a search finds, or `nil` if they are too many to count. `words` are those who may have
    /// its words, if they are known.
    private func matches(
        of search: Search, _ words: Candidates?, in directory: ShownDirectory, _ space: IDSpace
    ) throws -> IDSet? {
        let chosen = try filters.ids(search.filters, in: directory, space)
        if search.words.isEmpty { return chosen }
        // The page may be read again soon.
        let kept = cache
        defer { cache = kept }
        var work = try begin(UserQuery(directory: directory.id, search: search, limit: 1), search, in: directory)
        // Which of them match is asked, not in which order.
        work.sortedMatches = nil
        if work.candidates.verification == .unknown, let words { work.take(words.among(chosen)) }
        do {
            while [.unknown, .pending].contains(work.candidates.verification) {
                _ = try apply(work.nextStep(limits), to: &work)
            }
        } catch let error as StoreError where error.reason == .tooBroad { return nil }
        return work.total(limits) == nil ? nil : work.candidates.ids
    }
}
