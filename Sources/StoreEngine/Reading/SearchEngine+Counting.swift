import NGramIndex
import People

// Counts the values of filters.

extension SearchEngine {
    /// Returns, for each of `filters`, the number of users with each of its values, among those that `search` finds
    /// without its own filter of that field; `nil` if these are too many to count.
    func counts(of filters: [FieldFilter], among search: Search, in directory: Directory) throws -> [[Int]?] {
        guard let space = try self.filters.space(of: directory) else { return filters.map { $0.values.map { _ in 0 } } }
        var known: [Search: IDSet?] = [:]
        return try filters.map { filter in
            guard let others = search.filtered({ $0.facet != filter.facet }) else {
                return counts(of: filter, in: directory)
            }
            return try self.filters.cache.counts(of: filter, among: others, in: directory) {
                let users = try known[others] ?? matches(of: others, in: directory, space)
                known[others] = users
                return try users.map { users in
                    try filter.values.map { value in
                        try self.filters.ids(FieldFilter(filter.facet, value), in: directory, space)
                            .intersectionCount(users)
                    }
                }
            }
        }
    }

    /// The numbers of users in the whole directory.
    private func counts(of filter: FieldFilter, in directory: Directory) -> [Int] {
        let known = directory.facets.first { $0.facet == filter.facet }
        return filter.values.map { known?.value($0)?.count ?? 0 }
    }

    /// Returns the users that a search finds, or `nil` if they are too many to count.
    private func matches(of search: Search, in directory: Directory, _ space: IDSpace) throws -> IDSet? {
        if search.words.isEmpty { return try filters.ids(search.filters, in: directory, space) }
        // The page may be read again soon.
        let kept = cache
        defer { cache = kept }
        var work = OngoingSearch(
            query: UserQuery(directory: directory.id, search: search, limit: 1), search: search, directory: directory,
            order: .id, seek: nil, seekPosition: nil)
        work.verification = cache[candidates: search, directory.generation].map(CandidateVerification.init)
        while work.verification.map({ $0.candidates.verification == .pending }) ?? true {
            _ = try apply(Self.plan(work.progress, limits), to: &work)
        }
        return work.total(limits) == nil ? nil : work.candidates.ids
    }
}
