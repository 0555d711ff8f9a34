import StoreEngine

/// Collects new rows of a table and sends them with `COPY`. All columns are `int8`, `text` or `bytea` (``Schema``).
final class PostgresRowWriter: RowWriter {
    private let connection: PostgresStoreConnection
    private let rows = CopyRows()
    private let target: String
    private let columnCount: Int16
    private var isInRow = false

    init(_ table: String, _ columns: [String], on connection: PostgresStoreConnection) {
        self.connection = connection
        target = "\(table) (\(columns.joined(separator: ", ")))"
        columnCount = Int16(columns.count)
    }

    private func beginRow() {
        if isInRow { return }
        isInRow = true
        rows.beginRow(columns: columnCount)
    }

    func append(_ number: Int64) {
        beginRow()
        rows.append(number)
    }

    func append(text: UnsafeRawBufferPointer) { append(blob: text) }

    func append(blob: UnsafeRawBufferPointer) {
        beginRow()
        rows.append(blob)
    }

    func append(key: BlockKey) {
        switch key {
        case .number(let number): withUnsafeBytes(of: number.orderedBytes) { append(blob: $0) }
        case .text(let bytes), .blob(let bytes): append(blob: bytes)
        }
    }

    func appendNull() {
        beginRow()
        rows.appendNull()
    }

    func endRow() throws {
        isInRow = false
        if rows.byteCount >= PostgresStoreConnection.maxCollectedBytes { try finish() }
    }

    func finish() throws {
        guard rows.count > 0 else { return }
        try connection.client().copy(rows, into: target)
    }
}
