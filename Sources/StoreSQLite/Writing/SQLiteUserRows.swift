import StoreEngine

/// The rows of one directory in `user` and `userText`: a statement for each row.
final class SQLiteUserRows: UserRowStorage {
    private let directory: Int64
    private let connection: SQLiteConnection

    init(of directory: Int64, on connection: SQLiteConnection) {
        self.directory = directory
        self.connection = connection
    }

    func prepare(_ ids: [Int64]) {}

    // MARK: - Users

    func insert(_ user: SavedUser) throws -> Bool {
        // OR IGNORE would also skip rows that violate a constraint.
        let statement = try connection.statement(
            .insertUser(of: directory),
            """
            INSERT INTO user\(directory) (login, name, avatarURL, htmlURL, type, more, reputation, flags, id, filters,
                addedAt, picture, changedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (id) DO NOTHING
            """)
        statement.bind(user)
        statement.bind(user.savedAt, at: 11)
        if user.objects { statement.bind(0, at: 12) } else { statement.bindNull(at: 12) }
        try statement.run()
        return connection.changes == 1
    }

    func update(_ user: SavedUser) throws {
        let statement = try connection.statement(
            .updateUser(of: directory),
            """
            UPDATE user\(directory) SET login = ?, name = ?, avatarURL = ?, htmlURL = ?, type = ?, more = ?,
                reputation = ?, flags = ?8, filters = ?10, changedAt = ?11,
                -- The picture is that of the old address.
                picture = CASE WHEN avatarURL IS ?3 OR hasOwnPicture OR picture = 0 THEN picture END
            WHERE id = ?9
            """)
        statement.bind(user)
        statement.bind(user.savedAt, at: 11)
        try statement.run()
    }

    func withUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        try withRow(
            connection.statement(
                .oldUser(of: directory),
                """
                SELECT login, name, avatarURL, htmlURL, type, more, reputation, filters, flags
                FROM user\(directory) WHERE id = ?
                """), id, body)
    }

    func removeUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        try withRow(
            connection.statement("DELETE FROM user\(directory) WHERE id = ? RETURNING login, name, flags, filters"), id,
            body)
    }

    func setFilters(_ filters: UnsafeRawBufferPointer, of id: Int64) throws {
        let update = try connection.statement("UPDATE user\(directory) SET filters = ? WHERE id = ?")
        update.bind(blob: filters, at: 1, emptyIsNull: true)
        update.bind(id, at: 2)
        try update.run()
    }

    // MARK: - Searched texts

    func insert(text: UnsafeRawBufferPointer, of id: Int64) throws {
        try run(
            connection.statement(
                .insertText(of: directory), "INSERT INTO userText\(directory) (content, id) VALUES (?, ?)"), text, id)
    }

    func update(text: UnsafeRawBufferPointer, of id: Int64) throws {
        try run(
            connection.statement(
                .updateText(of: directory), "UPDATE userText\(directory) SET content = ? WHERE id = ?"), text, id)
    }

    private func run(_ statement: any StoreStatement, _ text: UnsafeRawBufferPointer, _ id: Int64) throws {
        statement.bind(blob: text, at: 1)
        statement.bind(id, at: 2)
        try statement.run()
    }

    func withText<Result>(_ id: Int64, _ body: (SavedText) throws -> Result) throws -> Result? {
        let statement = try connection.statement(
            .oldText(of: directory), "SELECT content FROM userText\(directory) WHERE id = ?")
        return try withRow(statement, id) { try body(SavedText($0.blob(0))) }
    }

    func removeText(_ id: Int64) throws {
        let delete = try connection.statement("DELETE FROM userText\(directory) WHERE id = ?")
        delete.bind(id, at: 1)
        try delete.run()
    }

    private func withRow<Result>(
        _ statement: any StoreStatement, _ id: Int64, _ body: (any StoreRow) throws -> Result
    ) throws -> Result? {
        statement.bind(id, at: 1)
        defer { statement.reset() }
        return try statement.step() ? try body(statement) : nil
    }
}
