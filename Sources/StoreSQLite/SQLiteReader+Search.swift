import Bytes
import Directories

// Pages of a search. Up to ten thousand matches are all found and sorted, once for all pages of a search; that gives the
// total and positions. More than that are met by walking through the order until the page is full.

/// How far searches go before they take another way; tests make them small.
struct SearchLimits {
    /// A search's total is exact up to this.
    var counted = 10_000
    /// Where one of so many users matches, or more, a walk through the order takes less than reading and sorting texts.
    var walked = 256
}

extension SQLiteReader {
    func page(_ query: UserQuery, search: Search, in directory: Directory) throws -> Page {
        let bound = try Bound(query.start, key: query.sort.key)
        switch try found(search, by: query.sort.key, in: directory) {
        case .all(let matches): return try page(query, bound, of: matches, in: directory)
        case .many: return try walkedPage(query, bound, try candidates(search, in: directory), in: directory)
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
        let found = try candidates(SearchPlan(search), in: directory)
        searches[candidates: search, directory.generation] = found
        return found
    }
}

// MARK: - All matches

extension SQLiteReader {
    private func find(
        _ candidates: Candidates, by key: Sort.Key, in directory: Directory
    ) throws -> SearchCache.Found {
        guard candidates.areProven else { return try findByTexts(candidates, by: key, in: directory.id) }
        let count = candidates.ids.count
        if count > limits.counted { return .many }
        if key != .id, count < directory.total / limits.walked {
            return try findByTexts(candidates, by: key, in: directory.id)
        }
        return .all(
            try ids(on: Walk(key: key, isDescending: false), from: nil, candidates, limit: count, in: directory))
    }

    private func findByTexts(
        _ candidates: Candidates, by key: Sort.Key, in directory: Int64
    ) throws -> SearchCache.Found {
        let statement = try texts(of: directory)
        defer { statement.reset() }
        var texts = TextReading(statement)
        var matches = Sorting(by: key)
        var id = candidates.ids.next(after: nil, isDescending: false)
        while let candidate = id {
            if try texts.go(to: candidate), candidates.isProven(by: statement.bytes(1)) {
                if matches.count == limits.counted { return .many }
                matches.append(statement)
            }
            id = candidates.ids.next(after: candidate, isDescending: false)
        }
        return .all(matches.sorted())
    }

    private func page(_ query: UserQuery, _ bound: Bound?, of matches: [Int64], in directory: Directory) throws -> Page
    {
        let range = try range(query, bound, of: matches, in: directory.id)
        let count = matches.count
        let isDescending = query.sort.direction == .descending
        let ids = range.map { matches[isDescending ? count - 1 - $0 : $0] }
        return Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: range.isEmpty ? nil : range.lowerBound + 1, total: count,
            hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < count)
    }

    /// Which matches a page shows, counted in the order it shows them in.
    private func range(
        _ query: UserQuery, _ bound: Bound?, of matches: [Int64], in directory: Int64
    ) throws -> Range<Int> {
        let count = matches.count
        guard let bound else {
            return query.start.isBackward ? max(0, count - query.limit)..<count : 0..<min(query.limit, count)
        }
        let isDescending = query.sort.direction == .descending
        let isAtIncluded = query.start.isBackward == isDescending
        let before = try self.count(of: matches, before: bound, orAt: isAtIncluded, query.sort.key, in: directory)
        let place = isDescending ? count - before : before
        if query.start.isBackward { return max(0, place - query.limit)..<place }
        return place..<min(place + query.limit, count)
    }

    /// How many of `matches` are before `bound`, or before and at it: by halves.
    private func count(
        of matches: [Int64], before bound: Bound, orAt: Bool, _ key: Sort.Key, in directory: Int64
    ) throws -> Int {
        let statement = try texts(of: directory)
        defer { statement.reset() }
        var texts = TextReading(statement)
        var low = 0
        var high = matches.count
        while low < high {
            let middle = (low + high) / 2
            var order = matches[middle] < bound.place.id ? -1 : matches[middle] == bound.place.id ? 0 : 1
            if key != .id, try texts.go(to: matches[middle]) { order = bound.compare(statement, by: key) }
            if order < 0 || (orAt && order == 0) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func users(_ ids: [Int64], by key: Sort.Key, in directory: Int64) throws -> UserRows {
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

extension Bound {
    /// Negative, zero or positive as the user on whom a ``TextReading`` stands comes before, at or after this bound.
    fileprivate func compare(_ statement: Statement, by key: Sort.Key) -> Int {
        text.withUnsafeBytes { text in
            let id = statement.number(0)
            if !key.isText {
                return SortKey(number: statement.number(2), id: id).compare(in: text, to: place, in: text)
            }
            let texts = SearchedText(statement.bytes(1))
            let found = key == .login ? texts.loginKey : texts.nameKey
            return SortKey(text: Slice(offset: 0, count: found.count), in: found, id: id)
                .compare(in: found, to: place, in: text)
        }
    }
}

// MARK: - More matches than are counted

extension SQLiteReader {
    private func walkedPage(
        _ query: UserQuery, _ bound: Bound?, _ candidates: Candidates, in directory: Directory
    ) throws -> Page {
        let isBackward = query.start.isBackward
        let walk = Walk(query)
        var ids = try self.ids(on: walk, from: bound, candidates, limit: query.limit + 1, in: directory)
        let hasMore = ids.count > query.limit
        if hasMore { ids.removeLast() }
        if isBackward { ids.reverse() }
        var isEnd = bound == nil
        if let bound {
            // Nobody at the bound or on the side of it that the walk leaves behind.
            isEnd = try self.ids(on: walk.reversed, from: bound, isInclusive: true, candidates, limit: 1, in: directory)
                .isEmpty
        }
        return Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: !isBackward && isEnd && !ids.isEmpty ? 1 : nil, total: nil,
            hasPrevious: isBackward ? hasMore : !isEnd, hasNext: isBackward ? !isEnd : hasMore)
    }

    /// The first who match on a walk.
    private func ids(
        on walk: Walk, from bound: Bound?, isInclusive: Bool = false, _ candidates: Candidates, limit: Int,
        in directory: Directory
    ) throws -> [Int64] {
        let isWanted = try proof(candidates, in: directory.id)
        var ids: [Int64] = []
        if limit == 0 { return ids }
        if walk.key == .id {
            var id = bound?.place.id
            if let first = id, isInclusive, candidates.ids.contains(first), try isWanted(first) { ids.append(first) }
            while ids.count < limit, let next = candidates.ids.next(after: id, isDescending: walk.isDescending) {
                if try isWanted(next) { ids.append(next) }
                id = next
            }
            return ids
        }
        // To look for the candidates among all ids of the order reads no texts.
        try walkIDs(walk, from: bound, isInclusive: isInclusive, in: directory) { run in
            for id in run where candidates.ids.contains(id) {
                if try isWanted(id) { ids.append(id) }
                if ids.count == limit { return false }
            }
            return true
        }
        return ids
    }

    /// Tells whether a candidate matches.
    private func proof(_ candidates: Candidates, in directory: Int64) throws -> (Int64) throws -> Bool {
        if candidates.areProven { return { _ in true } }
        let text = try connection.statement("SELECT text FROM userText\(directory) WHERE id = ?")
        return { id in
            text.bind(id, at: 1)
            defer { text.reset() }
            return try text.step() && candidates.isProven(by: text.bytes(0))
        }
    }
}
