import People
import Publishing

/// The people of one directory who are in the source and on no page.
final class HiddenTable {
    private let directory: Int64
    private let connection: any StoreConnection
    private let identities: IdentityTable
    private(set) var isEmpty = true
    /// The ids of those who have been hidden since they came: see ``IdentityTable/firstHiddenID``.
    private(set) var neverShown: Set<Int64> = []
    /// Everybody by folded name, as they were when the transaction first asked; `nil` if it has not.
    private var byName: [String: [Int64]]?

    init(of directory: Int64, _ identities: IdentityTable, on connection: any StoreConnection) {
        (self.directory, self.identities, self.connection) = (directory, identities, connection)
    }

    /// Reads the state for a new transaction.
    func begin() throws {
        byName = nil
        isEmpty = try connection.number("SELECT EXISTS (SELECT 1 FROM userHidden\(directory))") == 0
        // Most directories hide nobody, and a round trip to a server is saved.
        if isEmpty { return neverShown = [] }
        neverShown = Set(
            try connection.all(
                "SELECT id FROM userHidden\(directory) WHERE id >= ?", IdentityTable.firstHiddenID
            ) { $0.number(0) })
    }

    func count() throws -> Int { Int(try connection.number("SELECT count(*) FROM userHidden\(directory)")) }

    func people() throws -> [(id: Int64, login: String, name: String)] {
        try connection.all("SELECT id, login, name FROM userHidden\(directory) ORDER BY id") {
            ($0.number(0), $0.text(1), $0.text(2))
        }
    }

    func ids(named name: String) throws -> [Int64] {
        let known = try byName ?? Dictionary(grouping: people()) { $0.name.folded }.mapValues { $0.map(\.id) }
        byName = known
        return known[name] ?? []
    }

    /// Returns the id of the person whose id at the source is `id`, if that person has always been hidden.
    func id(ofNeverShown id: Int64) -> Int64? {
        if neverShown.isEmpty { return nil }
        let hidden = identities.hiddenID(ofGiven: id)
        return neverShown.contains(hidden) ? hidden : nil
    }

    /// Calls `body` with ``SavedUser/columnNamesOfHidden`` and `filters` of a person. Returns `nil` if there is none.
    func withPerson<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        if isEmpty { return nil }
        return try connection.first(
            "SELECT \(SavedUser.columnNamesOfHidden), filters FROM userHidden\(directory) WHERE id = ?", id,
            read: body)
    }

    func insert(_ user: SavedUser) throws {
        isEmpty = false
        if user.columns.id >= IdentityTable.firstHiddenID { neverShown.insert(user.columns.id) }
        let insert = try connection.statement(
            """
            INSERT INTO userHidden\(directory) (\(SavedUser.newColumnNames))
            VALUES (\(SavedUser.newParameters))
            """)
        insert.bind(new: user)
        try insert.run()
    }

    /// Removes a person, or returns `nil` if there is none with this id.
    func remove(_ id: Int64) throws -> RemovedUser? {
        if isEmpty { return nil }
        neverShown.remove(id)
        return try connection.first(
            "DELETE FROM userHidden\(directory) WHERE id = ? RETURNING \(RemovedUser.columns)", id,
            read: RemovedUser.init)
    }

    /// Gives a person who has been hidden since the first import the id of somebody who is shown.
    func show(_ hidden: Int64, as id: Int64) throws {
        try connection.run("UPDATE userHidden\(directory) SET id = ? WHERE id = ?", id, hidden)
        try identities.rows.move(hidden, to: id)
        neverShown.remove(hidden)
    }
}

// MARK: - What is different for hidden people: readers must not notice whether there are any

extension PeopleFinder {
    /// Notes the ids and logins that the source gives in a batch. Those of hidden people do not count: a gap would tell
    /// of them.
    func note(_ batch: UserBatch) throws {
        let bytes = batch.buffer.bytes
        for user in batch.records where !user.isHidden { note(user, bytes) }
        try prepare(batch)
    }

    /// Returns the only person with the name of `user` who is not in this import so far. Looks among the people who are
    /// shown and then, if nobody there has the name, among the hidden ones; for a hidden user, in the opposite order.
    /// People with a key count only `ignoringKeys`: if the import has another key, or `user` none.
    func onlyID(of user: UserToWrite, in batch: UserBatch, ignoringKeys: Bool) throws -> Int64? {
        let groups = try ids(named: user, batch.buffer.bytes)
        for group in user.isHidden ? groups.reversed() : groups {
            let ids = try group.filter { id in
                try !hasFound(id) && (ignoringKeys || !tables.identities.hashes(of: id).contains(where: \.isOfKey))
            }
            if !ids.isEmpty { return ids.count == 1 ? ids.first : nil }
        }
        return nil
    }

    /// Sets the id of a user who is stored with the id `known`. `given` is the user's id at the source, or 0. Returns
    /// `false` for a new user.
    ///
    /// People who have been hidden since they came have ids apart from the others', until they are shown.
    func setID(
        of user: inout UserToWrite, _ known: Int64?, given: Int64, _ hash: IdentityTable.Hash?, in batch: UserBatch
    ) throws -> Bool {
        if user.isHidden {
            // Nobody has the id of the source, or somebody else got it from Rollcall.
            let isNew =
                try known == given && !isGiven(given) && tables.flags(of: given)?.contains(.generatedID) != false
            let stored = isNew ? nil : known
            user.id = stored ?? hash.map(IdentityTable.hiddenID) ?? tables.identities.hiddenID(ofGiven: given)
            if user.id >= IdentityTable.firstHiddenID { user.generated.insert(.id) }
            return stored != nil
        }
        guard let known else {
            user.id = try makeID()
            try noteNew(user, in: batch)
            return false
        }
        user.id = known
        if tables.hidden.neverShown.contains(known) {
            user.id = try given > 0 ? given : makeID()
            try tables.hidden.show(known, as: user.id)
        }
        return true
    }

    /// Returns the handle of a person named `name`. A new one of somebody hidden is not kept from others.
    func handle(of user: UserToWrite, named name: String) throws -> String {
        let current = try tables.handles.current(of: user.id)
        if user.isHidden { return current ?? "hidden-\(String(user.id, radix: 36))" }
        return try handle(of: user.id, named: name, insteadOf: current)
    }
}

extension UserTables {
    /// Saves a hidden user, and removes the visible one with this id. Returns `false` for somebody who is shown.
    func hide(_ record: UserToWrite, in batch: UserBatch, counting counts: inout WriteCounts) throws -> Bool {
        guard record.isHidden else { return false }
        let bytes = batch.buffer.bytes
        if try hidden.withPerson(record.id, { $0.isSame(as: record, bytes) }) == true {
            counts.unchanged += 1
            return true
        }
        let removed = try remove(record.id)
        let objects = objections?.has(record, bytes) == true
        try hidden.insert(SavedUser(record, bytes, filters: .empty, savedAt: now, objects: objects))
        if let removed { try keepLastingValues(of: removed, as: record.id) }
        changes.noteHidden()
        counts.note(wasThere: removed != nil)
        return true
    }
}
