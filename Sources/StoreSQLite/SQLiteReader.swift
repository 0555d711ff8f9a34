import Bytes
import Directories

/// Reads pages on a connection of its own, each in one transaction.
final class SQLiteReader: UserReader {
    let connection: Connection
    let state: SharedState
    var searches = SearchCache()
    var limits = SearchLimits()
    /// The directory of the last page; its strings are made only when its generation has changed.
    private var lastDirectory: Directory?
    private let scratch = ByteBuffer(capacity: 512)

    init(path: String, state: SharedState) throws {
        // SQLite's own default: upper levels of the trees stay, leaves come from the system's cache.
        connection = try Connection(reading: path, cacheKiB: 2000)
        self.state = state
    }

    func page(_ query: UserQuery) throws -> Page? {
        try reading(query.directory) { directory in
            if let search = query.search { return try self.page(query, search: search, in: directory) }
            return try self.plainPage(query, in: directory)
        }
    }

    func user(login: String, directory id: Int64) throws -> Page? {
        try reading(id) { directory in
            scratch.removeAll()
            let folded = scratch.append(folding: login)
            let key = scratch.bytes[folded].sortText
            let statement = try connection.statement(
                .login(of: id), "SELECT \(columns) FROM user\(id) WHERE loginKey = ? ORDER BY id DESC")
            statement.bind(key, at: 1)
            defer { statement.reset() }
            // Whoever is written exactly so; else the first in any case, which is the newer account.
            var found: UserRows?
            while try statement.step() {
                var rows = UserRows()
                rows.append(statement, sortColumn: nil)
                let name = rows[rows.rows[0].login]
                if name == login {
                    found = rows
                    break
                }
                // Keys of very long logins are cut.
                if found == nil, key.count == folded.count || name.folded == login.folded { found = rows }
            }
            statement.reset()
            return try found.map { try page($0, of: Sort(), isBackward: false, hasMore: nil, in: directory) }
        }
    }

    /// Calls `body` with the directory in one transaction; answers `nil` where there is none.
    private func reading<Result>(_ directory: Int64, _ body: (Directory) throws -> Result?) throws -> Result? {
        let statement = try connection.statement(
            .directory, "SELECT id, slug, title, source, total, generation FROM directory WHERE id = ?")
        statement.bind(directory, at: 1)
        // Left open until the end: this is what makes all that is read meanwhile one transaction.
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        if lastDirectory?.id != directory || lastDirectory?.generation != statement.number(5) {
            lastDirectory = Directory(statement)
        }
        guard let lastDirectory else { return nil }
        return try body(lastDirectory)
    }
}

// MARK: - Pages without a search

extension SQLiteReader {
    private func plainPage(_ query: UserQuery, in directory: Directory) throws -> Page {
        let isBackward = query.start.isBackward
        let bound = try Bound(query.start, key: query.sort.key)
        let walk = Walk(
            key: query.sort.key, isDescending: (query.sort.direction == .descending) != isBackward,
            isBounded: bound != nil)
        let statement = try connection.statement(.users(walk, of: directory.id), walk.users(directory.id))
        defer { statement.reset() }
        let next = bound?.bind(to: statement) ?? 1
        statement.bind(Int64(query.limit + 1), at: next)
        var rows = UserRows()
        rows.rows.reserveCapacity(query.limit)
        rows.text.reserveCapacity(query.limit * 256)
        var hasMore = false
        while try statement.step() {
            if rows.rows.count == query.limit {
                hasMore = true
                break
            }
            rows.append(statement, sortColumn: query.sort.key.isText ? 8 : nil)
        }
        statement.reset()
        if isBackward { rows.rows.reverse() }
        return try page(rows, of: query.sort, isBackward: isBackward, hasMore: hasMore, in: directory)
    }

    /// The page of `rows`, with its place in the order.
    private func page(
        _ rows: UserRows, of sort: Sort, isBackward: Bool, hasMore: Bool?, in directory: Directory
    ) throws -> Page {
        guard let first = rows.rows.first else {
            return Page(
                users: rows, directory: directory, firstPosition: nil, total: directory.total,
                hasPrevious: !isBackward && directory.total > 0, hasNext: isBackward && directory.total > 0)
        }
        let rank = try rank(of: first, in: rows, by: sort.key, of: directory)
        let position = sort.direction == .ascending ? rank + 1 : directory.total - rank
        let isFirst = position <= 1
        let isLast = position - 1 + rows.rows.count >= directory.total
        return Page(
            users: rows, directory: directory, firstPosition: position, total: directory.total,
            hasPrevious: isBackward ? hasMore ?? !isFirst : !isFirst,
            hasNext: isBackward ? !isLast : hasMore ?? !isLast)
    }
}

