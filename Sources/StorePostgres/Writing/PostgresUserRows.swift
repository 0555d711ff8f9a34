import Base
import StoreEngine

/// The rows of one directory in `user` and `userText`, as an import writes them.
///
/// ``prepare(_:)`` reads the rows of a batch at once. New rows are collected and written with `COPY`; changes of rows
/// are sent without waiting for answers.
final class PostgresUserRows: UserRowStorage {
    private let directory: Int64
    private unowned let connection: PostgresStoreConnection
    private let (newUsers, newTexts) = (CopyRows(), CopyRows())
    /// The users whose rows are collected.
    private var (collectedUsers, collectedTexts) = (Set<Int64>(), Set<Int64>())
    private var (users, texts) = (PreparedRows(), PreparedRows())

    init(of directory: Int64, on connection: PostgresStoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    /// Forgets everything that belongs to a transaction.
    func discard() {
        users.removeAll()
        texts.removeAll()
        newUsers.removeAll()
        newTexts.removeAll()
        collectedUsers.removeAll()
        collectedTexts.removeAll()
    }

    /// Writes the collected rows.
    func write() throws {
        guard newUsers.count + newTexts.count > 0 else { return }
        collectedUsers.removeAll(keepingCapacity: true)
        collectedTexts.removeAll(keepingCapacity: true)
        let client = try connection.client()
        try describingErrors {
            if newUsers.count > 0 {
                try client.copy(newUsers, into: "user\(directory) (\(SavedUser.newColumnNames))")
            }
            if newTexts.count > 0 {
                try client.copy(newTexts, into: "userText\(directory) (id, content)")
            }
        }
    }

    private func statement(_ sql: String) throws -> PostgresStoreStatement { try connection.preparedStatement(sql) }

    func prepare(_ ids: [Int64]) throws {
        if ids.contains(where: { collectedUsers.contains($0) || collectedTexts.contains($0) }) { try write() }
        try users.read(
            ids, with: statement("SELECT \(SavedUser.columnNames), filters FROM user\(directory) WHERE id = ANY(?)"),
            idColumn: 0)
        try texts.read(
            ids, with: statement("SELECT content, id FROM userText\(directory) WHERE id = ANY(?)"), idColumn: 1)
    }

    /// Collected rows are copies.
    func finish() {}

    // MARK: - Users

    func insert(_ user: SavedUser) throws -> Bool {
        let columns = user.columns
        if collectedUsers.contains(columns.id) { return false }
        switch users.state(of: columns.id) {
        case .present: return false
        case .absent: break
        case .unknown: if try withUser(columns.id, { _ in true }) == true { return false }
        }
        users.forget(columns.id)
        let rows = newUsers
        rows.beginRow(columns: Int16(SavedUser.newParameterCount))
        rows.append(columns.id)
        rows.append(columns.login)
        for text in [columns.name, columns.avatarURL] { rows.append(text, emptyIsNull: true) }
        rows.append(columns.more, emptyIsNull: true)
        rows.append(user.flags)
        rows.append(user.filters, emptyIsNull: true)
        rows.append(user.savedAt)
        if user.objects { rows.append(0) } else { rows.appendNull() }
        collectedUsers.insert(columns.id)
        try writeMany()
        return true
    }

    private func writeMany() throws {
        if newUsers.byteCount + newTexts.byteCount >= PostgresStoreConnection.maxCollectedBytes { try write() }
    }

    func update(_ user: SavedUser) throws {
        let statement = try changingUser(user.columns.id, SavedUser.update(of: directory))
        statement.bind(user)
        try describingErrors { try statement.statement.run() }
    }

    /// Returns the statement that changes the row of a user.
    private func changingUser(_ id: Int64, _ sql: String) throws -> PostgresStoreStatement {
        if collectedUsers.contains(id) { try write() }
        users.forget(id)
        return try statement(sql)
    }

    func withUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        if collectedUsers.contains(id) { try write() }
        return try users.withRow(id, body) {
            try statement("SELECT \(SavedUser.columnNames), filters FROM user\(directory) WHERE id = ?")
        }
    }

