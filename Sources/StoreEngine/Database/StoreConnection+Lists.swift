import Base

/// A value that a statement compares with.
enum SQLValue {
    case number(Int64)
    case text(String)
    case blob([UInt8])
}

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
        _ lookup: ValueLookup, _ values: [SQLValue], _ body: (any StoreRow) throws -> Void
    ) throws {
        // Always the same number of parameters, so that there is one statement to prepare.
        let (count, sql) = (lookup.count, query(for: lookup))
        for start in stride(from: 0, to: values.count, by: count) {
            let chunk = values[start..<min(start + count, values.count)]
            let statement = try statement(sql)
            let bytes = ByteBuffer(capacity: count * 16)
            let blobs = chunk.map { value in
                if case .blob(let blob) = value { blob.withUnsafeBytes { bytes.keep($0) } } else { ByteSlice.empty }
            }
            for index in 0..<count {
                // The last value fills the rest.
                let place = min(index, chunk.count - 1)
                switch chunk[chunk.startIndex + place] {
                case .number(let number): statement.bind(number, at: Int32(index + 1))
                case .text(let text): statement.bind(text, at: Int32(index + 1))
                case .blob: statement.bind(blob: bytes.bytes[blobs[place]], at: Int32(index + 1))
                }
            }
            defer { statement.reset() }
            while try statement.step() { try body(statement) }
        }
    }
}
