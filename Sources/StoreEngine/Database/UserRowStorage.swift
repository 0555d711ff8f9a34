/// Rows that are found by the id of a user.
package enum KeyedRows: Hashable, Sendable {
    /// The columns ``UserRowReader/columns`` of `user`.
    case users
    /// The columns `id, content` of `userText`: see ``SavedText``.
    case texts
}

/// The tables of blobs that each directory has. The id of the directory follows the name.
package enum BlobTable: String, Sendable {
    case userNGram
    case userBlock
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
    /// Inserts a row of `userText`, with an encoded ``SavedText``.
    func insert(text: UnsafeRawBufferPointer, of id: Int64) throws

    var directory: Int64 { get }

    /// Returns the statement for an operation on the row with `id`, which is written before if it is collected. A row
    /// that was read ahead counts as changed.
    func statement(
        _ operation: StatementName.RowOperation, _ rows: KeyedRows, _ id: Int64, _ sql: @autoclosure () -> String
    ) throws -> any StoreStatement
    /// Calls `body` with the row with `id`, which `sql` selects by its only parameter. Returns `nil` without one.
    func withRow<Result>(
        _ rows: KeyedRows, _ id: Int64, _ sql: @autoclosure () -> String, _ body: (any StoreRow) throws -> Result
    ) throws -> Result?
}

extension UserRowStorage {
    package func withRow<Result>(
        _ rows: KeyedRows, _ id: Int64, _ sql: @autoclosure () -> String, _ body: (any StoreRow) throws -> Result
    ) throws -> Result? {
        try statement(.read, rows, id, sql()).withRow(of: id, body)
    }

    // MARK: - Users

    /// Updates the row of `user` with the id, but for `addedAt`. A picture stays only if the address stays, if it is
    /// the publisher's own, or if the person objects to one.
    func update(_ user: SavedUser) throws {
        let update = try statement(.update, .users, user.columns.id, SavedUser.update(of: directory))
        update.bind(user)
        try update.run()
    }

    /// Calls `body` with ``SavedUser/columnNames`` and `filters` of a row of `user`. Returns `nil` without one.
    package func withUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        try withRow(.users, id, "SELECT \(SavedUser.columnNames), filters FROM user\(directory) WHERE id = ?", body)
    }

    /// Deletes a row of `user`. Calls `body` with its ``RemovedUser/columns`` and `filters`. Returns `nil` if it does
    /// not exist.
    func removeUser<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        try statement(
            .remove, .users, id,
            "DELETE FROM user\(directory) WHERE id = ? RETURNING \(RemovedUser.columns), filters"
        ).withRow(of: id, body)
    }

    func setFilters(_ filters: UnsafeRawBufferPointer, of id: Int64) throws {
        let update = try statement(
            .updateFilters, .users, id, "UPDATE user\(directory) SET filters = ? WHERE id = ?")
        update.bindUnlessEmpty(blob: filters, at: 1)
        update.bind(id, at: 2)
        try update.run()
    }

    // MARK: - Searched texts

    func update(text: UnsafeRawBufferPointer, of id: Int64) throws {
        let update = try statement(.update, .texts, id, "UPDATE userText\(directory) SET content = ? WHERE id = ?")
        update.bind(blob: text, at: 1)
        update.bind(id, at: 2)
        try update.run()
    }

    func withText<Result>(_ id: Int64, _ body: (SavedText) throws -> Result) throws -> Result? {
        try withRow(.texts, id, "SELECT content FROM userText\(directory) WHERE id = ?") {
            try body(SavedText($0.blob(0)))
        }
    }

    func removeText(_ id: Int64) throws {
        let delete = try statement(.remove, .texts, id, "DELETE FROM userText\(directory) WHERE id = ?")
        delete.bind(id, at: 1)
        try delete.run()
    }
}

extension StoreStatement {
    /// Calls `body` with the first row that the statement returns for `id`, its only parameter. Returns `nil` without
    /// one.
    package func withRow<Result>(of id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        bind(id, at: 1)
        defer { reset() }
        return try step() ? try body(self) : nil
    }
}
