import Base
import Indexes
import People
import Publishing

/// The tables of one directory as its writer changes them. A user is changed in all of them at once.
final class UserTables {
    let connection: any StoreConnection
    let rows: any UserRowStorage
    let orders: OrderWriter
    let filters: FilterTable
    let directory: Int64
    /// The directory as it was before the transaction.
    private(set) var stored: StoredDirectory { didSet { shown = ShownDirectory(stored) } }
    /// The same as ``OrderReader`` takes it.
    private(set) var shown: ShownDirectory
    /// The postings of the users that a transaction adds, and of those that it removes.
    let builder = IndexBuilder()
    private let removedPostings = PostingBuilder()
    /// The encoded text of the user who is written.
    private let savedText = ByteBuffer(capacity: 1024)
    /// The id of the last user added to `builder`, or 0.
    private var lastAdded: Int64 = 0
    /// What the transaction has changed so far.
    var changes = UserChanges(besideDirectoriesOf: 0)
    /// When the transaction began, in seconds since 1970.
    private(set) var now: Int64 = 0
    /// The generation of the directory whose orders and filters are in memory; `nil` if these are not valid.
    var generation: Int64?
    /// The people who object to their picture; `nil` if nobody does.
    var objections: PictureObjections?
    /// Finds ids and makes handles; `nil` until a transaction needs it.
    var people: PeopleFinder?
    let handles: HandleTable
    let identities: IdentityTable
    let hidden: HiddenTable
    private var suppressionList: SuppressionList?

    init(_ stored: StoredDirectory, on connection: any StoreConnection) throws {
        (self.stored, shown, directory) = (stored, ShownDirectory(stored), stored.id)
        self.connection = connection
        rows = connection.userRows(of: directory)
        orders = OrderWriter(of: directory, on: connection)
        filters = FilterTable(directory: directory, connection: connection)
        handles = HandleTable(of: directory, on: connection)
        identities = try IdentityTable(of: directory, on: connection)
        hidden = HiddenTable(of: directory, identities, on: connection)
    }

    /// Opens the tables to look somebody up.
    convenience init(reading stored: StoredDirectory, on connection: any StoreConnection) throws {
        try self.init(stored, on: connection)
        try begin(at: 0)
    }

    /// Reads the orders and the values of filters, unless memory has those of this generation already.
    func load(_ directory: StoredDirectory) throws {
        stored = directory
        if generation == directory.generation { return }
        try orders.load(directory)
        try filters.load(directory)
        try people?.noteChanges()
        generation = directory.generation
    }

    func begin(at now: Int64) throws {
        self.now = now
        rows.discard()
        people?.begin()
        suppressionList = nil
        objections = try PictureObjections(of: directory, identities, on: connection)
        try hidden.begin()
        builder.removeAll()
        removedPostings.removeAll()
        lastAdded = 0
    }

    /// Returns the people whom imports skip. The list is read once in a transaction, and only if it is needed: it is
    /// long where thousands are forgotten, one after the other.
    func forgotten() throws -> SuppressionList {
        if let suppressionList { return suppressionList }
        let list = try SuppressionList(for: stored.slug, from: connection)
        suppressionList = list
        return list
    }

    /// Adds and updates the users of a batch, which is sorted by id.
    func save(_ batch: UserBatch) throws -> WriteCounts {
        // Within a transaction the index removes before it adds, and it needs ascending ids.
        if let first = batch.records.first, first.id <= lastAdded { try applyPostings() }
        try rows.prepare(batch.records.map { $0.id })
        var counts = WriteCounts(repeated: batch.repeated)
        var added = IndexBuilder.Batch()
        let start = changes.texts.count
        let bytes = batch.buffer.bytes
        for record in batch.records {
            if try hide(record, in: batch, counting: &counts) { continue }
            let (text, values) = try save(record, bytes, counting: &counts)
            if text == nil, values.isEmpty { continue }
            let slice = text.map { ByteSlice(offset: Int($0.offset) - start, count: Int($0.count)) } ?? .empty
            let firstTag = added.tags.count
            values.forEach { added.tags.append($0.tag) }
            if text != nil, record.hasVariants { added.tags.append(.hasVariants) }
            added.texts.append((record.id, slice, firstTag..<added.tags.count))
        }
        try rows.finish()
        if let last = added.texts.last {
            lastAdded = last.id
            added.bytes = Array(changes.texts.bytes[start...])
            builder.add(added)
        }
        return counts
    }

