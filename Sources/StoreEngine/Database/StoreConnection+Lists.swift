/// The rows of a directory that have one of several values in a column.
package struct ValueLookup {
    package var columns: String
    package var table: String
    package var directory: Int64
    /// A column that follows the directory in an index.
    package var key: String
    /// The number of values.
    package var count = 256
}

extension StoreConnection {
    package func query(for lookup: ValueLookup) -> String {
        let list = Array(repeating: "?", count: lookup.count).joined(separator: ", ")
        return """
            SELECT \(lookup.columns) FROM \(lookup.table)
            WHERE directory = \(lookup.directory) AND \(lookup.key) IN (\(list))
            """
    }

    /// Calls `body` with each row of `lookup` that has one of `values`. A few statements look all of them up.
    func forEachRow(
        _ lookup: ValueLookup, _ values: [some Bindable], _ body: (any StoreRow) throws -> Void
    ) throws {
        // Always the same number of parameters, so that there is one statement to prepare.
        let (count, sql) = (lookup.count, query(for: lookup))
        for start in stride(from: 0, to: values.count, by: count) {
            let statement = try statement(sql)
            defer { statement.reset() }
            for index in 0..<count {
                // The last value fills the rest.
                values[min(start + index, values.count - 1)].bind(to: statement, at: Int32(index + 1))
            }
            while try statement.step() { try body(statement) }
        }
    }
}
