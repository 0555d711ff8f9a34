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
    /// See ``entries(_:_:of:)``.
    var lastBlock: LastBlock?
    private let scratch = ByteBuffer(capacity: 512)

    /// SQLite's own default: upper levels of the trees stay, leaves come from the system's cache.
    private static let cacheKiB = 2000

    convenience init(_ database: OpenDatabase) throws {
        self.init(try Connection(database.file, cacheKiB: Self.cacheKiB), database.state)
    }

    convenience init(path: String, state: SharedState) throws {
        self.init(try Connection(reading: path, cacheKiB: Self.cacheKiB), state)
    }

    private init(_ connection: Connection, _ state: SharedState) {
        self.connection = connection
        self.state = state
    }

    func page(_ query: UserQuery) throws -> Page? {
        try reading(query.directory) { directory in
            if let search = query.search { return try self.page(query, search: search, in: directory) }
            return try self.plainPage(query, in: directory)
        }
    }

    func user(login: String, id: Int64?, directory: Int64) throws -> Page? {
        try reading(directory) { directory in
            let found = try id.map { try user($0, called: login, in: directory) } ?? user(called: login, in: directory)
            return try found.map { try page($0, of: Sort(), isBackward: false, hasMore: nil, in: directory) }
        }
    }

    /// Whoever is written exactly so; else the first in any case, which is the newer account.
    private func user(called login: String, in directory: Directory) throws -> UserRows? {
        var found: UserRows?
        try walkUsers(called: login, in: directory) { rows in
            let isExact = rows[rows.rows[0].login] == login
            if isExact || found == nil { found = rows }
            return !isExact
        }
        return found
    }

    /// The user `id`, if that is their login, in any case.
    private func user(_ id: Int64, called login: String, in directory: Directory) throws -> UserRows? {
        var rows = UserRows()
        guard try appendIfThere(id, sortText: nil, to: &rows, of: directory.id) else { return nil }
        return rows[rows.rows[0].login].folded == login.folded ? rows : nil
    }

    /// Everyone who has a login, in any case.
    func ids(login: String, directory id: Int64, limit: Int = .max) throws -> [Int64] {
        let found: [Int64]? = try reading(id) { directory in
            var ids: [Int64] = []
            try walkUsers(called: login, in: directory) { rows in
                ids.append(rows.rows[0].id)
                return ids.count < limit
            }
            return ids
        }
        return found ?? []
    }

    /// Calls `body` with everyone whose login is `login` in any case, the newest first, until it answers `false`.
    private func walkUsers(
        called login: String, in directory: Directory, _ body: (UserRows) throws -> Bool
    ) throws {
        scratch.removeAll()
        let folded = scratch.append(folding: login)
        let key = scratch.bytes[folded].sortText
        try walkPlaces(IndexScan(key: .login, isDescending: true), from: .behind(key), in: directory) { place, text in
            guard text[place.text].isSame(as: key) else { return false }
            var rows = UserRows()
            try append(place.id, sortText: nil, to: &rows, of: directory.id)
            // Keys of very long logins are cut.
            let isAlike = key.count == folded.count || rows[rows.rows[0].login].folded == login.folded
            return isAlike ? try body(rows) : true
        }
    }

    /// Calls `body` with the directory in one transaction; answers `nil` where there is none.
    func reading<Result>(_ directory: Int64, _ body: (Directory) throws -> Result?) throws -> Result? {
        let statement = try connection.statement(
            .directory, "SELECT \(Directory.columns) FROM directory WHERE id = ?")
        statement.bind(directory, at: 1)
        // Left open until the end: this is what makes all that is read meanwhile one transaction.
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        if lastDirectory?.id != directory || lastDirectory?.generation != statement.number(5) {
            lastDirectory = try connection.directory(statement, origin: state.origin)
        }
        guard let lastDirectory else { return nil }
        return try body(lastDirectory)
    }
}

// MARK: - Pages without a search

extension SQLiteReader {
    private func plainPage(_ query: UserQuery, in directory: Directory) throws -> Page {
        let scan = IndexScan(query)
        let bound = try bound(query.start, on: scan, in: directory)
        var rows = UserRows()
        rows.rows.reserveCapacity(query.limit)
        rows.text.reserveCapacity(query.limit * 256)
        let hasMore =
            try scan.key == .id
            ? append(query.limit, on: scan, from: bound, to: &rows, of: directory.id)
            : appendByRuns(query.limit, on: scan, from: bound, to: &rows, in: directory)
        let isBackward = query.start.isBackward
        if isBackward { rows.rows.reverse() }
        return try page(rows, of: query.sort, isBackward: isBackward, hasMore: hasMore, in: directory)
    }

