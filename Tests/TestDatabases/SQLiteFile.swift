import StoreEngine
import StoreSQLite

/// An SQLite file as tests look into it and change it, on a connection of its own, which is closed with the last
/// reference.
public final class SQLiteFile {
    private let connection: SQLiteConnection

    public init(_ path: String) throws {
        connection = try SQLiteConnection(writing: path, cacheKiB: 2000, busyTimeout: BusyTimeout(limit: 5))
    }

    /// Runs statements without parameters, separated by semicolons.
    public func execute(_ sql: String) throws { try connection.execute(sql) }

    /// Runs a statement with parameters, a number or bytes each.
    public func execute(_ sql: String, number: Int64) throws {
        let statement = try connection.statement(sql)
        statement.bind(number, at: 1)
        try statement.run()
    }

    public func execute(_ sql: String, bytes: [UInt8]) throws {
        let statement = try connection.statement(sql)
        try bytes.withUnsafeBytes {
            statement.bind(blob: $0, at: 1)
            try statement.run()
        }
    }

    /// Returns the first column of all rows.
    public func numbers(_ sql: String) throws -> [Int64] { try column(sql) { $0.number(0) } }
    public func texts(_ sql: String) throws -> [String] { try column(sql) { $0.text(0) } }
    public func blobs(_ sql: String) throws -> [[UInt8]] { try column(sql) { Array($0.blob(0)) } }

    private func column<Value>(_ sql: String, _ value: (any StoreStatement) -> Value) throws -> [Value] {
        let rows = try connection.statement(sql)
        defer { rows.reset() }
        var values: [Value] = []
        while try rows.step() { values.append(value(rows)) }
        return values
    }

    /// The names of the tables, and of the columns of a table.
    public func tables() throws -> [String] { try texts("SELECT name FROM sqlite_master WHERE type = 'table'") }
    public func columns(of table: String) throws -> [String] {
        try texts("SELECT name FROM pragma_table_info('\(table)')")
    }

    /// Returns the rows of a table, each as the literals of its columns in SQL.
    public func rows(of table: String) throws -> [String] {
        let literals = try columns(of: table).map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
        return try texts("SELECT \(literals) FROM \(table) ORDER BY 1")
    }
}
