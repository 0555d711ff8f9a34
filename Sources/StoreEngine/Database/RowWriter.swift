/// Adds many rows to one table in the open transaction.
///
/// The caller appends the values of a row in the order of the columns, and then ends the row. Appended bytes must stay
/// valid until the row has ended. A store may collect rows and write them together, at the latest in ``finish()``.
package protocol RowWriter: AnyObject {
    func append(_ number: Int64)
    /// Appends a text in UTF-8.
    func append(text: UnsafeRawBufferPointer)
    func append(blob: UnsafeRawBufferPointer)
    /// Appends a value of the column `key` of `userBlockDirectory`.
    func append(key: BlockKey)
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

    package func append(_ number: Int64) { insert.bind(number, at: next()) }
    package func append(text: UnsafeRawBufferPointer) { insert.bind(text, at: next()) }
    package func append(blob: UnsafeRawBufferPointer) { insert.bind(blob: blob, at: next()) }
    package func append(key: BlockKey) { insert.bind(key: key, at: next()) }
    package func appendNull() { insert.bindNull(at: next()) }

    package func endRow() throws {
        column = 0
        try insert.run()
    }

    package func finish() {}
}