    /// Adds or updates a user who is shown. Returns what the search index has to add: the text, unless it has not
    /// changed, and the values of filters that have.
    private func save(
        _ record: UserToWrite, _ bytes: UnsafeRawBufferPointer, counting counts: inout WriteCounts
    ) throws -> (text: ByteSlice?, values: FilterValues) {
        let changes = changes
        let removed = try hidden.remove(record.id)
        let values = filters.values(of: record, bytes)
        if try insert(record, values, bytes) {
            try insertText(record, bytes)
            if let removed {
                try rows.finish()
                try keepLastingValues(of: removed, as: record.id)
            }
            filters.change(from: FilterValues(), to: values)
            counts.note(wasThere: removed != nil)
            return (changes.add(record, from: bytes), values)
        }
        guard let oldRow = try oldRow(record, values, bytes) else {
            if !filters.settings.orders.isEmpty { try move(record, bytes) }
            counts.unchanged += 1
            return (nil, FilterValues())
        }
        counts.changed += 1
        guard let old = try saved(record.id) else { throw StoreError.damagedOrder }
        try update(record, values, bytes)
        filters.change(from: oldRow.values, to: values)
        removedPostings.add(record.id, .empty, tags: oldRow.values.subtracting(values).tags[...])
        let text = changes.replace(old.ranked, by: record, from: bytes)
        if let login = oldRow.login { try noteFormerLogin(login, record, bytes) }
        let hasSameText =
            changes.texts.bytes[old.text].equals(bytes[record.text])
            && changes.texts.bytes[old.exact].equals(bytes[record.exact])
        if !hasSameText {
            try removeText(of: old)
            try insertText(record, bytes)
            return (text, values.subtracting(oldRow.values))
        }
        if !changes.texts.bytes[old.ranked.keys].equals(bytes[record.keys]) { try updateText(record, bytes) }
        return (nil, values.subtracting(oldRow.values))
    }

    /// Updates the keys of a user whose row has not changed, because the position in the file may have.
    private func move(_ record: UserToWrite, _ bytes: UnsafeRawBufferPointer) throws {
        if try rows.withText(record.id, { $0.keys.equals(bytes[record.keys]) }) == true { return }
        guard let old = try saved(record.id) else { throw StoreError.damagedOrder }
        changes.move(old.ranked, to: record, from: bytes)
        try updateText(record, bytes)
    }

    /// Removes a user. Returns `nil` if the user does not exist.
    @discardableResult
    func remove(_ id: Int64) throws -> RemovedUser? {
        guard let old = try saved(id) else {
            guard let removed = try hidden.remove(id) else { return nil }
            changes.noteHidden()
            return removed
        }
        changes.remove(old.ranked)
        // The row may be missing in a damaged database.
        let (user, values) =
            try rows.removeUser(id) { (RemovedUser($0), FilterValues(stored: $0.blob(RemovedUser.columnCount))) }
            ?? (RemovedUser(addedAt: now), FilterValues())
        filters.change(from: values, to: FilterValues())
        try removeText(of: old, values)
        return user
    }

    func has(_ id: Int64) throws -> Bool { try withPerson(id) { _ in true } == true }

    func hasRows() throws -> Bool {
        try Table.ofPeople(in: directory).contains { try connection.number("SELECT 1 FROM \($0) LIMIT 1") != 0 }
    }

    /// Returns the number of people, hidden or not, whose ids are not in `table`; with `wasMissing`, of those who are
    /// ``UserFlags/missing``, or of the others.
    func count(notIn table: String, wasMissing: Bool?) throws -> Int {
        Int(try connection.number("SELECT count(*) FROM (\(people(notIn: table, wasMissing))) AS gone"))
    }

    /// Returns the ids of some of the same people.
    func ids(notIn table: String, wasMissing: Bool?, limit: Int) throws -> [Int64] {
        try connection.all("\(people(notIn: table, wasMissing)) LIMIT ?", Int64(limit)) { $0.number(0) }
    }

    /// Selects the ids of these people. `userText` has less to read than `user`.
    private func people(notIn table: String, _ wasMissing: Bool?) -> String {
        [("userText", "user"), ("userHidden", "userHidden")].map { ids, rows in
            let isMissing = """
                EXISTS (SELECT 1 FROM \(rows)\(directory) AS saved
                    WHERE saved.id = person.id AND saved.flags & \(UserFlags.missing.rawValue) <> 0)
                """
            return """
                SELECT id FROM \(ids)\(directory) AS person
                WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE id = person.id)\(
                    wasMissing.map { " AND \($0 ? "" : "NOT ")\(isMissing)" } ?? "")
                """
        }.joined(separator: " UNION ALL ")
    }

    /// Notes that the people whose ids are not in `table` are ``UserFlags/missing``. This changes nothing that readers
    /// see.
    func noteMissing(notIn table: String) throws {
        for rows in Table.ofPeople(in: directory) {
            try connection.execute(
                """
                UPDATE \(rows) SET flags = flags | \(UserFlags.missing.rawValue)
                WHERE flags & \(UserFlags.missing.rawValue) = 0
                    AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(table).id = \(rows).id)
                """)
        }
    }

