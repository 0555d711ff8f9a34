import Base
import StoreEngine

/// The blobs of a directory's index, as rows of a table with the columns `id` and `entries`.
struct SQLiteBlobs: BlobStorage {
    private let table: BlobTable
    private let directory: Int64
    private let connection: SQLiteConnection

    init(_ table: BlobTable, of directory: Int64, on connection: SQLiteConnection) {
        self.table = table
        self.directory = directory
        self.connection = connection
    }

    private var tableName: String { "\(table.rawValue)\(directory)" }

    func get(_ number: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        let statement = try statement(.get, "SELECT entries FROM \(tableName) WHERE id = ?")
        statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return false }
        try body(statement.blob(0))
        return true
    }

    func get(
        _ range: Range<Int64>, isDescending: Bool, _ body: (_ number: Int64, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let order = isDescending ? " DESC" : ""
        let statement = try statement(
            isDescending ? .getDescending : .getAscending,
            "SELECT id, entries FROM \(tableName) WHERE id >= ? AND id < ? ORDER BY id\(order)")
        statement.bind(range.lowerBound, at: 1)
        statement.bind(range.upperBound, at: 2)
        defer { statement.reset() }
        while try statement.step(), try body(statement.number(0), statement.blob(1)) {}
    }

    func get(_ next: () throws -> Int64?, _ body: (UnsafeRawBufferPointer?) throws -> Bool) throws {
        let reader = BlobReader(connection, table: tableName, column: "entries")
        defer { reader.close() }
        while let number = try next(), try body(reader.value(number)) {}
    }

    func put(_ bytes: UnsafeRawBufferPointer, at number: Int64, isNew: Bool) throws {
        let statement =
            isNew
            ? try statement(.insert, "INSERT INTO \(tableName) (entries, id) VALUES (?, ?)")
            : try statement(.update, "UPDATE \(tableName) SET entries = ? WHERE id = ?")
        statement.bind(blob: bytes, at: 1)
        statement.bind(number, at: 2)
        try statement.run()
    }

    func add(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let statement = try statement(.add, "INSERT INTO \(tableName) (entries) VALUES (?)")
        statement.bind(blob: bytes, at: 1)
        try statement.run()
        return connection.lastRow
    }

    func delete(_ range: Range<Int64>) throws {
        let statement = try statement(.delete, "DELETE FROM \(tableName) WHERE id >= ? AND id < ?")
        statement.bind(range.lowerBound, at: 1)
        statement.bind(range.upperBound, at: 2)
        try statement.run()
    }

    private func statement(
        _ operation: StatementName.BlobOperation, _ sql: @autoclosure () -> String
    ) throws -> any StoreStatement {
        try connection.statement(.blobs(operation, table, of: directory), sql())
    }
}
