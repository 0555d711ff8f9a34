import Indexes
import People

// Counts the people that recent changes added.

extension SearchEngine {
    /// Returns how many of the people added by the changes after `start` match `search`, or all of them without one.
    func additions(among search: Search?, in directory: ShownDirectory, after start: Int64) throws -> Additions {
        var additions = Additions(directory.directory, knownSince: start, changes: [])
        let terms = search.map(SearchTerms.init)
        let chosen = try filteredUsers(search, in: directory)
        var counted: Set<Int64> = []
        try AdditionTable(of: directory.id, on: connection).forEach(after: start) { generation, ids in
            guard let ids else { return additions.knownSince = generation }
            // The texts of a few users are read, while the search index would look for the words among all users. A
            // person may have left since, or have been added again.
            let new = ids.filter { counted.insert($0).inserted && chosen?.contains($0) != false }
            var change = Additions.Change(generation: generation, count: 0)
            try connection.forEachRow(.texts, of: new, in: directory.id) { id, row in
                if terms?.hasAllWords(SavedText(row).searched) != false { change.add(id) }
                return true
            }
            if change.count > 0 { additions.changes.append(change) }
        }
        return additions
    }

    /// Returns the users that the filters of a search find, or `nil` without filters.
    private func filteredUsers(_ search: Search?, in directory: ShownDirectory) throws -> IDSet? {
        guard let search, !search.filters.isEmpty, let space = try filters.space(of: directory) else { return nil }
        return try filters.ids(search.filters, in: directory, space)
    }
}
