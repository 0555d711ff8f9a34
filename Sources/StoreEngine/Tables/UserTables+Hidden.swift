import Base
import Publishing

// Hidden users, in a table of their own.

extension UserTables {
    /// Saves a hidden user, and removes the visible one with this id. Returns `nil` if nothing has changed.
    func hide(
        _ record: UserToWrite, _ bytes: UnsafeRawBufferPointer, noting changes: UserChanges
    ) throws -> Outcome? {
        if hasHidden, try isSameHidden(record, bytes) { return nil }
        let lasting = try lastingValues(of: record.id)
        let existed = try remove(record.id, noting: changes) != nil
        hasHidden = true
        if record.id >= IdentityTable.firstHiddenID { neverShown.insert(record.id) }
        let insert = try connection.statement(
            """
            INSERT INTO userHidden\(directory) (\(SavedUser.newColumnNames))
            VALUES (\(SavedUser.newParameters))
            """)
        let objects = try objections?.has(record, bytes) == true
        let noFilters = UnsafeRawBufferPointer(start: nil, count: 0)
        insert.bind(new: SavedUser(record, bytes, filters: noFilters, savedAt: now, objects: objects))
        try insert.run()
        if let lasting { try set(lasting, of: record.id) }
        changes.noteHidden()
        return existed ? .changed : .added
    }

    private func isSameHidden(_ record: UserToWrite, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let row = try connection.statement(
            "SELECT \(SavedUser.columnNames) FROM userHidden\(directory) WHERE id = ?")
        row.bind(record.id, at: 1)
        defer { row.reset() }
        return try row.step() && row.isSame(as: record, bytes)
    }

    /// Removes a hidden user, or returns `nil` if no hidden user has this id.
    func removeHidden(_ id: Int64) throws -> RemovedUser? {
        let delete = try connection.statement(
            "DELETE FROM userHidden\(directory) WHERE id = ? RETURNING login, name, flags")
        delete.bind(id, at: 1)
        defer { delete.reset() }
        guard try delete.step() else { return nil }
        neverShown.remove(id)
        return RemovedUser(delete)
    }

    /// Returns the id of the hidden person to whom the source gives `id` and who has been hidden since the first
    /// import, or `nil`.
    func neverShown(given id: Int64, _ identities: IdentityTable) -> Int64? {
        if neverShown.isEmpty { return nil }
        let hidden = identities.hiddenID(ofGiven: id)
        return neverShown.contains(hidden) ? hidden : nil
    }

    /// Gives a person who has been hidden since the first import the id of somebody who is shown.
    func show(_ hidden: Int64, as id: Int64, _ identities: IdentityTable) throws {
        let update = try connection.statement("UPDATE userHidden\(directory) SET id = ? WHERE id = ?")
        update.bind(id, at: 1)
        update.bind(hidden, at: 2)
        try update.run()
        try identities.move(hidden, to: id)
        neverShown.remove(hidden)
    }

    /// Returns the ids of hidden users that are not less than `first`.
    func hiddenIDs(from first: Int64) throws -> Set<Int64> {
        let rows = try connection.statement("SELECT id FROM userHidden\(directory) WHERE id >= ?")
        rows.bind(first, at: 1)
        defer { rows.reset() }
        var ids: Set<Int64> = []
        while try rows.step() { ids.insert(rows.number(0)) }
        return ids
    }

    func hasHidden(_ id: Int64) throws -> Bool {
        let statement = try connection.statement("SELECT 1 FROM userHidden\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Whether the directory has users, hidden or not.
    func hasRows() throws -> Bool {
        for table in ["user", "userHidden"] {
            let statement = try connection.statement("SELECT 1 FROM \(table)\(directory) LIMIT 1")
            defer { statement.reset() }
            if try statement.step() { return true }
        }
        return false
    }

    /// Returns the ids and names of all hidden users.
    func hiddenCount() throws -> Int {
        let row = try connection.statement("SELECT count(*) FROM userHidden\(directory)")
        defer { row.reset() }
        return try row.step() ? Int(row.number(0)) : 0
    }

    func hiddenNames() throws -> [(id: Int64, name: String)] {
        let rows = try connection.statement("SELECT id, coalesce(name, '') FROM userHidden\(directory)")
        defer { rows.reset() }
        var names: [(Int64, String)] = []
        while try rows.step() { names.append((rows.number(0), rows.text(1))) }
        return names
    }

    /// Returns the ids of hidden users with `login`, in any case.
    func hiddenIDs(login: String) throws -> [Int64] {
        let rows = try connection.statement("SELECT id, login FROM userHidden\(directory)")
        defer { rows.reset() }
        var ids: [Int64] = []
        while try rows.step() {
            if rows.text(1).folded == login.folded { ids.append(rows.number(0)) }
        }
        return ids
    }
}
