import Bytes
import Directories

// Searches. Up to ten thousand matches are counted, which gives the total and positions; more are met by walking through
// the order until the page is full.

/// How far searches go before they take another way; tests make them small.
struct SearchLimits {
    /// A search's total is exact up to this.
    var counted = 10_000
    /// Where one of so many users matches, or more, a walk through the order takes less than reading and sorting texts.
    var walked = 250
    /// Fewer than these are sooner looked at than looked for in the list of a gram that is as long as most.
    var few = 64
    /// A page is met by walking if that takes at most a run for so many texts that would be read to sort.
    var textsARun = 6
    /// Of fewer candidates it takes less to read the texts than to look where grams stand.
    var placed = 512
}

extension SQLiteReader {
    func page(_ query: UserQuery, search: Search, in directory: Directory) throws -> Page {
        let bound = try SeekKey(query.start, key: query.sort.key)
        let known = searches[search, query.sort.key, directory.generation]
        state.noteSearch(isKnown: known != nil || searches[candidates: search, directory.generation] != nil)
        if let known { return try page(query, bound, of: known, in: directory) }
        let candidates = try candidates(search, in: directory)
        let parts = try parts(candidates, by: query.sort.key, in: directory)
        if let maxRuns = runsToWalk(for: query, parts, of: candidates, in: directory),
            let page = try page(query, bound, among: candidates, maxRuns: maxRuns, in: directory)
        {
            return page
        }
        let ids = try sorted(parts, of: candidates, by: query.sort.key, in: directory)
        searches[search, query.sort.key, directory.generation] = ids
        return try page(query, bound, of: ids, in: directory)
    }

    /// How many runs may be walked through to meet a page before all matches are brought into their order; `nil` where that
    /// is done at once.
    ///
    /// Those at an end of an order, and those beside a page that has been read lately, are sooner met where there are many. A
    /// run takes somewhat longer than the text of one who is sorted; and who all have the same first name may stand far off.
    private func runsToWalk(
        for query: UserQuery, _ parts: MatchParts, of candidates: Candidates, in directory: Directory
    ) -> Int? {
        // Those that are not counted are not brought into order.
        guard areCounted(candidates) else { return .max }
        if query.sort.key == .id { return nil }
        guard query.start.isAtEnd || knownPosition(query, in: directory) != nil else { return nil }
        let apart = parts.apart.count
        if !isRare(apart, in: directory) { return .max }
        // What people who are spread over the order take.
        let expected = (query.limit + 1) * directory.total / max(candidates.ids.count, 1) / SortIndexWriter.Limits().newCount
        let affordable = apart / limits.textsARun
        return expected * 2 < affordable ? affordable : nil
    }

    /// Whether all of them match, and are few enough for a total.
    func areCounted(_ candidates: Candidates) -> Bool {
        candidates.areProven && candidates.ids.count <= limits.counted
    }

    private func isRare(_ count: Int, in directory: Directory) -> Bool { count < directory.total / limits.walked }

    /// Whom the index finds: those who match, unless that are too many to count.
    private func candidates(_ search: Search, in directory: Directory) throws -> Candidates {
        if let known = searches[candidates: search, directory.generation] { return known }
        searches[candidates: search, directory.generation] = nil  // Not two of them at a time.
        let plan = SearchPlan(search, facets: try facetGrams(search, in: directory))
        let found = try matches(among: try candidates(plan, in: directory.id), in: directory)
        searches[candidates: search, directory.generation] = found
        return found
    }

    /// What the index knows the values of facets by; `nil` where nobody has one of them.
    private func facetGrams(_ search: Search, in directory: Directory) throws -> [NGram]? {
        // Whoever asked may have known the values of a moment ago, and not in which case this one is written.
        let statement = try connection.statement(
            "SELECT number, value FROM facet WHERE directory = ? AND facet = ? ORDER BY count DESC, number")
        var ngrams: [NGram] = []
        for choice in search.facets {
            statement.bind(directory.id, at: 1)
            statement.bind(Int64(choice.facet.rawValue), at: 2)
            defer { statement.reset() }
            var (numbers, values): ([Int64], [String]) = ([], [])
            while try statement.step() {
                numbers.append(try statement.facetValue(0))
                values.append(String(decoding: statement.bytes(1), as: UTF8.self))
            }
            guard let index = FacetChoice.index(of: choice.value, in: values) else { return nil }
            ngrams.append(NGram(choice.facet, numbers[index]))
        }
        return ngrams
    }

    /// The ids of `matches`, in the ascending order.
    private func sorted(
        _ parts: MatchParts, of matches: Candidates, by key: Sort.Key, in directory: Directory
    ) throws -> [Int64] {
        if key == .id { return matches.ids.all }
        if !isRare(parts.apart.count, in: directory) {
            let scan = IndexScan(key: key, isDescending: false)
            return try ids(on: scan, matches, limit: matches.ids.count, in: directory)
        }
        var sorting = try sorting(parts.apart, by: key, in: directory.id)
        // Nobody else stands between those who stand together.
        return sorting.sorted(around: parts.together, who: matches.plan.soleWord ?? [])
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
            // Orders and search index have nobody else.
            guard try statement.step() else { throw BlockDecoder.damage }
            let text = SearchedText(statement.bytes(8))
            try rows.append(statement, sortText: key == .login ? text.loginKey : key == .name ? text.nameKey : nil)
        }
        return rows
    }
}
