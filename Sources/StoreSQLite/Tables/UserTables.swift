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
    let directory: Int64
    /// The postings of the users that a transaction adds, and of those that it removes.
    let builder = IndexBuilder()
    private let removedPostings = PostingBuilder()
    /// The id of the last user added to `builder`, or 0.
    private var lastAdded: Int64 = 0
    /// When the transaction began, in seconds since 1970.
    private(set) var now: Int64 = 0
    /// Whether there are hidden users.
    var hasHidden = false
    /// Whether there are people without an id from the source.
    var hasIdentities: Bool {
        get throws {
            if let knownIdentities { return knownIdentities }
            let hasAny = try IdentityTable(of: directory, on: connection).hasAny()
            knownIdentities = hasAny
            return hasAny
        }
    }
    var knownIdentities: Bool?
    /// The people who object to their picture; `nil` if nobody does.
    var objections: PictureObjections?
    /// Finds ids and makes handles; `nil` until a transaction needs it.
    var people: PeopleFinder?
    let handles: HandleTable

    enum Outcome { case added, changed }

    /// A user who has been removed: the folded login and name.
    struct RemovedUser {
        var login: [UInt8]
        var name: [UInt8]
        var generated: GeneratedNames

        init(login: [UInt8], name: [UInt8], generated: GeneratedNames) {
            (self.login, self.name, self.generated) = (login, name, generated)
        }

        /// The user in the current row of `statement`, which has the columns `login, name, flags`.
        init(_ statement: Statement) {
            let buffer = ByteBuffer()
            let (login, name) = (buffer.append(folding: statement.text(0)), buffer.append(folding: statement.text(1)))
            self.init(
                login: Array(buffer.bytes[login]), name: Array(buffer.bytes[name]),
                generated: UserFlags(stored: statement.number(2)).generated)
        }
    }

    init(directory: Int64, connection: Connection) {
        self.directory = directory
        self.connection = connection
        orders = OrderWriter(of: directory, on: connection)
        facets = FacetTable(directory: directory, connection: connection)
        handles = HandleTable(of: directory, on: connection)
    }

    /// Resets the state for a new transaction.
    func begin(at now: Int64) throws {
        self.now = now
        people?.begin()
        knownIdentities = nil
        objections = try PictureObjections(of: directory, on: connection)
        let hidden = try connection.statement("SELECT EXISTS (SELECT 1 FROM userHidden\(directory))")
        defer { hidden.reset() }
        hasHidden = try hidden.step() && hidden.number(0) != 0
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
                if text != nil, record.hasVariants { added.tags.append(.hasVariants) }
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
        if record.isHidden {
            return try hide(record, bytes, noting: changes).map { ($0, nil, FilterValues()) }
        }
        let lasting = try hasHidden ? lastingPicture(ofHidden: record.id) : nil
        let wasHidden = try hasHidden && removeHidden(record.id) != nil
        let values = facets.values(of: record, bytes)
        if try insert(record, values, bytes) {
            try insertText(record, bytes)
            if let lasting { try set(lasting, of: record.id) }
            facets.change(from: FilterValues(), to: values)
            return (wasHidden ? .changed : .added, changes.add(record, from: bytes), values)
        }
        guard let oldRow = try oldRow(record, values, bytes) else {
            if !facets.plan.orders.isEmpty { try move(record, bytes, noting: changes) }
            return nil
        }
        guard let old = try saved(record.id, keepingTextIn: changes.texts) else { throw StoreError.damagedOrder }
        try update(record, values, bytes)
        facets.change(from: oldRow.values, to: values)
        removedPostings.add(
            record.id, UnsafeRawBufferPointer(start: nil, count: 0),
            tags: oldRow.values.subtracting(values).tags[...])
        let text = changes.replace(old.ranked, by: record, from: bytes)
        if let login = oldRow.login { try noteFormerLogin(login, record, bytes) }
        let hasSameText =
            changes.texts.bytes[old.text].equals(bytes[record.text])
            && changes.texts.bytes[old.exact].equals(bytes[record.exact])
        if !hasSameText {
            try removeText(
                record.id, SearchedText(changes.texts.bytes[old.text], exact: changes.texts.bytes[old.exact]))
            try insertText(record, bytes)
            return (.changed, text, values.subtracting(oldRow.values))
        }
        if old.ranked.reputation != record.reputation
            || !changes.texts.bytes[old.ranked.keys].equals(bytes[record.keys])
        {
            try updateKeys(record, bytes)
        }
        return (.changed, nil, values.subtracting(oldRow.values))
    }

    /// Updates the keys of a user whose row has not changed, because the position in the file may have.
    private func move(_ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, noting changes: UserChanges) throws {
        let statement = try connection.statement("SELECT keys FROM userText\(directory) WHERE id = ?")
        statement.bind(record.id, at: 1)
        let isSame = try {
            defer { statement.reset() }
            return try statement.step() && statement.blob(0).equals(bytes[record.keys])
        }()
        if isSame { return }
        guard let old = try saved(record.id, keepingTextIn: changes.texts) else { throw StoreError.damagedOrder }
        _ = changes.replace(old.ranked, by: record, from: bytes, hasMovedOnly: true)
        try updateKeys(record, bytes)
    }

    /// Removes a user. Returns the folded login and name, or `nil` if the user does not exist.
    @discardableResult
    func remove(_ id: Int64, noting changes: UserChanges) throws -> RemovedUser? {
        guard let old = try saved(id, keepingTextIn: changes.texts) else {
            guard let hidden = try removeHidden(id) else { return nil }
            changes.noteHidden()
            return hidden
        }
        changes.remove(old.ranked)
        let delete = try connection.statement(
            "DELETE FROM user\(directory) WHERE id = ? RETURNING login, name, flags, filters")
        delete.bind(id, at: 1)
        defer { delete.reset() }
        // The row may be missing in a damaged database.
        let isFound = try delete.step()
        let user = isFound ? RemovedUser(delete) : RemovedUser(login: [], name: [], generated: [])
        let values = isFound ? FilterValues(stored: delete.blob(3)) : FilterValues()
        facets.change(from: values, to: FilterValues())
        try removeText(
            id, SearchedText(changes.texts.bytes[old.text], exact: changes.texts.bytes[old.exact]), values)
        return user
    }

    /// Whether there is a user with `id`, hidden or not.
    func has(_ id: Int64) throws -> Bool {
        let statement = try connection.statement(
            """
            SELECT 1 FROM user\(directory) WHERE id = ?1 UNION ALL SELECT 1 FROM userHidden\(directory) WHERE id = ?1
            """)
        defer { statement.reset() }
        statement.bind(id, at: 1)
        return try statement.step()
    }

    func ids(notIn table: String, limit: Int) throws -> [Int64] {
        let statement = try connection.statement(
            """
            SELECT id FROM userText\(directory) WHERE id NOT IN (SELECT id FROM \(table))
            UNION ALL SELECT id FROM userHidden\(directory) WHERE id NOT IN (SELECT id FROM \(table)) LIMIT ?
            """)
        statement.bind(Int64(limit), at: 1)
        defer { statement.reset() }
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.number(0)) }
        return ids
    }

    /// Applies the changes to the sort indexes and the search index.
    func apply(_ changes: UserChanges) throws {
        try applyOrdersAndPostings(changes)
        try facets.save()
    }

    func applyOrdersAndPostings(_ changes: UserChanges) throws {
        // Meanwhile the other thread goes on finding n-grams.
        for order in changes.orders {
            try orders.apply(changes.changes(in: order), to: order, texts: changes.texts)
        }
        try applyPostings()
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
                addedAt, picture)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """)
        try values.bytes.withUnsafeBytes { values in
            bind(record, values, bytes, to: statement)
            statement.bind(now, at: 11)
            if try objections?.has(record, bytes) == true {
                statement.bind(0, at: 12)
            } else {
                statement.bindNull(at: 12)
            }
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
                reputation = ?, flags = ?8, filters = ?10,
                -- The picture is that of the old address.
                picture = CASE WHEN avatarURL IS ?3 OR hasOwnPicture OR picture = 0 THEN picture END
            WHERE id = ?9
            """)
        try values.bytes.withUnsafeBytes { values in
            bind(record, values, bytes, to: statement)
            try statement.run()
        }
    }

    /// Binds the values of a user. `values` are the encoded values of filters, valid until the statement is reset.
    func bind(
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

    /// Returns the values of filters of a saved user who differs from `record`, and the login if that differs; `nil` if
    /// the user does not differ.
    private func oldRow(
        _ record: UserBatch.Entry, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws -> (values: FilterValues, login: String?)? {
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
        let hasSameValues = values.bytes.withUnsafeBytes { statement.blob(7).equals($0) }
        let hasSameLogin = isSame(0, record.login)
        if hasSameValues, hasSameLogin, isSame(1, record.name), statement.number(6) == record.reputation,
            isSame(2, record.avatarURL), isSame(3, record.htmlURL), isSame(4, record.type), isSame(5, record.more),
            statement.number(8) == Int64(UserFlags(record).rawValue)
        {
            return nil
        }
        return (
            hasSameValues ? values : FilterValues(stored: statement.blob(7)), hasSameLogin ? nil : statement.text(0)
        )
    }

    /// Returns the keys of a saved user, and the searched text, or `nil` if the user does not exist.
    private func saved(
        _ id: Int64, keepingTextIn buffer: ByteBuffer
    ) throws -> (ranked: UserChanges.RankedUser, text: ByteSlice, exact: ByteSlice)? {
        let statement = try connection.statement(
            .oldText, "SELECT reputation, text, keys, exact FROM userText\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let (text, keys) = (SearchedText(statement.bytes(1)), statement.blob(2))
        let ranked = UserChanges.RankedUser(
            id: id, reputation: statement.number(0), loginKey: buffer.keep(text.loginKey(keys)),
            keys: buffer.keep(keys))
        return (ranked, buffer.keep(statement.bytes(1)), buffer.keep(statement.bytes(3)))
    }
}

// MARK: - The searched text

extension UserTables {
    private func insertText(_ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) throws {
        let text = try connection.statement(
            .insertText, "INSERT INTO userText\(directory) (id, text, reputation, keys, exact) VALUES (?, ?, ?, ?, ?)")
        text.bind(record.id, at: 1)
        text.bind(bytes[record.text], at: 2)
        text.bind(record.reputation, at: 3)
        text.bind(blob: bytes[record.keys], at: 4, emptyIsNull: true)
        text.bind(bytes[record.exact], at: 5, emptyIsNull: true)
        try text.run()
    }

    private func updateKeys(_ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) throws {
        let statement = try connection.statement(
            "UPDATE userText\(directory) SET reputation = ?, keys = ? WHERE id = ?")
        statement.bind(record.reputation, at: 1)
        statement.bind(blob: bytes[record.keys], at: 2, emptyIsNull: true)
        statement.bind(record.id, at: 3)
        try statement.run()
    }

    /// Keeps a user's previous login as a former handle.
    private func noteFormerLogin(
        _ old: String, _ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer
    ) throws {
        let login = old.folded
        if Array(login.utf8).elementsEqual(bytes[record.foldedLogin]) { return }
        // A generated handle already has its row.
        if !record.generated.contains(.login) { try handles.endCurrent(of: record.id) }
        try handles.saveFormer(login, of: record.id)
    }

    private func removeText(
        _ id: Int64, _ searched: SearchedText, _ values: FilterValues = FilterValues()
    ) throws {
        removedPostings.add(
            id, searched.bytes, tags: (values.tags + (searched.hasVariants ? [.hasVariants] : []))[...])
        let text = try connection.statement("DELETE FROM userText\(directory) WHERE id = ?")
        text.bind(id, at: 1)
        try text.run()
    }
}