    /// Applies the changes to the sort indexes and the search index.
    func applyChanges() throws {
        if changes.hasLogins { people?.noteSourceLogins() }
        try applyOrdersAndPostings(changes)
        try filters.save()
    }

    /// Ends a transaction. Its changes take most of an import's memory.
    func forgetChanges() { changes = UserChanges(besideDirectoriesOf: 0) }

    func applyOrdersAndPostings(_ changes: UserChanges) throws {
        // Meanwhile the other thread goes on finding n-grams.
        try changes.forEachOrder { order, changed in try orders.apply(changed, to: order, texts: changes.texts) }
        try applyPostings()
    }

    private func applyPostings() throws {
        let index = NGramIndexWriter(connection.blobs(.userNGram, of: directory))
        try builder.withPostings { try index.apply(added: $0, removed: removedPostings) }
        builder.removeAll()
        removedPostings.removeAll()
        lastAdded = 0
    }
}

// MARK: - The row

extension UserTables {
    /// Returns `false` if the id exists.
    private func insert(
        _ record: UserToWrite, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws -> Bool {
        let objects = objections?.has(record, bytes) == true
        return try values.bytes.withUnsafeBytes { values in
            try rows.insert(SavedUser(record, bytes, filters: values, savedAt: now, objects: objects))
        }
    }

    private func update(
        _ record: UserToWrite, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws {
        try values.bytes.withUnsafeBytes { values in
            try rows.update(SavedUser(record, bytes, filters: values, savedAt: now, objects: false))
        }
    }

    /// Returns the values of filters of a saved user who differs from `record`, and the login if that differs; `nil` if
    /// the user does not differ.
    private func oldRow(
        _ record: UserToWrite, _ values: FilterValues, _ bytes: UnsafeRawBufferPointer
    ) throws -> (values: FilterValues, login: String?)? {
        try rows.withUser(record.id) { row -> (values: FilterValues, login: String?)? in
            let stored = row.blob(SavedUser.columnCount)
            let hasSameFilters = values.bytes.withUnsafeBytes { stored.equals($0) }
            if hasSameFilters, row.isSame(as: record, bytes) { return nil }
            let hasSameLogin = row.bytes(1).equals(bytes[record.login])
            return (hasSameFilters ? values : FilterValues(stored: stored), hasSameLogin ? nil : row.text(1))
        } ?? nil
    }

    private typealias KeptUser = (ranked: UserChanges.RankedUser, text: ByteSlice, exact: ByteSlice)

    private func saved(_ id: Int64) throws -> KeptUser? {
        let buffer = changes.texts
        return try rows.withText(id) { saved in
            let ranked = UserChanges.RankedUser(
                id: id, loginKey: buffer.keep(saved.loginKey), keys: buffer.keep(saved.keys))
            return (ranked, buffer.keep(saved.text), buffer.keep(saved.exact))
        }
    }
}

// MARK: - The searched text

extension UserTables {
    private func insertText(_ record: UserToWrite, _ bytes: UnsafeRawBufferPointer) throws {
        try rows.insert(text: content(record, bytes), of: record.id)
    }

    func updateText(_ record: UserToWrite, _ bytes: UnsafeRawBufferPointer) throws {
        try rows.update(text: content(record, bytes), of: record.id)
    }

    /// Returns the encoded text of a user, valid until the next call.
    private func content(_ user: UserToWrite, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        savedText.removeAll()
        SavedText(keys: bytes[user.keys], exact: bytes[user.exact], text: bytes[user.text]).append(to: savedText)
        return savedText.bytes
    }

    private func noteFormerLogin(
        _ old: String, _ record: UserToWrite, _ bytes: UnsafeRawBufferPointer
    ) throws {
        let login = old.folded
        if Array(login.utf8).elementsEqual(bytes[record.foldedLogin]) { return }
        // A generated handle already has its row.
        if !record.generated.contains(.login) { try handles.endCurrent(of: record.id) }
        try handles.saveFormer(login, of: record.id)
    }

    private func removeText(of old: KeptUser, _ values: FilterValues = FilterValues()) throws {
        let searched = SearchedText(changes.texts.bytes[old.text], exact: changes.texts.bytes[old.exact])
        removedPostings.add(
            old.ranked.id, searched.bytes, tags: (values.tags + (searched.hasVariants ? [.hasVariants] : []))[...])
        try rows.removeText(old.ranked.id)
    }
}

extension WriteCounts {
    mutating func note(wasThere: Bool) { if wasThere { changed += 1 } else { added += 1 } }
}
