import Bytes
import Directories

// Pages of a search. Up to ten thousand matches are all found and sorted, once for all pages of a search; that gives the
// total and positions. More than that are dense enough to be met by walking through the order until the page is full.

/// How far searches go before they take another way; tests make them small.
struct SearchLimits {
    /// A search's total is exact up to this.
    var counted = 10_000
    /// As many texts as are read in some three milliseconds: of a million users, ten thousand who match come every hundred.
    var walked = 4000
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
        guard let match = plan.match else { return .all(Matches()) }
        if plan.unproven.isEmpty {
            let ids = try self.ids(matching: match, limit: limits.counted + 1, in: directory)
            if ids.count > limits.counted { return .many }
            if key == .id { return .all(Matches(places: ids.map { SortKey(number: .min, id: $0) })) }
        }
        let statement = try connection.statement(
            """
            SELECT t.id, t.text, t.reputation FROM userGram\(directory) AS g CROSS JOIN userText\(directory) AS t
            ON t.id = g.rowid WHERE userGram\(directory) MATCH ?
            """)
        statement.bind(match, at: 1)
        defer { statement.reset() }
        var matches = Matches()
        while try statement.step() {
            let text = statement.bytes(1)
            guard plan.isProven(by: text) else { continue }
            if matches.places.count == limits.counted { return .many }
            matches.append(id: statement.number(0), text: text, reputation: statement.number(2), by: key)
        }
        matches.sort()
        return .all(matches)
    }

    /// The first ids that the index finds.
    private func ids(matching match: String, limit: Int, in directory: Int64) throws -> [Int64] {
        let statement = try connection.statement(
            "SELECT rowid FROM userGram\(directory) WHERE userGram\(directory) MATCH ?")
        statement.bind(match, at: 1)
        defer { statement.reset() }
        var ids: [Int64] = []
        while ids.count < limit, try statement.step() { ids.append(statement.number(0)) }
        return ids
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
            "SELECT \(columns)\(key.isText ? ", \(key.column)" : "") FROM user\(directory) WHERE id = ?")
        var rows = UserRows()
        for id in ids {
            statement.bind(id, at: 1)
            defer { statement.reset() }
            if try statement.step() { rows.append(statement, sortColumn: key.isText ? 8 : nil) }
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
        case .login, .name:
            let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            let isName = key == .name && end + 1 < text.count
            let value = UnsafeRawBufferPointer(rebasing: isName ? text[(end + 1)...] : text[..<end]).sortText
            places.append(SortKey(keeping: value, in: &self.text, id: id))
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
        switch self {
        case .id(let id):
            return matches.count(
                before: SortKey(number: .min, id: id), UnsafeRawBufferPointer(start: nil, count: 0), orAt: orAt)
        case .number(let number, let id):
            return matches.count(
                before: SortKey(number: number, id: id), UnsafeRawBufferPointer(start: nil, count: 0), orAt: orAt)
        case .text(let text, let id):
            return Array(text.utf8).withUnsafeBytes { bytes in
                let place = SortKey(text: Slice(offset: 0, count: bytes.count), in: bytes, id: id)
                return matches.count(before: place, bytes, orAt: orAt)
            }
        }
    }
}

// MARK: - More matches than are counted

