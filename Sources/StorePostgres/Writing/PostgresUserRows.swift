import Base
import StoreEngine

/// ``prepare(_:)`` reads the rows of a batch at once. New rows are collected and written with `COPY`; changes of rows
/// are sent without waiting for answers.
final class PostgresUserRows: UserRowStorage {
    let directory: Int64
    private unowned let connection: PostgresStoreConnection
    private let (users, texts): (TableRows, TableRows)

    init(of directory: Int64, on connection: PostgresStoreConnection) {
        self.directory = directory
        self.connection = connection
        users = TableRows("user\(directory) (\(SavedUser.newColumnNames))")
        texts = TableRows("userText\(directory) (id, content)")
    }

    private func table(_ rows: KeyedRows) -> TableRows {
        switch rows {
        case .users: users
        case .texts: texts
        }
    }

    func discard() {
        users.discard()
        texts.discard()
    }

    func write() throws {
        try users.write(on: connection)
        try texts.write(on: connection)
    }

    func prepare(_ ids: [Int64]) throws {
        if ids.contains(where: { users.isCollected($0) || texts.isCollected($0) }) { try write() }
        try users.read(
            ids,
            with: connection.ownStatement(
                "SELECT \(SavedUser.columnNames), filters FROM user\(directory) WHERE id = ANY(?)"), idColumn: 0)
        try texts.read(
            ids, with: connection.ownStatement("SELECT content, id FROM userText\(directory) WHERE id = ANY(?)"),
            idColumn: 1)
    }

    /// Collected rows are copies.
    func finish() {}

    func insert(_ user: SavedUser) throws -> Bool {
        let columns = user.columns
        guard try !users.isCollected(columns.id) && withUser(columns.id, { _ in true }) == nil else { return false }
        let row = users.collect(columns.id, columnCount: Int16(SavedUser.newParameterCount))
        row.append(columns.id)
        row.append(columns.login)
        for text in [columns.name, columns.avatarURL] { row.append(text, emptyIsNull: true) }
        row.append(columns.more, emptyIsNull: true)
        row.append(user.flags)
        row.append(user.filters, emptyIsNull: true)
        row.append(user.savedAt)
        if user.objects { row.append(0) } else { row.appendNull() }
        try writeMany()
        return true
    }

    func insert(text: UnsafeRawBufferPointer, of id: Int64) throws {
        if texts.isCollected(id) { try write() }
        let row = texts.collect(id, columnCount: 2)
        row.append(id)
        row.append(text)
        try writeMany()
    }

    private func writeMany() throws {
        if users.byteCount + texts.byteCount >= PostgresStoreConnection.maxCollectedBytes { try write() }
    }

    func statement(
        _ operation: StatementName.RowOperation, _ rows: KeyedRows, _ id: Int64, _ sql: @autoclosure () -> String
    ) throws -> any StoreStatement {
        if table(rows).isCollected(id) { try write() }
        table(rows).forget(id)
        return try connection.ownStatement(sql())
    }

    func withRow<Result>(
        _ rows: KeyedRows, _ id: Int64, _ sql: @autoclosure () -> String, _ body: (any StoreRow) throws -> Result
    ) throws -> Result? {
        if table(rows).isCollected(id) { try write() }
        if let known = table(rows).row(of: id) { return try known.map(body) }
        return try connection.ownStatement(sql()).withRow(of: id, body)
    }
}

/// The rows of one table: new ones that are collected, and those that the last ``PostgresUserRows/prepare(_:)`` read.
private final class TableRows {
    private let target: String
    private let new = CopyRows()
    private var collected: Set<Int64> = []
    /// Its result has the rows that were read.
    private var statement: PostgresStatement?
    /// The row of each id; `nil` for those that do not exist.
    private var numbers: [Int64: Int?] = [:]

    init(_ target: String) { self.target = target }

    func discard() {
        forgetAll()
        new.removeAll()
        collected.removeAll()
    }

    // MARK: - Collecting

    var byteCount: Int { new.byteCount }

    func isCollected(_ id: Int64) -> Bool { collected.contains(id) }

    func collect(_ id: Int64, columnCount: Int16) -> CopyRows {
        forget(id)
        collected.insert(id)
        new.beginRow(columns: columnCount)
        return new
    }

    func write(on connection: PostgresStoreConnection) throws {
        collected.removeAll(keepingCapacity: true)
        if new.count > 0 { try connection.client().copy(new, into: target) }
    }

    // MARK: - Reading ahead

    func forget(_ id: Int64) { numbers[id] = nil }

    private func forgetAll() {
        statement?.reset()
        statement = nil
        numbers.removeAll(keepingCapacity: true)
    }

    func read(_ ids: [Int64], with statement: PostgresStatement, idColumn: Int32) throws {
        forgetAll()
        for id in ids { numbers.updateValue(nil, forKey: id) }
        for (id, row) in try statement.rowNumbers(of: ids, idColumn: idColumn) { numbers.updateValue(row, forKey: id) }
        self.statement = statement
    }

    /// Returns the row of a user, or `.some(nil)` if there is none; `nil` if it was not read.
    func row(of id: Int64) -> (any StoreRow)?? {
        numbers[id].map { number in
            number.flatMap { number in
                statement?.move(to: number)
                return statement
            }
        }
    }
}
