import Base

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
        _ lookup: ValueLookup, _ values: [SQLValue<[UInt8]>], _ body: (any StoreRow) throws -> Void
    ) throws {
        // Always the same number of parameters, so that there is one statement to prepare.
        let (count, sql) = (lookup.count, query(for: lookup))
        for start in stride(from: 0, to: values.count, by: count) {
            let chunk = values[start..<min(start + count, values.count)]
            let statement = try statement(sql)
            let bytes = ByteBuffer(capacity: count * 16)
            let slices = chunk.map { value in
                switch value {
                case .number: ByteSlice.empty
                case .text(let kept), .blob(let kept): kept.withUnsafeBytes { bytes.keep($0) }
                }
            }
            for index in 0..<count {
                // The last value fills the rest.
                let place = min(index, chunk.count - 1)
                switch chunk[chunk.startIndex + place] {
                case .number(let number): statement.bind(number, at: Int32(index + 1))
                case .text: statement.bind(bytes.bytes[slices[place]], at: Int32(index + 1))
                case .blob: statement.bind(blob: bytes.bytes[slices[place]], at: Int32(index + 1))
                }
            }
            defer { withExtendedLifetime(bytes) { statement.reset() } }
            while try statement.step() { try body(statement) }
        }
    }
}
