import Bytes
import Directories
import NGramIndex

/// The tables of one directory as its writer changes them. A user is changed in all of them at once.
///
/// Statements run through the C interface on GRDB's connection, which takes a fifth of the time of GRDB's records.
final class UserTables {
    let connection: Connection
    let orders: OrderWriter
    let facets: FacetTable
    private let directory: Int64
    /// The postings of the users that a transaction adds, and of those that it removes.
    private let builder = IndexBuilder()
    private let removedPostings = PostingBuilder()
    /// The id of the last user added to `builder`, or 0.
    private var lastAdded: Int64 = 0
    /// When the transaction began, in seconds since 1970.
    private var now: Int64 = 0

    private enum Outcome { case added, changed }

    init(directory: Int64, connection: Connection) {
        self.directory = directory
        self.connection = connection
        orders = OrderWriter(of: directory, on: connection)
        facets = FacetTable(directory: directory, connection: connection)
    }

    /// Resets the state for a new transaction.
    func begin(at now: Int64) {
        self.now = now
        builder.removeAll()
        removedPostings.removeAll()
        lastAdded = 0
    }

    /// Adds and updates the users of a batch, which is sorted by id.
    func save(_ batch: UserBatch, noting changes: UserChanges) throws -> WriteCounts {
        // Within a transaction the index removes before it adds, and it needs ascending ids.
        if let first = batch.records.first, first.id <= lastAdded { try applyPostings() }
        var counts = WriteCounts(repeated: batch.repeated)
        var added = IndexBuilder.Batch()
        let start = changes.texts.count
        let bytes = batch.buffer.bytes
        for record in batch.records {
            guard let (outcome, text, values) = try save(record, bytes, noting: changes) else {
                counts.unchanged += 1
                continue
            }
            if text != nil || !values.isEmpty {
                let slice = text.map { ByteSlice(offset: Int($0.offset) - start, count: Int($0.count)) } ?? .empty
                let firstTag = added.tags.count
                values.forEach { added.tags.append($0.tag) }
                added.texts.append((record.id, slice, firstTag..<added.tags.count))
            }
            if outcome == .added { counts.added += 1 } else { counts.changed += 1 }
        }
        if let last = added.texts.last {
            lastAdded = last.id
            added.bytes = Array(changes.texts.bytes[start...])
            builder.add(added)
        }
        return counts
    }

    /// Adds or updates a user. Returns `nil` if the user has not changed. The text is `nil` if it has not changed, and
    /// the values of filters are those that have.
    private func save(
        _ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, noting changes: UserChanges
    ) throws -> (outcome: Outcome, text: ByteSlice?, values: FilterValues)? {
        let values = facets.values(of: record, bytes)
        if try insert(record, values, bytes) {
            try insertText(record, bytes)
            facets.change(from: FilterValues(), to: values)
            return (.added, changes.add(record, from: bytes), values)
        }
        guard let difference = try difference(record, values, bytes) else { return nil }
        guard let old = try saved(record.id, keepingTextIn: changes.texts) else { throw StoreError.damagedOrder }
        try update(record, values, bytes)
        facets.change(from: difference.values, to: values)
        removedPostings.add(
            record.id, UnsafeRawBufferPointer(start: nil, count: 0),
            tags: difference.values.subtracting(values).tags[...])
        let text = changes.replace(old.ranked, by: record, from: bytes)
        if difference.isRenamed {
            try removeText(record.id, changes.texts.bytes[old.text])
            try insertText(record, bytes)
        } else if difference.hasMoved {
            let statement = try connection.statement("UPDATE userText\(directory) SET reputation = ? WHERE id = ?")
            statement.bind(record.reputation, at: 1)
            statement.bind(record.id, at: 2)
            try statement.run()
        }
        return (.changed, difference.isRenamed ? text : nil, values.subtracting(difference.values))
    }

    /// Removes a user. Returns the folded text, which is kept in the changes, or `nil` if the user does not exist.
    @discardableResult
    func remove(_ id: Int64, noting changes: UserChanges) throws -> ByteSlice? {
        guard let old = try saved(id, keepingTextIn: changes.texts) else { return nil }
        changes.remove(old.ranked)
        let delete = try connection.statement("DELETE FROM user\(directory) WHERE id = ? RETURNING filters")
        delete.bind(id, at: 1)
        defer { delete.reset() }
        let values = try delete.step() ? FilterValues(stored: delete.blob(0)) : FilterValues()
        facets.change(from: values, to: FilterValues())
        try removeText(id, changes.texts.bytes[old.text], values)
        return old.text
    }

    func has(_ id: Int64) throws -> Bool {
        let statement = try connection.statement("SELECT 1 FROM user\(directory) WHERE id = ?")
        defer { statement.reset() }
        statement.bind(id, at: 1)
        return try statement.step()
    }

