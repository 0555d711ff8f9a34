import Base
import People

/// A connection to the database of a store, for one queue at a time.
///
/// The engine speaks the part of SQL that SQLite and PostgreSQL share. Each store adapts its database to this protocol:
/// parameters are `?` or `?1`; numbers, also truth values, are 64-bit integers; names are not quoted.
///
/// ```swift
/// let logins = try connection.all("SELECT login FROM forgotten WHERE id = ?", id) { $0.number(0) }
/// try connection.run("DELETE FROM forgotten WHERE id = ?", id)
/// ```
package protocol StoreConnection: AnyObject {
    /// Returns the statement that `sql` is the text of, which is prepared once.
    func statement(_ name: StatementName, _ sql: @autoclosure () -> String) throws -> any StoreStatement

    /// Calls `body` with the generation of a directory. Everything that `body` reads is of one moment. Returns `nil` if
    /// the directory does not exist.
    func withSnapshot<Result>(of directory: Int64, _ body: (_ generation: Int64) throws -> Result?) throws -> Result?

    /// Runs statements without parameters, separated by semicolons, and ignores their results.
    func execute(_ sql: String) throws

    /// Begins a transaction that writes.
    func begin() throws
    /// If this throws, roll back.
    func commit() throws
    /// If this fails, the database discards what was written by itself.
    func rollback()

    /// Returns the SQL condition that the database has a table with this name.
    func exists(table: String) -> String

    /// Returns the statement for the rows of a directory that have one of `count` values, each a parameter, in the
    /// column `key`, which follows the directory in an index.
    func selection(of columns: String, from table: String, in directory: Int64, by key: String, count: Int) -> String

    func makeRowWriter(into table: String, _ columns: [String]) throws -> any RowWriter

    /// Forgets all statements. Tables can be dropped only when no statement uses them.
    func removeStatements()

    /// The number of rows that the last statement changed.
    var changes: Int { get throws }

    /// Calls `body` with the row of each id that `next` names and that exists, in that sequence, until `next` returns
    /// `nil` or `body` returns `false`. `next` may be asked for several ids before `body` is called, but not again
    /// after `nil`.
    ///
    /// `body` must not run statements of this connection that read the same kind of rows.
    func forEachRow(
        _ rows: KeyedRows, in directory: Int64, _ next: () -> Int64?,
        _ body: (_ id: Int64, _ row: any StoreRow) throws -> Bool
    ) throws

    /// How many rows ``forEachRow(_:in:_:_:)`` reads at once. With 1, asking for rows that may not be needed costs as
    /// much as needing them.
    var rowsAtOnce: Int { get }

    /// A number that changes when the connection was lost and made again: temporary tables are gone then.
    var session: Int { get throws }

    /// The blobs of a directory's index.
    func blobs(_ table: BlobTable, of directory: Int64) -> any BlobStorage

    /// The rows of users of one directory, for writing many of them in the open transaction.
    func userRows(of directory: Int64) -> any UserRowStorage
}

extension StoreConnection {
    package func selection(
        of columns: String, from table: String, in directory: Int64, by key: String, count: Int
    ) -> String {
        let list = Array(repeating: "?", count: count).joined(separator: ", ")
        return "SELECT \(columns) FROM \(table) WHERE directory = \(directory) AND \(key) IN (\(list))"
    }

    /// Returns the statement for `sql`, which is prepared once.
    package func statement(_ sql: String) throws -> any StoreStatement { try statement(.other(sql), sql) }

    /// Calls `body` in a transaction of its own, which is rolled back if `body` throws.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// 0: a database that is part of the process, such as SQLite, loses no connection.
    package var session: Int { 0 }

    /// Calls `body` with the row of each of `ids` that exists, in their sequence, until it returns `false`.
    package func forEachRow(
        _ rows: KeyedRows, of ids: [Int64], in directory: Int64,
        _ body: (_ id: Int64, _ row: any StoreRow) throws -> Bool
    ) throws {
        var ids = ids.makeIterator()
        try forEachRow(rows, in: directory, { ids.next() }, body)
    }

    /// Calls `body` with the row of a user. Returns `nil` if it does not exist.
    package func withRow<Result>(
        _ rows: KeyedRows, of id: Int64, in directory: Int64, _ body: (any StoreRow) throws -> Result
    ) throws -> Result? {
        var result: Result?
        try forEachRow(rows, of: [id], in: directory) { _, row in
            result = try body(row)
            return false
        }
        return result
    }
}
