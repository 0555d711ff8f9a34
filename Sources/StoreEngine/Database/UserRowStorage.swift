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