    func ids(notIn table: String, limit: Int) throws -> [Int64] {
        let statement = try connection.statement(
            "SELECT id FROM userText\(directory) WHERE id NOT IN (SELECT id FROM \(table)) LIMIT ?")
        statement.bind(Int64(limit), at: 1)
        defer { statement.reset() }
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.number(0)) }
        return ids
    }

    /// Applies the changes to the sort indexes and the search index.
    func apply(_ changes: UserChanges) throws {
        // Meanwhile the other thread goes on finding n-grams.
        for order in IndexedOrder.allCases {
            try orders.apply(changes.changes(in: order), to: order, texts: changes.texts)
        }
        try applyPostings()
        try facets.save()
    }

    private func applyPostings() throws {
        let index = SearchIndex.writer(of: directory, on: connection)
        try builder.withPostings { try index.apply(added: $0, removed: removedPostings) }
        builder.removeAll()
        removedPostings.removeAll()
        lastAdded = 0
    }
}

// MARK: - The row

extension UserTables {
    /// Inserts a user. Returns `false` if the id exists.
    private func insert(
        _ record: UserBatch.Entry, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws -> Bool {
        // OR IGNORE would also skip rows that violate a constraint.
        let statement = try connection.statement(
            .insertUser,
            """
            INSERT INTO user\(directory) (login, name, avatarURL, htmlURL, type, more, reputation, flags, id, filters,
                addedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """)
        try values.bytes.withUnsafeBytes { values in
            bind(record, values, bytes, to: statement)
            statement.bind(now, at: 11)
            try statement.run()
        }
        return connection.changes == 1
    }

    private func update(
        _ record: UserBatch.Entry, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws {
        let statement = try connection.statement(
            .updateUser,
            """
            UPDATE user\(directory) SET login = ?, name = ?, avatarURL = ?, htmlURL = ?, type = ?, more = ?,
                reputation = ?, flags = ?8, filters = ?10 WHERE id = ?9
            """)
        try values.bytes.withUnsafeBytes { values in
            bind(record, values, bytes, to: statement)
            try statement.run()
        }
    }

    /// Binds the values of a user. `values` are the encoded values of filters, valid until the statement is reset.
    private func bind(
        _ record: UserBatch.Entry, _ values: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
        to statement: Statement
    ) {
        statement.bind(bytes[record.login], at: 1)
        statement.bind(bytes[record.name], at: 2, emptyIsNull: true)
        statement.bind(bytes[record.avatarURL], at: 3, emptyIsNull: true)
        statement.bind(bytes[record.htmlURL], at: 4, emptyIsNull: true)
        statement.bind(bytes[record.type], at: 5)
        statement.bind(bytes[record.more], at: 6, emptyIsNull: true)
        statement.bind(record.reputation, at: 7)
        statement.bind(Int64(UserFlags(record).rawValue), at: 8)
        statement.bind(record.id, at: 9)
        statement.bind(blob: values, at: 10, emptyIsNull: true)
    }

    /// Returns how a saved user differs from `record`, or `nil` if it does not.
    private func difference(
        _ record: UserBatch.Entry, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws -> (isRenamed: Bool, hasMoved: Bool, values: FilterValues)? {
        let statement = try connection.statement(
            .oldUser,
            """
            SELECT login, name, avatarURL, htmlURL, type, more, reputation, filters, flags
            FROM user\(directory) WHERE id = ?
            """)
        statement.bind(record.id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let isSame = { (column: Int32, slice: ByteSlice) in statement.bytes(column).equals(bytes[slice]) }
        let isRenamed = !isSame(0, record.login) || !isSame(1, record.name)
        let hasMoved = statement.number(6) != record.reputation
        let hasSameValues = values.bytes.withUnsafeBytes { statement.blob(7).equals($0) }
        if hasSameValues, !isRenamed, !hasMoved, isSame(2, record.avatarURL), isSame(3, record.htmlURL),
            isSame(4, record.type), isSame(5, record.more),
            statement.number(8) == Int64(UserFlags(record).rawValue)
        {
            return nil
        }
        return (isRenamed, hasMoved, hasSameValues ? values : FilterValues(stored: statement.blob(7)))
    }

    /// Returns the keys of a saved user, and the folded text, or `nil` if the user does not exist.
    private func saved(
        _ id: Int64, keepingTextIn buffer: ByteBuffer
    ) throws -> (ranked: UserChanges.RankedUser, text: ByteSlice)? {
        let statement = try connection.statement(
            .oldText, "SELECT reputation, text FROM userText\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let text = SearchedText(statement.bytes(1))
        let ranked = UserChanges.RankedUser(
            id: id, reputation: statement.number(0), loginKey: buffer.keep(text.loginKey),
            nameKey: buffer.keep(text.nameKey))
        return (ranked, buffer.keep(statement.bytes(1)))
    }
}

// MARK: - The searched text

extension UserTables {
    private func insertText(_ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) throws {
        let text = try connection.statement(
            .insertText, "INSERT INTO userText\(directory) (id, text, reputation) VALUES (?, ?, ?)")
        text.bind(record.id, at: 1)
        text.bind(bytes[record.text], at: 2)
        text.bind(record.reputation, at: 3)
        try text.run()
    }

    private func removeText(
        _ id: Int64, _ folded: UnsafeRawBufferPointer, _ values: FilterValues = FilterValues()
    ) throws {
        removedPostings.add(id, folded, tags: values.tags[...])
        let text = try connection.statement("DELETE FROM userText\(directory) WHERE id = ?")
        text.bind(id, at: 1)
        try text.run()
    }
}
