import Base
import People

/// A connection to the database of a store, for one queue at a time.
///
/// The engine speaks the part of SQL that SQLite and PostgreSQL share. Each store adapts its database to this protocol:
/// parameters are `?` or `?1`; numbers, also truth values, are 64-bit integers; names are not quoted.
package protocol StoreConnection: AnyObject {
    /// Returns the statement for `sql`, which is prepared once.
    func statement(_ sql: String) throws -> any StoreStatement

    /// Returns the statement for `sql`, which is prepared once. For statements that run so often that building the text
    /// would cost time.
    func statement(_ name: StatementName, _ sql: @autoclosure () -> String) throws -> any StoreStatement

    /// Calls `body` with the generation of a directory. Everything that `body` reads is of one moment. Returns `nil` if
    /// the directory does not exist.
    func withSnapshot<Result>(of directory: Int64, _ body: (_ generation: Int64) throws -> Result?) throws -> Result?

    /// Runs statements without parameters, separated by semicolons, and ignores their results.
    func execute(_ sql: String) throws

    /// Calls `body` in a transaction of its own, which is rolled back if `body` throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result

    /// Returns the SQL condition that the database has a table with this name.
    func exists(table: String) -> String

    /// Returns the statement for the rows of `lookup`, with a parameter for each value.
    func query(for lookup: ValueLookup) -> String

    /// Returns a writer that adds rows to `table`, with values for `columns`.
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

/// Rows that are found by the id of a user.
package enum KeyedRows: Hashable, Sendable {
    /// The columns ``UserRowReader/columns`` of `user`.
    case users
    /// The columns `id, content` of `userText`: see ``SavedText``.
    case texts
}

/// The tables of blobs that each directory has. The id of the directory follows the name.
package enum BlobTable: String, Sendable {
    /// The n-gram index.
    case userNGram
    /// The blocks of all sort indexes.
    case userBlock
}

/// The current row of a statement. Bytes are valid until the next row is read, or the statement is reset.
package protocol StoreRow: AnyObject {
    func isNull(_ column: Int32) -> Bool
    /// Returns a number, 0 for `NULL`.
    func number(_ column: Int32) -> Int64
    /// Returns a text in UTF-8, empty for `NULL`.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer
    /// Returns a blob, empty for `NULL`.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer
    /// Returns the number of a column `key` of `userBlockDirectory`: see ``StoreStatement/bind(key:at:)``.
    func keyNumber(_ column: Int32) -> Int64
    /// Returns the text or blob of a column `key` of `userBlockDirectory`.
    func keyBytes(_ column: Int32, isBlob: Bool) -> UnsafeRawBufferPointer
}

/// A prepared statement. Reset it as soon as its rows are read: an open statement may keep its transaction open.
package protocol StoreStatement: StoreRow {
    /// Moves to the next row. Returns `false` after the last one.
    func step() throws -> Bool
    func reset()
    /// Runs a statement that returns no rows. The store may send it later, but before any statement that returns rows
    /// and before the transaction ends; an error is thrown then at the latest.
    func run() throws

    func bind(_ number: Int64, at index: Int32)
    /// Binds a text, or `NULL` if `bytes` is empty and `emptyIsNull`. The bytes must stay valid until the statement is
    /// reset.
    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, emptyIsNull: Bool)
    /// Binds a blob in the same way.
    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32, emptyIsNull: Bool)
    /// Binds a copy of `text`.
    func bind(_ text: String, at index: Int32)
    func bindNull(at index: Int32)
    /// Binds a key of `userBlockDirectory`. Bytes are ordered as by `memcmp`, and must stay valid until the statement
    /// is reset.
    func bind(key: BlockKey, at index: Int32)
}

extension StoreStatement {
    package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) { bind(bytes, at: index, emptyIsNull: false) }
    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) {
        bind(blob: bytes, at: index, emptyIsNull: false)
    }
}

