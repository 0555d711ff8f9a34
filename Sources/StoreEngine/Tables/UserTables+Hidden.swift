import Base
import People

// Hidden users, in a table of their own.

extension UserTables {
    /// Saves a hidden user, and removes the visible one with this id. Returns `nil` if nothing has changed.
    func hide(
        _ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, noting changes: UserChanges
    ) throws -> Outcome? {
        if hasHidden, try isSameHidden(record, bytes) { return nil }
        let lasting = try lastingValues(of: record.id)
        let existed = try remove(record.id, noting: changes) != nil
        hasHidden = true
        let insert = try connection.statement(
            """
            INSERT INTO userHidden\(directory) (login, name, avatarURL, htmlURL, type, more, reputation, flags, id,
                filters, addedAt, picture, changedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """)
        insert.bind(bytes[record.login], at: 1)
        insert.bind(bytes[record.name], at: 2, emptyIsNull: true)
        insert.bind(bytes[record.avatarURL], at: 3, emptyIsNull: true)
        insert.bind(bytes[record.htmlURL], at: 4, emptyIsNull: true)
        insert.bind(bytes[record.type], at: 5)
        insert.bind(bytes[record.more], at: 6, emptyIsNull: true)
        insert.bind(record.reputation, at: 7)
        insert.bind(Int64(UserFlags(record).rawValue), at: 8)
        insert.bind(record.id, at: 9)
        insert.bindNull(at: 10)
        insert.bind(now, at: 11)
        if try objections?.has(record, bytes) == true { insert.bind(0, at: 12) } else { insert.bindNull(at: 12) }
        try insert.run()
        if let lasting { try set(lasting, of: record.id) }
        changes.noteHidden()
        return existed ? .changed : .added
    }

    private func isSameHidden(_ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let row = try connection.statement(
            """
            SELECT login, name, avatarURL, htmlURL, type, more, reputation, flags
            FROM userHidden\(directory) WHERE id = ?
            """)
        row.bind(record.id, at: 1)
        defer { row.reset() }
        guard try row.step() else { return false }
        let slices = [record.login, record.name, record.avatarURL, record.htmlURL, record.type, record.more]
        return slices.enumerated().allSatisfy { row.bytes(Int32($0)).equals(bytes[$1]) }
            && row.number(6) == record.reputation && row.number(7) == Int64(UserFlags(record).rawValue)
    }

    /// Removes a hidden user, or returns `nil` if no hidden user has this id.
    func removeHidden(_ id: Int64) throws -> RemovedUser? {
        let delete = try connection.statement(
            "DELETE FROM userHidden\(directory) WHERE id = ? RETURNING login, name, flags")
        delete.bind(id, at: 1)
        defer { delete.reset() }
        guard try delete.step() else { return nil }
        return RemovedUser(delete)
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
