import Base
import Indexes
import People

/// Reads pages without a search, and single users.
final class PageReader {
    private let connection: any StoreConnection
    private let orders: OrderReader
    private let rows: UserRowReader
    private let texts: TextReader
    private let scratch = ByteBuffer(capacity: 512)

    init(_ connection: any StoreConnection, _ orders: OrderReader, _ rows: UserRowReader) {
        self.orders = orders
        self.rows = rows
        self.connection = connection
        texts = TextReader(connection)
    }

    /// Returns `query` with a cursor of the directory's own collation keys. A cursor of other keys is placed by its id.
    func placing(_ query: UserQuery, in directory: ShownDirectory) throws -> UserQuery {
        func placed(_ cursor: Cursor) throws -> Cursor {
            if case .relevance(let relevance, let cursor) = cursor { return .relevance(relevance, try placed(cursor)) }
            guard case .key(_, let stamp, let id) = cursor, stamp != directory.collation.hash else { return cursor }
            let order = try IndexedOrder(query.sort, directory.settings)
            guard let position = order.position else { throw StoreError.lostPlace }
            let key = try texts.withText(of: id, in: directory.id) { text -> [UInt8] in
                if case .text(let key) = text.keys.orderKey(at: position) { Array(key) } else { [] }
            }
            guard let key else { throw StoreError.lostPlace }
            return .key(key, stamp: directory.collation.hash, id: id)
        }
        var query = query
        switch query.start {
        case .after(let cursor): query.start = .after(try placed(cursor))
        case .before(let cursor): query.start = .before(try placed(cursor))
        case .first, .last, .at, .letter: break
        }
        return query
    }

    /// Returns the page that `query`, which has no search, asks for.
    func page(_ query: UserQuery, in directory: ShownDirectory) throws -> Page {
        var scan = try IndexScan(query, directory.settings)
        scan.start = try orders.seekKey(query.start, on: scan, in: directory)
        var users =
            try scan.order == .id
            ? rows.users(query.limit, on: scan, of: directory) : users(query.limit, on: scan, in: directory)
        let isBackward = query.start.isBackward
        if isBackward { users.rows.reverse() }
        return try page(of: users, query.sort, scan.order, in: directory)
            ?? Page(
                users: users, directory: directory.directory, firstPosition: nil, total: directory.total,
                hasPrevious: !isBackward && directory.total > 0, hasNext: isBackward && directory.total > 0)
    }

    /// Returns up to `limit` users in the order of a sort index.
    private func users(
        _ limit: Int, on scan: IndexScan, in directory: ShownDirectory
    ) throws -> UserRows {
        var keys: [(key: SortKey, text: ByteSlice)] = []
        scratch.removeAll()
        try orders.scanKeys(scan, in: directory) { key, text in
            keys.append((key, scan.order.isText ? scratch.keep(text[key.text]) : .empty))
            return keys.count < limit
        }
        return try rows.users(keys, scratch.bytes, in: scan.order, of: directory)
    }

    /// The page of `users`, with its position in the order; `nil` without users.
    private func page(
        of users: UserRows, _ sort: Sort, _ order: IndexedOrder, in directory: ShownDirectory
    ) throws -> Page? {
        guard let first = users.rows.first else { return nil }
        let rank = try orders.rank(of: SeekKey(first, in: users, order), in: order, of: directory)
        let before = sort.isReadBackwards ? directory.total - rank - 1 : rank
        let after = directory.total - before - users.rows.count
        guard before >= 0, after >= 0 else { throw StoreError.damagedOrder }
        return Page(
            users: users, directory: directory.directory, firstPosition: before + 1, total: directory.total,
            hasPrevious: before > 0, hasNext: after > 0)
    }
}

// MARK: - By id

extension PageReader {
    /// Returns those of the users with `ids` that exist, each once, as a page without a position.
    func page(of ids: [Int64], _ sort: Sort, in directory: ShownDirectory) throws -> Page {
        let order = try IndexedOrder(sort, directory.settings)
        var found = try texts.keys(of: .list(IDList(Set(ids).sorted())), in: order, of: directory.id)
        var ids = found.sortedIDs()
        if sort.isReadBackwards { ids.reverse() }
        return Page(
            users: try rows.users(ids, in: order, of: directory), directory: directory.directory, firstPosition: nil,
            total: directory.total, hasPrevious: false, hasNext: false)
    }
}

// MARK: - By login

extension PageReader {
    /// Returns the user with `login` in any case, as a page of one user in the order by id: the one with `id` if that
    /// is given, else the one whose login is spelled exactly so, else the newest.
    func page(ofLogin login: String, id: Int64?, in directory: ShownDirectory) throws -> Page? {
        let found = try id.map { try user($0, login: login, in: directory) } ?? user(login: login, in: directory)
        return try found.flatMap { try page(of: $0, Sort(), .id, in: directory) }
    }

    /// Returns the ids of all users with `login` in any case, the newest first, at most `limit`.
    func ids(login: String, limit: Int, in directory: ShownDirectory) throws -> [Int64] {
        var ids: [Int64] = []
        try forEachUser(login: login, in: directory) { users in
            ids.append(users.rows[0].id)
            return ids.count < limit
        }
        return ids
    }

