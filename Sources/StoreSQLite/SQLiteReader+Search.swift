import Bytes
import Directories

// Searches. Up to ten thousand matches are counted, which gives the total and positions; more are met by walking through
// the order until the page is full.

/// How far searches go before they take another way; tests make them small.
struct SearchLimits {
    /// A search's total is exact up to this.
    var counted = 10_000
    /// Where one of so many users matches, or more, a walk through the order takes less than reading and sorting texts.
    var walked = 160
    /// Fewer than these are sooner looked at than looked for in the list of a gram that is as long as most.
    var few = 64
}

extension SQLiteReader {
    func page(_ query: UserQuery, search: Search, in directory: Directory) throws -> Page {
        let bound = try Bound(query.start, key: query.sort.key)
        switch try found(search, by: query.sort.key, in: directory) {
        case .all(let ids): return try page(query, bound, of: ids, in: directory)
        case .many: return try page(query, bound, among: try candidates(search, in: directory), in: directory)
        }
    }

    private func found(_ search: Search, by key: Sort.Key, in directory: Directory) throws -> SearchCache.Found {
        let known = searches[search, key, directory.generation]
        state.noteSearch(isKnown: known != nil)
        if let known { return known }
        let found = try find(try candidates(search, in: directory), by: key, in: directory)
        searches[search, key, directory.generation] = found
        return found
    }

    private func candidates(_ search: Search, in directory: Directory) throws -> Candidates {
        if let known = searches[candidates: search, directory.generation] { return known }
        searches[candidates: search, directory.generation] = nil  // Not two of them at a time.
        let found = try candidates(SearchPlan(search, facets: facetGrams(search, in: directory)), in: directory)
        searches[candidates: search, directory.generation] = found
        return found
    }

    /// What the index knows the values of facets by; `nil` where nobody has one of them.
    private func facetGrams(_ search: Search, in directory: Directory) throws -> [Gram]? {
        // Whoever asked may have known the values of a moment ago, and not in which case this one is written.
        let statement = try connection.statement(
            "SELECT number, value FROM facet WHERE directory = ? AND facet = ? ORDER BY count DESC, number")
        var grams: [Gram] = []
        for choice in search.facets {
            statement.bind(directory.id, at: 1)
            statement.bind(Int64(choice.facet.rawValue), at: 2)
            defer { statement.reset() }
            var (numbers, values): ([Int64], [String]) = ([], [])
            while try statement.step() {
                numbers.append(statement.number(0))
                values.append(String(decoding: statement.bytes(1), as: UTF8.self))
            }
            guard let index = FacetChoice.index(of: choice.value, in: values) else { return nil }
            grams.append(Gram(choice.facet, numbers[index]))
        }
        return grams
    }

    private func find(_ candidates: Candidates, by key: Sort.Key, in directory: Directory) throws -> SearchCache.Found {
        guard candidates.areProven else { return try findByTexts(candidates, by: key, in: directory.id) }
        let count = candidates.ids.count
        if count > limits.counted { return .many }
        if key == .id { return .all(candidates.ids.all) }
        return count < directory.total / limits.walked
            ? try findByTexts(candidates, by: key, in: directory.id)
            : .all(try ids(on: Walk(key: key, isDescending: false), candidates, limit: count, in: directory))
    }

    private func findByTexts(
        _ candidates: Candidates, by key: Sort.Key, in directory: Int64
    ) throws -> SearchCache.Found {
        var matches = Sorting(by: key)
        try forEachText(of: candidates.ids, in: directory) { statement in
            if candidates.isProven(by: statement.bytes(1)) { matches.append(statement) }
            return matches.count <= limits.counted
        }
        return matches.count > limits.counted ? .many : .all(matches.sorted())
    }

    func users(_ ids: [Int64], by key: Sort.Key, in directory: Int64) throws -> UserRows {
        let statement = try connection.statement(
            """
            SELECT \(columns), (SELECT text FROM userText\(directory) WHERE id = ?1) FROM user\(directory) WHERE id = ?1
            """)
        var rows = UserRows()
        for id in ids {
            statement.bind(id, at: 1)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            let text = SearchedText(statement.bytes(8))
            rows.append(statement, sortText: key == .login ? text.loginKey : key == .name ? text.nameKey : nil)
        }
        return rows
    }
}