    func removeUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        let delete = try changingUser(
            id, "DELETE FROM user\(directory) WHERE id = ? RETURNING login, name, flags, filters")
        delete.bind(id, at: 1)
        defer { delete.reset() }
        return try describingErrors { try delete.statement.step() } ? try body(delete) : nil
    }

    func setFilters(_ filters: UnsafeRawBufferPointer, of id: Int64) throws {
        let update = try changingUser(id, "UPDATE user\(directory) SET filters = ? WHERE id = ?")
        update.bind(blob: filters, at: 1, emptyIsNull: true)
        update.bind(id, at: 2)
        try describingErrors { try update.statement.run() }
    }

    // MARK: - Searched texts

    func insert(text: UnsafeRawBufferPointer, of id: Int64) throws {
        if collectedTexts.contains(id) { try write() }
        texts.forget(id)
        let rows = newTexts
        rows.beginRow(columns: 2)
        rows.append(id)
        rows.append(text)
        collectedTexts.insert(id)
        try writeMany()
    }

    /// Returns the statement that changes the searched text of a user.
    private func changingText(_ id: Int64, _ sql: String) throws -> PostgresStoreStatement {
        if collectedTexts.contains(id) { try write() }
        texts.forget(id)
        return try statement(sql)
    }

    func update(text: UnsafeRawBufferPointer, of id: Int64) throws {
        let update = try changingText(id, "UPDATE userText\(directory) SET content = ? WHERE id = ?")
        update.bind(blob: text, at: 1)
        update.bind(id, at: 2)
        try describingErrors { try update.statement.run() }
    }

    func withText<Result>(_ id: Int64, _ body: (SavedText) throws -> Result) throws -> Result? {
        if collectedTexts.contains(id) { try write() }
        return try texts.withRow(id) {
            try body(SavedText($0.blob(0)))
        } _: {
            try statement("SELECT content FROM userText\(directory) WHERE id = ?")
        }
    }

    func removeText(_ id: Int64) throws {
        let delete = try changingText(id, "DELETE FROM userText\(directory) WHERE id = ?")
        delete.bind(id, at: 1)
        try describingErrors { try delete.statement.run() }
    }
}

/// The rows that the last ``PostgresUserRows/prepare(_:)`` read. They stay in the result of the statement.
private struct PreparedRows {
    private var statement: PostgresStoreStatement?
    /// The row of each id; `nil` for those that do not exist.
    private var numbers: [Int64: Int?] = [:]

    enum State { case present, absent, unknown }

    func state(of id: Int64) -> State {
        switch numbers[id] {
        case .some(.some): .present
        case .some(nil): .absent
        case nil: .unknown
        }
    }

    mutating func forget(_ id: Int64) { numbers[id] = nil }

    mutating func removeAll() {
        statement?.reset()
        statement = nil
        numbers.removeAll(keepingCapacity: true)
    }

    mutating func read(_ ids: [Int64], with statement: PostgresStoreStatement, idColumn: Int32) throws {
        removeAll()
        let array = PostgresArray(of: .number)
        for id in ids {
            array.append(id)
            numbers.updateValue(nil, forKey: id)
        }
        let client = statement.statement
        client.reset()
        client.bind(array, at: 1)
        for (id, row) in try client.rowNumbers(idColumn: idColumn) { numbers.updateValue(row, forKey: id) }
        self.statement = statement
    }

    func withRow<Result>(
        _ id: Int64, _ body: (any StoreRow) throws -> Result, _ single: () throws -> PostgresStoreStatement
    ) throws -> Result? {
        switch state(of: id) {
        case .absent: return nil
        case .present:
            guard let statement, let number = numbers[id] ?? nil else { return nil }
            statement.statement.move(to: number)
            return try body(statement)
        case .unknown:
            let statement = try single()
            statement.bind(id, at: 1)
            defer { statement.reset() }
            return try describingErrors { try statement.statement.step() } ? try body(statement) : nil
        }
    }
}
