import Directories
import NGramIndex

// Counts the people that recent changes added.

extension SearchEngine {
    /// Returns how many of the people added by the changes after `start` match `search`, or all of them without one.
    func additions(among search: Search?, in directory: Directory, after start: Int64) throws -> Additions {
        var additions = Additions(directory, knownSince: start, changes: [])
        let isMatch = try additionTest(search, in: directory)
        var counted: Set<Int64> = []
        try AdditionTable(of: directory.id, on: connection).forEach(after: start) { generation, ids in
            guard let ids else { return additions.knownSince = generation }
            var count = 0
            // A person may have left since, or have been added again.
            for id in ids where counted.insert(id).inserted {
                if try isMatch(id) { count += 1 }
            }
            if count > 0 { additions.changes.append(Additions.Change(generation: generation, count: count)) }
        }
        return additions
    }

    /// Returns a function that says whether a user exists and matches. It reads the text of one user at a time, because
    /// there are few of them, while the search index would look for the words among all users.
    private func additionTest(_ search: Search?, in directory: Directory) throws -> (Int64) throws -> Bool {
        let row = try texts.row(in: directory.id)
        let plan = search.map(SearchPlan.init)
        var left: IDSet?
        if let search, !search.filters.isEmpty, let range = try connection.idRange(of: directory) {
            left = try filters.ids(search.filters, in: directory, range)
        }
        return { [left] id in
            if let left, !left.contains(id) { return false }
            row.bind(id, at: 1)
            defer { row.reset() }
            return try row.step() && plan.map { $0.hasAllWords(SearchedText(row.bytes(1))) } ?? true
        }
    }
}