extension SQLiteReader {
    private func walkedPage(
        _ query: UserQuery, _ bound: Bound?, _ plan: SearchPlan, in directory: Directory
    ) throws -> Page {
        let isBackward = query.start.isBackward
        let walk = Walk(
            key: query.sort.key, isDescending: (query.sort.direction == .descending) != isBackward,
            isBounded: bound != nil)
        var ids = try self.ids(on: walk, from: bound, plan, limit: query.limit + 1, in: directory.id)
        let hasMore = ids.count > query.limit
        if hasMore { ids.removeLast() }
        if isBackward { ids.reverse() }
        var isEnd = bound == nil
        if let bound { isEnd = try !isAnyone(at: bound, orBehind: walk, plan, in: directory.id) }
        return Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: !isBackward && isEnd && !ids.isEmpty ? 1 : nil, total: nil,
            hasPrevious: isBackward ? hasMore : !isEnd, hasNext: isBackward ? !isEnd : hasMore)
    }

    /// Whether anyone matches at `bound` or on the side of it that `walk` leaves behind.
    private func isAnyone(at bound: Bound, orBehind walk: Walk, _ plan: SearchPlan, in directory: Int64) throws -> Bool
    {
        let statement = try connection.statement(
            """
            SELECT t.text FROM user\(directory) AS u CROSS JOIN userText\(directory) AS t ON t.id = u.id
            WHERE (u.\(walk.key.column), u.id) = (?, ?) AND t.id IN
            (SELECT rowid FROM userGram\(directory) WHERE userGram\(directory) MATCH ? AND rowid = ?)
            """)
        defer { statement.reset() }
        bound.bindPlace(to: statement)
        statement.bind(plan.match ?? "", at: 3)
        statement.bind(bound.id, at: 4)
        if try statement.step(), plan.isProven(by: statement.bytes(0)) { return true }
        statement.reset()
        var back = walk
        back.isDescending.toggle()
        return try !ids(on: back, from: bound, plan, limit: 1, in: directory).isEmpty
    }

    /// The first who match on a walk.
    private func ids(
        on walk: Walk, from bound: Bound?, _ plan: SearchPlan, limit: Int, in directory: Int64
    ) throws -> [Int64] {
        if walk.key == .id { return try idsByIndex(walk, from: bound, plan, limit: limit, in: directory) }
        if let ids = try idsByTexts(walk, from: bound, plan, limit: limit, in: directory) { return ids }
        return try idsBySet(walk, from: bound, plan, limit: limit, in: directory)
    }

    /// The index is in the order of ids.
    private func idsByIndex(
        _ walk: Walk, from bound: Bound?, _ plan: SearchPlan, limit: Int, in directory: Int64
    ) throws -> [Int64] {
        let place = walk.isBounded ? "AND g.rowid \(walk.isDescending ? "<" : ">") ?2" : ""
        let (text, join) =
            plan.unproven.isEmpty ? ("", "") : (", t.text", "CROSS JOIN userText\(directory) AS t ON t.id = g.rowid")
        let statement = try connection.statement(
            """
            SELECT g.rowid\(text) FROM userGram\(directory) AS g \(join)
            WHERE userGram\(directory) MATCH ?1 \(place) ORDER BY g.rowid\(walk.isDescending ? " DESC" : "")
            """)
        statement.bind(plan.match ?? "", at: 1)
        if let bound { statement.bind(bound.id, at: 2) }
        defer { statement.reset() }
        var ids: [Int64] = []
        while ids.count < limit, try statement.step() {
            if plan.unproven.isEmpty || plan.isProven(by: statement.bytes(1)) { ids.append(statement.number(0)) }
        }
        return ids
    }

    /// Looks at the text of everyone on the way; gives up (`nil`) where matches are far.
    private func idsByTexts(
        _ walk: Walk, from bound: Bound?, _ plan: SearchPlan, limit: Int, in directory: Int64
    ) throws -> [Int64]? {
        let statement = try connection.statement(walk.texts(directory))
        _ = bound?.bind(to: statement)
        defer { statement.reset() }
        var ids: [Int64] = []
        for _ in 0..<limits.walked {
            guard ids.count < limit, try statement.step() else { return ids }
            if plan.matches(statement.bytes(1)) { ids.append(statement.number(0)) }
        }
        return nil
    }

    /// Takes all ids from the index first, and then looks for them in the order, which reads no texts.
    private func idsBySet(
        _ walk: Walk, from bound: Bound?, _ plan: SearchPlan, limit: Int, in directory: Int64
    ) throws -> [Int64] {
        let matching = IDSet(try self.ids(matching: plan.match ?? "", limit: .max, in: directory))
        let text = try connection.statement("SELECT text FROM userText\(directory) WHERE id = ?")
        let statement = try connection.statement(walk.ids(directory))
        _ = bound?.bind(to: statement)
        defer { statement.reset() }
        var ids: [Int64] = []
        while ids.count < limit, try statement.step() {
            let id = statement.number(0)
            guard matching.contains(id) else { continue }
            if !plan.unproven.isEmpty {
                text.bind(id, at: 1)
                defer { text.reset() }
                guard try text.step(), plan.isProven(by: text.bytes(0)) else { continue }
            }
            ids.append(id)
        }
        return ids
    }
}

/// Many ids, sorted.
private struct IDSet {
    private let ids: [Int64]

    init(_ sorted: [Int64]) { ids = sorted }

    func contains(_ id: Int64) -> Bool {
        ids.withUnsafeBufferPointer { ids in
            var low = 0
            var high = ids.count
            while low < high {
                let middle = (low + high) / 2
                if ids[middle] < id { low = middle + 1 } else { high = middle }
            }
            return low < ids.count && ids[low] == id
        }
    }
}

extension Bound {
    fileprivate var id: Int64 {
        switch self {
        case .id(let id), .number(_, let id), .text(_, let id): id
        }
    }

    /// Binds the sort value and the id, in the order by id twice the id.
    fileprivate func bindPlace(to statement: Statement) {
        _ = bind(to: statement)
        statement.bind(id, at: 2)
    }
}