    /// Returns the login of the user who had `handle`, unless another user has it now, or the user is removed or
    /// hidden.
    func currentLogin(ofFormer handle: String, in directory: ShownDirectory) throws -> String? {
        guard try ids(login: handle, limit: 1, in: directory).isEmpty else { return nil }
        let row = try HandleTable(of: directory.id, on: connection).row(handle.folded)
        return try row.flatMap { try rows.user($0.id, of: directory) }.map { $0[$0.rows[0].login] }
    }

    private func user(login: String, in directory: ShownDirectory) throws -> UserRows? {
        var found: UserRows?
        try forEachUser(login: login, in: directory) { users in
            let isExact = users[users.rows[0].login] == login
            if isExact || found == nil { found = users }
            return !isExact
        }
        return found
    }

    private func user(_ id: Int64, login: String, in directory: ShownDirectory) throws -> UserRows? {
        guard let users = try rows.user(id, of: directory) else { return nil }
        return users[users.rows[0].login].folded == login.folded ? users : nil
    }

    /// Calls `body` with each user whose login is `login` in any case, the newest first, until it returns `false`.
    private func forEachUser(
        login: String, in directory: ShownDirectory, _ body: (UserRows) throws -> Bool
    ) throws {
        scratch.removeAll()
        let loose = scratch.append(loose: login)
        let key = scratch.bytes[loose].sortText
        // After all keys with this text, and before those with a greater one.
        let seek = SeekKey(text: key + [0], id: 0)
        try orders.scanKeys(IndexScan(order: .login, isDescending: true, from: seek), in: directory) { found, text in
            guard text[found.text].equals(key) else { return false }
            guard let users = try rows.user(found.id, of: directory) else { throw StoreError.damagedOrder }
            // Different logins may have the same loose form.
            return users[users.rows[0].login].folded == login.folded ? try body(users) : true
        }
    }
}

extension Page {
    /// Throws an error unless the users follow the start of `query` in its order, each after the one before.
    ///
    /// Exports, sitemaps and readers follow pages from user to user. In a damaged database, a page that is out of order
    /// would lead them in a circle.
    func checkOrder(of query: UserQuery) throws {
        if users.rows.isEmpty { return }
        guard try isInOrder(of: query) else { throw StoreError.damagedOrder }
    }

    private func isInOrder(of query: UserQuery) throws -> Bool {
        let order = try IndexedOrder(query.sort, directory.settings)
        guard order.hasTwoIndexes else {
            return try users.text.withUnsafeBytes { text in
                try areInOrder(users.rows.map { $0.sortKey(in: order, text) }, text, of: query, order)
            }
        }
        var text: [UInt8] = []
        let keys = users.rows.map { row in
            let key = SeekKey(row, in: users, order)
            if !order.isText { return key.key }
            return key.text.withUnsafeBytes { SortKey(appending: $0, to: &text, id: row.id) }
        }
        return try text.withUnsafeBytes { try areInOrder(keys, $0, of: query, order) }
    }

    /// Whether `keys`, whose texts are in `text`, follow the start of `query` and each other.
    private func areInOrder(
        _ keys: [SortKey], _ text: UnsafeRawBufferPointer, of query: UserQuery, _ order: IndexedOrder
    ) throws -> Bool {
        let isDescending = query.sort.isReadBackwards
        let rows = users.rows
        let isInOrder = zip(keys.indices, keys.indices.dropFirst()).allSatisfy { index, next in
            // Better matches come first, or last in the descending order by relevance. Keys of others do not matter.
            let (match, other) = (rows[index].relevance, rows[next].relevance)
            if match != other { return (query.sort.direction == .descending) == (match > other) }
            let place = keys[index].compare(in: text, to: keys[next], in: text)
            return isDescending ? place > 0 : place < 0
        }
        guard isInOrder else { return false }
        guard let bound = try SeekKey(query.start, order) else { return true }
        let edgeIndex = query.start.isBackward ? keys.count - 1 : 0
        if let relevance = query.start.cursor?.relevance, relevance != rows[edgeIndex].relevance { return true }
        let edge = keys[edgeIndex]
        let place = bound.text.withUnsafeBytes { edge.compare(in: text, to: bound.key, in: $0) }
        return isDescending == query.start.isBackward ? place > 0 : place < 0
    }
}

extension UserRow {
    /// The key in an order by id, login or name. The text of the row is in `text`.
    fileprivate func sortKey(in order: IndexedOrder, _ text: UnsafeRawBufferPointer) -> SortKey {
        switch order.kind {
        case .id, .number: SortKey(number: .min, id: self.id)
        case .text: SortKey(text: sortText, in: text, id: self.id)
        }
    }
}

extension SeekKey {
    /// Returns a negative number, zero or a positive number as this key comes before, at or after `other`.
    func compare(to other: SeekKey) -> Int {
        text.withUnsafeBytes { text in
            other.text.withUnsafeBytes { key.compare(in: text, to: other.key, in: $0) }
        }
    }
}
