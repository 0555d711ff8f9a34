/// The name by which a connection keeps a prepared statement. Those that run for every page, or for every user written,
/// have one, with the directory whose tables they use: building their text would cost time.
package enum StatementName: Hashable {
    case generation
    case users(isDescending: Bool, isSeeking: Bool, of: Int64)
    case picture(of: Int64)
    case blobs(BlobOperation, BlobTable, of: Int64)
    case insertUsers(rows: Int, of: Int64), insertTexts(rows: Int, of: Int64)
    case row(KeyedRows, RowOperation, of: Int64)
    case updateRank(of: Int64)
    case rows(KeyedRows, of: Int64)
    /// A statement by its text.
    case other(String)

    /// The ways in which an import uses a row of a user that is there.
    package enum RowOperation: Hashable {
        case read, update, updateFilters, remove
    }

    /// The ways in which statements use a table of blobs.
    package enum BlobOperation: Hashable {
        case get, getAscending, getDescending, put, add, delete
    }
}