    /// Appends users in the order of ids, which is that of the table; answers whether there are more.
    private func append(
        _ limit: Int, on scan: IndexScan, from bound: SeekKey?, to rows: inout UserRows, of directory: Int64
    ) throws -> Bool {
        let statement = try connection.statement(
            .users(scan, isBounded: bound != nil, of: directory), scan.users(directory, isBounded: bound != nil))
        defer { statement.reset() }
        statement.bind(Int64(limit + 1), at: 1)
        if let bound { statement.bind(bound.place.id, at: 2) }
        while try statement.step() {
            if rows.rows.count == limit { return true }
            try rows.append(statement, sortText: nil)
        }
        return false
    }

    /// The same in any order.
    private func appendByRuns(
        _ limit: Int, on scan: IndexScan, from bound: SeekKey?, to rows: inout UserRows, in directory: Directory
    ) throws -> Bool {
        var hasMore = false
        try walkPlaces(scan, from: bound, in: directory) { place, text in
            hasMore = rows.rows.count == limit
            if hasMore { return false }
            try append(place.id, sortText: scan.order.isText ? text[place.text] : nil, to: &rows, of: directory.id)
            return true
        }
        return hasMore
    }

    /// Appends the user `id`, whom an order has.
    private func append(
        _ id: Int64, sortText: UnsafeRawBufferPointer?, to rows: inout UserRows, of directory: Int64
    ) throws {
        guard try appendIfThere(id, sortText: sortText, to: &rows, of: directory) else { throw BlockDecoder.damage }
    }

    private func appendIfThere(
        _ id: Int64, sortText: UnsafeRawBufferPointer?, to rows: inout UserRows, of directory: Int64
    ) throws -> Bool {
        let statement = try connection.statement(
            .user(of: directory), "SELECT \(columns) FROM user\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return false }
        try rows.append(statement, sortText: sortText)
        return true
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
        guard position >= 1, position - 1 + rows.rows.count <= directory.total else {
            throw BlockDecoder.damage
        }
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
}

/// What of `user` a page takes.
let columns = "id, reputation, login, name, avatarURL, htmlURL, type, more"

extension IndexScan {
    /// Users by id. Parameters: how many; the bound, if there is one.
    func users(_ directory: Int64, isBounded: Bool) -> String {
        let (compare, direction) = isDescending ? ("<", " DESC") : (">", "")
        let place = isBounded ? "WHERE id \(compare) ?2 " : ""
        return "SELECT \(columns) FROM user\(directory) \(place)ORDER BY id\(direction) LIMIT ?1"
    }
}

extension SeekKey {
    /// Behind everyone of `key`, before anyone of a greater one.
    fileprivate static func behind(_ key: UnsafeRawBufferPointer) -> SeekKey { SeekKey(text: key + [0], id: 0) }
}

extension UserRows {
    /// More text than any page has: what is beyond would not fit a ``Slice``.
    private static let maxText = 1 << 30

    /// Appends the user that `statement` stands on, by its ``columns``, and the text sorted by.
    ///
    /// All answers are made of these rows, so that what is no UTF-8 is replaced here. The text sorted by is for cursors, which
    /// must lead on: there it is damage.
    mutating func append(_ statement: Statement, sortText: UnsafeRawBufferPointer?) throws {
        guard text.count < Self.maxText else { throw StoreError.damage("a page has more than 1 GiB of text") }
        guard sortText?.isUTF8 != false else { throw BlockDecoder.damage }
        let reputation = statement.number(1)
        rows.append(
            Row(
                id: try statement.number(0, "the id of a user", in: 1...(.max)),
                reputation: reputation == Schema.noReputation ? nil : reputation,
                login: keep(textOf: statement.bytes(2)), name: keep(textOf: statement.bytes(3)),
                avatarURL: keep(textOf: statement.bytes(4)), htmlURL: keep(textOf: statement.bytes(5)),
                type: keep(textOf: statement.bytes(6)), more: keep(textOf: statement.bytes(7)),
                sortText: sortText.map { keep($0) } ?? .empty))
    }

    /// Keeps the text that `bytes` show, with U+FFFD for what is no UTF-8.
    private mutating func keep(textOf bytes: UnsafeRawBufferPointer) -> Slice {
        if bytes.isUTF8 { return keep(bytes) }
        return Array(String(decoding: bytes, as: UTF8.self).utf8).withUnsafeBytes { keep($0) }
    }
}
