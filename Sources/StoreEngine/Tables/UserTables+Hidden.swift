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
        try connection.first("SELECT \(SavedUser.columnNames) FROM userHidden\(directory) WHERE id = ?", record.id) {
            $0.isSame(as: record, bytes)
        } == true
    }

    /// Removes a hidden user, or returns `nil` if no hidden user has this id.
    func removeHidden(_ id: Int64) throws -> RemovedUser? {
        let removed = try connection.first(
            "DELETE FROM userHidden\(directory) WHERE id = ? RETURNING login, name, flags", id, read: RemovedUser.init)
        if removed != nil { neverShown.remove(id) }
        return removed
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
        try connection.run("UPDATE userHidden\(directory) SET id = ? WHERE id = ?", id, hidden)
        try identities.move(hidden, to: id)
        neverShown.remove(hidden)
    }

    /// Returns the ids of hidden users that are not less than `first`.
    func hiddenIDs(from first: Int64) throws -> Set<Int64> {
        Set(try connection.all("SELECT id FROM userHidden\(directory) WHERE id >= ?", first) { $0.number(0) })
    }

    func hasHidden(_ id: Int64) throws -> Bool {
        try connection.number("SELECT 1 FROM userHidden\(directory) WHERE id = ?", id) != 0
    }

    /// Whether the directory has users, hidden or not.
    func hasRows() throws -> Bool {
        try ["user", "userHidden"].contains { try connection.number("SELECT 1 FROM \($0)\(directory) LIMIT 1") != 0 }
    }

    func hiddenCount() throws -> Int { Int(try connection.number("SELECT count(*) FROM userHidden\(directory)")) }

    /// Returns the ids and names of all hidden users.
    func hiddenNames() throws -> [(id: Int64, name: String)] {
        try connection.all("SELECT id, name FROM userHidden\(directory)") { ($0.number(0), $0.text(1)) }
    }

    /// Returns the ids of hidden users with `login`, in any case.
    func hiddenIDs(login: String) throws -> [Int64] {
        try connection.all("SELECT id, login FROM userHidden\(directory)") { (id: $0.number(0), login: $0.text(1)) }
            .filter { $0.login.folded == login.folded }.map(\.id)
    }
}
