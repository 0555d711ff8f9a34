import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine

/// Shared by suites of stores: orders, and pages compared with those of the model.
enum StoreSuite {
    /// All ascending ones first: a reader on PostgreSQL keeps the matches of a search for both directions, and would
    /// cut the pages of the next order out of them.
    static let sorts = Sort.Direction.allCases.flatMap { direction in Sort.Key.common.map { Sort($0, direction) } }
    /// The orders of a search: also by relevance, and then by any other order.
    static let searchSorts =
        sorts
        + Sort.Direction.allCases.flatMap { direction in
            [Sort(), Sort(.name), Sort(.name, .descending)].map { Sort(.relevance(then: $0), direction) }
        }
    static let slug = Slug("people")!

    /// Returns a reader for each order, because a reader keeps what it has found.
    static func readers(
        _ store: any EngineStore, sorts: [Sort] = sorts
    ) throws -> [(sort: Sort, reader: any UserReader)] {
        try sorts.map { ($0, try store.makeReader()) }
    }

    /// Returns the ids read by following pages to their end.
    static func chain(_ reader: any UserReader, _ query: inout UserQuery, backward: Bool) throws -> [Int64] {
        var ids: [Int64] = []
        while true {
            let page = try #require(try reader.page(query))
            guard !page.users.rows.isEmpty else { return ids }
            let found = page.users.rows.map(\.id)
            ids = backward ? found + ids : ids + found
            guard backward ? page.hasPrevious : page.hasNext else { return ids }
            let edge = page.users.cursor(of: backward ? 0 : found.count - 1, in: query.sort.key)
            query.start = backward ? .before(edge) : .after(edge)
        }
    }

    /// Compares some pages with the model's: from both ends, from users, and from cursors where no user is or is left.
    static func check(
        _ reader: any UserReader, _ model: Model, _ directory: Int64, _ sort: Sort, _ random: inout SplitMix,
        search: Search? = nil
    ) throws {
        let everyone = model.sorted(sort, search)
        let cursor = { (user: User) in model.cursor(of: user, sort.key, search) }
        var starts: [UserQuery.Start] = [.first, .last]
        for _ in 0..<12 {
            let anyone = everyone.randomElement(using: &random) ?? random.user(id: 5)
            starts.append(
                Bool.random(using: &random)
                    ? .after(cursor(anyone)) : .before(cursor(anyone)))
            let nobody = cursor(random.user(id: Int64.random(in: 1...2100, using: &random)))
            starts.append(Bool.random(using: &random) ? .after(nobody) : .before(nobody))
        }
        if sort.key == .id { starts += [.after(.id(0)), .after(.id(.max)), .before(.id(0)), .before(.id(.max))] }
        starts += [
            .at(0), .at(Int.random(in: 0...everyone.count + 3, using: &random)), .at(everyone.count), .at(1 << 40),
        ]
        for start in starts {
            let limit = Int.random(in: 1...40, using: &random)
            let query = UserQuery(directory: directory, search: search, sort: sort, start: start, limit: limit)
            let page = try #require(try reader.page(query))
            let range = expectedRange(everyone, start, sort, limit, in: model, search)
            #expect(page.users.users == Array(everyone[range]), "\(query)")
            #expect(page.total == everyone.count, "\(query)")
            #expect(page.firstPosition == (range.isEmpty ? nil : range.lowerBound + 1), "\(query)")
            #expect(page.hasPrevious == (range.lowerBound > 0), "\(query)")
            #expect(page.hasNext == (range.upperBound < everyone.count), "\(query)")
            for (index, user) in everyone[range].enumerated() {
                #expect(page.users.cursor(of: index, in: sort.key) == cursor(user))
            }
        }
    }

    static func expectedRange(
        _ everyone: [User], _ start: UserQuery.Start, _ sort: Sort, _ limit: Int, in model: Model,
        _ search: Search? = nil
    ) -> Range<Int> {
        switch start {
        case .first, .letter: return 0..<min(limit, everyone.count)
        case .last: return max(0, everyone.count - limit)..<everyone.count
        case .after(let cursor):
            let first = everyone.firstPlace { place($0, cursor, sort, model, search) > 0 }
            return first..<min(first + limit, everyone.count)
        case .before(let cursor):
            let end = everyone.firstPlace { place($0, cursor, sort, model, search) >= 0 }
            return max(0, end - limit)..<end
        case .at(let position):
            let first = min(position, everyone.count)
            return first..<min(first + limit, everyone.count)
        }
    }

    /// Returns a negative value, zero or a positive value for a `user` before, at or after `cursor`.
    static func place(_ user: User, _ cursor: Cursor, _ sort: Sort, _ model: Model, _ search: Search? = nil) -> Int {
        if case .relevance(let relevance, let base) = cursor, case .relevance(let then) = sort.key {
            let rank = search.flatMap { model.rank(of: user, $0) }?.rank ?? 0
            let order = rank == relevance.rank ? place(user, base, then, model) : rank < relevance.rank ? -1 : 1
            return sort.direction == .ascending ? order : -order
        }
        if sort.key.hasMissingValues {
            let order = model.cursor(of: user, sort.key).order(to: cursor, sort.direction)
            if order != 0 { return order }
            return user.id == cursor.id ? 0 : user.id < cursor.id ? -1 : 1
        }
        let (left, right): ([UInt8], [UInt8])
        var order = 0
        switch cursor {
        case .id, .number, .relevance: (left, right) = ([], [])
        case .text(let text, _):
            (left, right) = (user.loginKey, Array(text.utf8))
            order = compare(left, right)
        case .key(let key, _, _):
            (left, right) = (user.nameKey(model.settings.language), key)
            order = compare(left, right)
        }
        if order == 0 { order = user.id == cursor.id ? 0 : user.id < cursor.id ? -1 : 1 }
        return sort.direction == .ascending ? order : -order
    }
}

/// Why `body` fails; `nil` if it does not, or if the error is not the store's.
func reason(_ body: () throws -> Void) -> StoreError.Reason? { failure(body)?.reason }

func failure(_ body: () throws -> Void) -> StoreError? {
    do { try body() } catch { return error as? StoreError }
    return nil
}

extension StoreError? {
    /// Whether this is a failure for that reason, and its description has all of `texts`.
    func says(_ reason: StoreError.Reason, _ texts: String...) -> Bool {
        self?.reason == reason && texts.allSatisfy { self?.description.contains($0) == true }
    }
}

extension [User] {
    /// Returns the index of the first user for whom `isBehind` is true. It is also true for all later users.
    fileprivate func firstPlace(where isBehind: (User) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
