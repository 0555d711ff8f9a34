import Base
import CSQLite
import StoreEngine

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

    /// The row that was read last.
    private var row: Int64 = 0

    /// Returns the value in row `row`, valid until the next call, or `nil` if the row does not exist.
    func value(_ row: Int64) throws -> UnsafeRawBufferPointer? { try read(row) ? buffer.bytes : nil }

    /// Reads the value in row `row`. Returns `false` if the row does not exist.
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
        try check(status, row)
        let count = sqlite3_blob_bytes(handle)
        buffer.removeAll()
        try buffer.append(upTo: Int(count)) { room in
            try check(sqlite3_blob_read(handle, room.baseAddress, count, 0), row)
            return room.count
        }
        return true
    }

    func close() {
        sqlite3_blob_close(handle)
        handle = nil
    }

    private func check(_ status: Int32, _ row: Int64) throws {
        if status != SQLITE_OK { throw connection.error("at row \(row) of \(table)") }
    }
}

/// The columns are the id and the value.
extension BlobReader: StoreRow {
    func isNull(_ column: Int32) -> Bool { false }
    func number(_ column: Int32) -> Int64 { row }
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { buffer.bytes }
    func blob(_ column: Int32) -> UnsafeRawBufferPointer { buffer.bytes }
    func keyNumber(_ column: Int32) -> Int64 { row }
    func keyBytes(_ column: Int32, isBlob: Bool) -> UnsafeRawBufferPointer { buffer.bytes }
}
