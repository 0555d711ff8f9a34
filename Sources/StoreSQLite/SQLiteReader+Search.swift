import Bytes
import Directories

// Pages of a search. Up to ten thousand matches are all found and sorted, once for all pages of a search; that gives the
// total and positions. More than that are dense enough to be met by walking through the order until the page is full.

/// How far searches go before they take another way; tests make them small.
struct SearchLimits {
    /// A search's total is exact up to this.
    var counted = 10_000
}

extension SQLiteReader {
    func page(_ query: UserQuery, search: Search, in directory: Directory) throws -> Page {
        let plan = SearchPlan(search)
        let bound = try Bound(query.start, key: query.sort.key)
        let found = try found(search, plan, by: query.sort.key, in: directory)
        switch found {
        case .all(let matches): return try page(query, bound, of: matches, in: directory)
        case .many: return try walkedPage(query, bound, plan, in: directory)
        }
    }

    private func found(
        _ search: Search, _ plan: SearchPlan, by key: Sort.Key, in directory: Directory
    ) throws -> SearchCache.Found {
        let known = searches[search, key, directory.generation]
        state.noteSearch(isKnown: known != nil)
        if let known { return known }
        let found = try find(plan, by: key, in: directory.id)
        searches[search, key, directory.generation] = found
        return found
    }
}

// MARK: - All matches

extension SQLiteReader {
    private func find(_ plan: SearchPlan, by key: Sort.Key, in directory: Int64) throws -> SearchCache.Found {
        let candidates = try self.candidates(plan, in: directory)
        if candidates.areProven {
            if candidates.ids.count > limits.counted { return .many }
            if key == .id { return .all(Matches(places: candidates.ids.map { SortKey(number: .min, id: $0) })) }
        }
        let statement = try connection.statement("SELECT text, reputation FROM userText\(directory) WHERE id = ?")
        defer { statement.reset() }
        var matches = Matches()
        for id in candidates.ids {
            statement.reset()
            statement.bind(id, at: 1)
            guard try statement.step(), candidates.isProven(by: statement.bytes(0)) else { continue }
            if matches.places.count == limits.counted { return .many }
            matches.append(id: id, text: statement.bytes(0), reputation: statement.number(1), by: key)
        }
        matches.sort()
        return .all(matches)
    }

    private func page(_ query: UserQuery, _ bound: Bound?, of matches: Matches, in directory: Directory) throws -> Page
    {
        let range = matches.range(query, bound)
        let count = matches.places.count
        let isDescending = query.sort.direction == .descending
        let ids = range.map { matches.places[isDescending ? count - 1 - $0 : $0].id }
        return Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: range.isEmpty ? nil : range.lowerBound + 1, total: count,
            hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < count)
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

extension Matches {
    /// Keeps someone's place in the order by `key`, of which `text` (folded login, line feed, folded name) holds the texts.
    fileprivate mutating func append(id: Int64, text: UnsafeRawBufferPointer, reputation: Int64, by key: Sort.Key) {
        switch key {
        case .id: places.append(SortKey(number: .min, id: id))
        case .reputation: places.append(SortKey(number: reputation, id: id))
        case .login: places.append(SortKey(keeping: SearchedText(text).loginKey, in: &self.text, id: id))
        case .name: places.append(SortKey(keeping: SearchedText(text).nameKey, in: &self.text, id: id))
        }
    }

    /// Which matches a page shows, counted in the order it shows them in.
    fileprivate func range(_ query: UserQuery, _ bound: Bound?) -> Range<Int> {
        let count = places.count
        guard let bound else {
            return query.start.isBackward ? max(0, count - query.limit)..<count : 0..<min(query.limit, count)
        }
        let before = bound.count(of: self, orAt: false)
        let beforeOrAt = bound.count(of: self, orAt: true)
        let isDescending = query.sort.direction == .descending
        if query.start.isBackward {
            let end = isDescending ? count - beforeOrAt : before
            return max(0, end - query.limit)..<end
        }
        let start = isDescending ? count - before : beforeOrAt
        return start..<min(start + query.limit, count)
    }
}

extension Bound {
    fileprivate func count(of matches: Matches, orAt: Bool) -> Int {
        text.withUnsafeBytes { matches.count(before: place, $0, orAt: orAt) }
    }
}

// MARK: - More matches than are counted

extension SQLiteReader {
    private func walkedPage(
        _ query: UserQuery, _ bound: Bound?, _ plan: SearchPlan, in directory: Directory
    ) throws -> Page {
        let isBackward = query.start.isBackward
        let walk = Walk(query)
        let candidates = try candidates(plan, in: directory.id)
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
        if walk.key == .id {
            // The order in which the index finds them.
            let range = candidates.range(on: walk, from: bound, isInclusive: isInclusive)
            var index = walk.isDescending ? range.upperBound - 1 : range.lowerBound
            while range.contains(index), ids.count < limit {
                if try isWanted(candidates.ids[index]) { ids.append(candidates.ids[index]) }
                index += walk.isDescending ? -1 : 1
            }
            return ids
        }
        // Their names are all over the order; but to look for them among all of its ids reads no texts.
        let filter = IDFilter(candidates.ids)
        try walkIDs(walk, from: bound, isInclusive: isInclusive, in: directory) { run in
            for id in run where filter.mayContain(id) && candidates.contains(id) {
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

/// Tells of most ids at a glance that they are not among many: a bit each of sixteen times as many bits (a Bloom filter with
/// one hash), in at most 8 MiB.
private struct IDFilter {
    private var words: [UInt64]
    private let shift: UInt64

    init(_ ids: [Int64]) {
        let bits = min(max(64 - (ids.count * 16).leadingZeroBitCount, 10), 26)
        shift = UInt64(64 - bits)
        words = [UInt64](repeating: 0, count: 1 << (bits - 6))
        for id in ids {
            let bit = Self.hash(id) >> shift
            words[Int(bit >> 6)] |= 1 << (bit & 63)
        }
    }

    func mayContain(_ id: Int64) -> Bool {
        let bit = Self.hash(id) >> shift
        return words[Int(bit >> 6)] & 1 << (bit & 63) != 0
    }

    private static func hash(_ id: Int64) -> UInt64 { UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 }
}
