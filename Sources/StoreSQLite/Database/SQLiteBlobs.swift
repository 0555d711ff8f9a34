import Base
import CSQLite
import StoreEngine

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

    func put(_ bytes: UnsafeRawBufferPointer, at number: Int64) throws {
        let statement = try statement(
            .put,
            """
            INSERT INTO \(tableName) (entries, id) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET entries = excluded.entries
            """)
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

/// Reads one column, texts or blobs, of many rows.
///
/// A blob handle of SQLite moves from row to row, which takes two thirds of the time of a statement. While it is open,
/// it keeps its transaction open, like a statement that is not reset.
final class BlobReader {
    private let connection: SQLiteConnection
    private let table: String
    private let column: String
    private var handle: OpaquePointer?
    private let buffer = ByteBuffer(capacity: 1 << 13)

    init(_ connection: SQLiteConnection, table: String, column: String) {
        self.connection = connection
        self.table = table
        self.column = column
    }

    deinit { close() }

    private var row: Int64 = 0

    /// Returns the value in row `row`, valid until the next call, or `nil` if the row does not exist.
    func value(_ row: Int64) throws -> UnsafeRawBufferPointer? { try read(row) ? buffer.bytes : nil }

    func read(_ row: Int64) throws -> Bool {
        self.row = row
        let status =
            handle == nil
            ? sqlite3_blob_open(connection.handle, "main", table, column, row, 0, &handle)
            : sqlite3_blob_reopen(handle, row)
        if status == SQLITE_ERROR {
            // The only code that SQLite returns for a missing row. The handle cannot be used any more.
            close()
            return false
        }
        try connection.check(status, "at row \(row) of \(table)")
        let count = sqlite3_blob_bytes(handle)
        buffer.removeAll()
        try buffer.append(upTo: Int(count)) { room in
            try connection.check(
                sqlite3_blob_read(handle, room.baseAddress, count, 0), "at row \(row) of \(table)")
            return room.count
        }
        return true
    }

    func close() {
        sqlite3_blob_close(handle)
        handle = nil
    }
}

/// The columns are the id and the value.
extension BlobReader: StoreRow {
    func isNull(_ column: Int32) -> Bool { false }
    func number(_ column: Int32) -> Int64 { row }
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { buffer.bytes }
    func blob(_ column: Int32) -> UnsafeRawBufferPointer { buffer.bytes }
}
