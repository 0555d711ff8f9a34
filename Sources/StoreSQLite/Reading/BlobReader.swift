import Bytes
import GRDBSQLite

/// The values of one column, texts or blobs, in many rows.
///
/// SQLite's handle of a blob moves from row to row, which takes two thirds of what a statement does. While it is open it holds its
/// transaction, as a statement that is not reset.
final class BlobReader {
    private let connection: Connection
    private let table: String
    private let column: String
    private var handle: OpaquePointer?
    private let buffer = ByteBuffer(capacity: 1 << 13)

    init(_ connection: Connection, table: String, column: String) {
        self.connection = connection
        self.table = table
        self.column = column
    }

    deinit { close() }

    /// The value in row `row`, valid until the next call; `nil` if there is no such row.
    func value(_ row: Int64) throws -> UnsafeRawBufferPointer? {
        let status =
            handle == nil
            ? sqlite3_blob_open(connection.handle, "main", table, column, row, 0, &handle)
            : sqlite3_blob_reopen(handle, row)
        if status == SQLITE_ERROR {
            // All that SQLite says of a row that is not there; the handle is of no more use.
            close()
            return nil
        }
        try check(status, row)
        let count = sqlite3_blob_bytes(handle)
        buffer.removeAll()
        try buffer.append(upTo: Int(count)) { room in
            try check(sqlite3_blob_read(handle, room.baseAddress, count, 0), row)
            return room.count
        }
        return buffer.bytes
    }

    func close() {
        sqlite3_blob_close(handle)
        handle = nil
    }

    private func check(_ status: Int32, _ row: Int64) throws {
        if status != SQLITE_OK { throw connection.error("at row \(row) of \(table)") }
    }
}
