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
        let hunt = Hunt(plan, in: directory.id)
        var ids = try self.ids(on: walk, from: bound, hunt, limit: query.limit + 1)
        let hasMore = ids.count > query.limit
        if hasMore { ids.removeLast() }
        if isBackward { ids.reverse() }
        var isEnd = bound == nil
        if let bound { isEnd = try !isAnyone(at: bound, orBehind: walk, hunt) }
        return Page(
            users: try users(ids, by: query.sort.key, in: directory.id), directory: directory,
            firstPosition: !isBackward && isEnd && !ids.isEmpty ? 1 : nil, total: nil,
            hasPrevious: isBackward ? hasMore : !isEnd, hasNext: isBackward ? !isEnd : hasMore)
    }

    /// A search on a walk. The index is asked when the first is looked for there, and not again.
    private final class Hunt {
        let plan: SearchPlan
        let directory: Int64
        var candidates: Candidates?

        init(_ plan: SearchPlan, in directory: Int64) {
            self.plan = plan
            self.directory = directory
        }
    }

    private func candidates(of hunt: Hunt) throws -> Candidates {
        let candidates = try hunt.candidates ?? candidates(hunt.plan, in: hunt.directory)
        hunt.candidates = candidates
        return candidates
    }

    /// Whether anyone matches at `bound` or on the side of it that `walk` leaves behind.
    private func isAnyone(at bound: Bound, orBehind walk: Walk, _ hunt: Hunt) throws -> Bool {
        let statement = try connection.statement(
            """
            SELECT t.text FROM user\(hunt.directory) AS u CROSS JOIN userText\(hunt.directory) AS t ON t.id = u.id
            WHERE (u.\(walk.key.column), u.id) = (?, ?)
            """)
        defer { statement.reset() }
        bound.bindPlace(to: statement)
        if try statement.step(), hunt.plan.matches(statement.bytes(0)) { return true }
        statement.reset()
        var back = walk
        back.isDescending.toggle()
        return try !ids(on: back, from: bound, hunt, limit: 1).isEmpty
    }

    /// The first who match on a walk.
    private func ids(on walk: Walk, from bound: Bound?, _ hunt: Hunt, limit: Int) throws -> [Int64] {
        if walk.key == .id { return try idsByIndex(walk, from: bound, hunt, limit: limit) }
        if let ids = try idsByTexts(walk, from: bound, hunt, limit: limit) { return ids }
        return try idsBySet(walk, from: bound, hunt, limit: limit)
    }

    /// The index is in the order of ids.
    private func idsByIndex(_ walk: Walk, from bound: Bound?, _ hunt: Hunt, limit: Int) throws -> [Int64] {
        let candidates = try candidates(of: hunt)
        let isWanted = try proof(candidates, in: hunt.directory)
        var ids: [Int64] = []
        if walk.isDescending {
            let end = bound.map { candidates.ids.firstIndex(atOrAfter: $0.id) } ?? candidates.ids.count
            for id in candidates.ids[..<end].reversed() where ids.count < limit {
                if try isWanted(id) { ids.append(id) }
            }
        } else {
            // A bound is excluded, and ids are positive.
            let start = bound.map { candidates.ids.firstIndex(atOrAfter: $0.id == .max ? .max : $0.id + 1) } ?? 0
            for id in candidates.ids[start...] where ids.count < limit {
                if try isWanted(id) { ids.append(id) }
            }
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

    /// Looks at the text of everyone on the way; gives up (`nil`) where matches are far.
    private func idsByTexts(_ walk: Walk, from bound: Bound?, _ hunt: Hunt, limit: Int) throws -> [Int64]? {
        let statement = try connection.statement(walk.texts(hunt.directory))
        _ = bound?.bind(to: statement)
        defer { statement.reset() }
        var ids: [Int64] = []
        for _ in 0..<limits.walked {
            guard ids.count < limit, try statement.step() else { return ids }
            if hunt.plan.matches(statement.bytes(1)) { ids.append(statement.number(0)) }
        }
        return nil
    }

    /// Takes all ids from the index first, and then looks for them in the order, which reads no texts.
    private func idsBySet(_ walk: Walk, from bound: Bound?, _ hunt: Hunt, limit: Int) throws -> [Int64] {
        let candidates = try candidates(of: hunt)
        let isWanted = try proof(candidates, in: hunt.directory)
        let statement = try connection.statement(walk.ids(hunt.directory))
        _ = bound?.bind(to: statement)
        defer { statement.reset() }
        var ids: [Int64] = []
        while ids.count < limit, try statement.step() {
            let id = statement.number(0)
            if candidates.contains(id), try isWanted(id) { ids.append(id) }
        }
        return ids
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