extension Sort.Key {
    var isText: Bool { self == .login || self == .name }

    /// The column that the order compares before the id.
    var column: String {
        switch self {
        case .id: "id"
        case .login: "loginKey"
        case .name: "nameKey"
        case .reputation: "reputation"
        }
    }
}

/// What of `user` a page takes; after these comes the text sorted by, in orders that have one.
let columns = "id, reputation, login, name, avatarURL, htmlURL, type, more"

/// A walk through the users of a directory in the direction of an index, from a place on or from its end.
struct Walk: Hashable {
    var key: Sort.Key
    var isDescending: Bool
    var isBounded: Bool

    /// Parameters: the bound, if there is one; then how many.
    func users(_ directory: Int64) -> String {
        let limit = isBounded && key != .id ? "?3" : isBounded ? "?2" : "?1"
        return select("\(columns)\(key.isText ? ", \(key.column)" : "") FROM user\(directory) AS u", limit: limit)
    }

    /// Ids and searched texts in the order; parameters: the bound, if there is one.
    func texts(_ directory: Int64) -> String {
        select(
            "u.id, t.text FROM user\(directory) AS u CROSS JOIN userText\(directory) AS t ON t.id = u.id", limit: "-1")
    }

    /// Ids alone; parameters: the bound, if there is one.
    func ids(_ directory: Int64) -> String { select("u.id FROM user\(directory) AS u", limit: "-1") }

    private func select(_ selection: String, limit: String) -> String {
        let (compare, direction) = isDescending ? ("<", " DESC") : (">", "")
        let byID = "ORDER BY u.id\(direction) LIMIT \(limit)"
        if key == .id { return "SELECT \(selection) \(isBounded ? "WHERE u.id \(compare) ?1 " : "")\(byID)" }
        let byBoth = "ORDER BY u.\(key.column)\(direction), u.id\(direction) LIMIT \(limit)"
        guard isBounded else { return "SELECT \(selection) \(byBoth)" }
        // SQLite takes no rowid for the second value of (key, id) > (?, ?) and would read all equal keys before the bound
        // (3.40: EXPLAIN QUERY PLAN says "key>?"). So those that are equal come first, then the rest. The limits inside
        // also keep SQLite from dropping the orders there.
        return """
            SELECT * FROM (SELECT \(selection) WHERE u.\(key.column) = ?1 AND u.id \(compare) ?2 \(byID)) UNION ALL \
            SELECT * FROM (SELECT \(selection) WHERE u.\(key.column) \(compare) ?1 \(byBoth)) LIMIT \(limit)
            """
    }
}

/// The cursor a page starts from, as a statement takes it.
enum Bound {
    case id(Int64)
    case number(Int64, id: Int64)
    case text(String, id: Int64)

    /// `nil` for a page from an end.
    init?(_ start: UserQuery.Start, key: Sort.Key) throws {
        switch start {
        case .first, .last: return nil
        case .after(let cursor), .before(let cursor):
            switch (cursor, key) {
            case (.id(let id), .id): self = .id(id)
            case (.text(let text, let id), .login), (.text(let text, let id), .name): self = .text(text, id: id)
            case (.number(let number, let id), .reputation): self = .number(number ?? Schema.noReputation, id: id)
            default: throw StoreError(.invalidCursor, "\(cursor) is no cursor of the order by \(key.rawValue)")
            }
        }
    }

    /// Binds and answers which parameter comes next.
    func bind(to statement: Statement) -> Int32 {
        switch self {
        case .id(let id):
            statement.bind(id, at: 1)
            return 2
        case .number(let number, let id):
            statement.bind(number, at: 1)
            statement.bind(id, at: 2)
        case .text(let text, let id):
            statement.bind(text, at: 1)
            statement.bind(id, at: 2)
        }
        return 3
    }
}

extension UserRows {
    /// Appends the user that `statement` stands on: ``columns``, and the text sorted by in `sortColumn`.
    mutating func append(_ statement: Statement, sortColumn: Int32?) {
        let reputation = statement.number(1)
        rows.append(
            Row(
                id: statement.number(0), reputation: reputation == Schema.noReputation ? nil : reputation,
                login: keep(statement.bytes(2)), name: keep(statement.bytes(3)), avatarURL: keep(statement.bytes(4)),
                htmlURL: keep(statement.bytes(5)), type: keep(statement.bytes(6)), more: keep(statement.bytes(7)),
                sortText: sortColumn.map { keep(statement.bytes($0)) } ?? .empty))
    }
}
