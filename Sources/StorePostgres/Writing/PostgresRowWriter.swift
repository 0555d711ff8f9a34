import StoreEngine

/// Collects new rows of a table and sends them with `COPY`. All columns are `int8`, `text` or `bytea` (``Schema``).
final class PostgresRowWriter: RowWriter {
    private let connection: PostgresStoreConnection
    private let rows = CopyRows()
    private let target: String
    private let columnCount: Int16

    init(_ table: String, _ columns: [String], on connection: PostgresStoreConnection) {
        self.connection = connection
        target = "\(table) (\(columns.joined(separator: ", ")))"
        columnCount = Int16(columns.count)
    }

    func beginRow() { rows.beginRow(columns: columnCount) }

    func append(_ value: SQLValue<UnsafeRawBufferPointer>) {
        switch value {
        case .number(let number): rows.append(number)
        case .text(let bytes), .blob(let bytes): rows.append(bytes)
        }
    }

    func appendNull() { rows.appendNull() }

    func endRow() throws {
        if rows.byteCount >= PostgresStoreConnection.maxCollectedBytes { try finish() }
    }

    func finish() throws {
        guard rows.count > 0 else { return }
        try connection.client().copy(rows, into: target)
    }
}
