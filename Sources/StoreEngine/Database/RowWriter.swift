/// Adds many rows to one table in the open transaction.
///
/// The caller begins a row, appends its values in the order of the columns, and then ends it. Appended bytes must stay
/// valid until the row has ended. A store may collect rows and write them together, at the latest in ``finish()``.
package protocol RowWriter: AnyObject {
    func beginRow()
    func append(_ value: SQLValue<UnsafeRawBufferPointer>)
    func appendNull()
    func endRow() throws

    /// Writes the rows that are collected.
    func finish() throws
}

/// Runs an `INSERT` for each row, for stores that need no round trip for a statement.
package final class InsertingRowWriter: RowWriter {
    private let insert: any StoreStatement
    private var column: Int32 = 0

    package init(_ table: String, _ columns: [String], on connection: any StoreConnection) throws {
        insert = try connection.statement(
            """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """)
    }

    private func next() -> Int32 {
        column += 1
        return column
    }

    package func beginRow() { column = 0 }
    package func append(_ value: SQLValue<UnsafeRawBufferPointer>) { value.bind(to: insert, at: next()) }
    package func appendNull() { insert.bindNull(at: next()) }
    package func endRow() throws { try insert.run() }
    package func finish() {}
}