extension StoreRow {
    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

/// The rows of one directory in `user` and `userText`, as an import writes them: one call a user.
///
/// A store may collect changes and write them together: other statements see all of them only after ``finish()``.
package protocol UserRowStorage: AnyObject {
    /// Says that the rows with `ids` are about to be read or written, so that a store can read all of them at once.
    func prepare(_ ids: [Int64]) throws
    /// Writes what is collected of the batch that began with ``prepare(_:)``. Until then the bytes of inserted users
    /// must stay valid, but for their filters.
    func finish() throws
    /// Forgets what belongs to a transaction that was not saved.
    func discard()

    /// Inserts a row of `user`. Returns `false` if the id exists.
    func insert(_ user: SavedUser) throws -> Bool
    /// Updates the row of `user` with the id, but for `addedAt`. A picture stays only if the address stays, if it is
    /// the publisher's own, or if the person objects to one.
    func update(_ user: SavedUser) throws
    /// Calls `body` with ``SavedUser/columnNames`` and `filters` of a row of `user`. Returns `nil` without one.
    func withUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result?
    /// Deletes a row of `user`. Calls `body` with its `login, name, flags, filters`. Returns `nil` if it does not
    /// exist.
    func removeUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result?
    func setFilters(_ filters: UnsafeRawBufferPointer, of id: Int64) throws

    /// Inserts a row of `userText`, with an encoded ``SavedText``.
    func insert(text: UnsafeRawBufferPointer, of id: Int64) throws
    func update(text: UnsafeRawBufferPointer, of id: Int64) throws
    /// Calls `body` with a row of `userText`. Returns `nil` if it does not exist.
    func withText<Result>(_ id: Int64, _ body: (SavedText) throws -> Result) throws -> Result?
    func removeText(_ id: Int64) throws
}

extension StoreConnection {
    /// 0: a database that is part of the process, such as SQLite, loses no connection.
    package var session: Int { 0 }

    /// Calls `body` with the row of each of `ids` that exists, in their sequence, until it returns `false`.
    package func forEachRow(
        _ rows: KeyedRows, of ids: [Int64], in directory: Int64,
        _ body: (_ id: Int64, _ row: any StoreRow) throws -> Bool
    ) throws {
        var index = 0
        try forEachRow(
            rows, in: directory,
            {
                guard index < ids.count else { return nil }
                index += 1
                return ids[index - 1]
            }, body)
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

extension StoreConnection {
    package func hasTable(_ name: String) throws -> Bool {
        try number("SELECT CASE WHEN \(exists(table: name)) THEN 1 ELSE 0 END") != 0
    }

    /// Returns the number that `sql` selects, or 0 if it selects no row.
    package func number(_ sql: String) throws -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : 0
    }
}

/// A value of a column. Its bytes are kept (`[UInt8]`), or borrowed for a call (`UnsafeRawBufferPointer`).
package enum SQLValue<Bytes> {
    case number(Int64)
    /// In UTF-8.
    case text(Bytes)
    case blob(Bytes)
}

extension SQLValue: Equatable where Bytes: Equatable {}
extension SQLValue: Sendable where Bytes: Sendable {}

/// A value of the column `key` of `userBlockDirectory`.
package typealias BlockKey = SQLValue<UnsafeRawBufferPointer>

/// The statements that run for every page, or for every user written, and the directory whose tables they use.
package enum StatementName: Hashable {
    case directory, generation, filters
    case users(IndexScan, isSeeking: Bool, of: Int64)
    case user(of: Int64), picture(of: Int64), texts(of: Int64)
    case blobs(BlobOperation, BlobTable, of: Int64)
    case insertUsers(rows: Int, of: Int64), oldUser(of: Int64), lastUser(of: Int64), updateUser(of: Int64)
    case insertTexts(rows: Int, of: Int64), oldText(of: Int64), updateText(of: Int64)
    case updateRank(of: Int64)
    case forgotten, forgettingKey, forgottenName

    /// The ways in which statements use a table of blobs.
    package enum BlobOperation: Hashable {
        case get, getAscending, getDescending, insert, update, add, delete
    }
}
