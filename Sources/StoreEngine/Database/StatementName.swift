/// The statements that run for every page, or for every user written, and the directory whose tables they use.
package enum StatementName: Hashable {
    case directory, generation, filters
    case users(IndexScan, isSeeking: Bool, of: Int64)
    case user(of: Int64), picture(of: Int64), texts(of: Int64)
    case blobs(BlobOperation, BlobTable, of: Int64)
    case insertUsers(rows: Int, of: Int64), oldUser(of: Int64), lastUser(of: Int64), updateUser(of: Int64)
    case insertTexts(rows: Int, of: Int64), oldText(of: Int64), updateText(of: Int64)
    case updateRank(of: Int64)

    /// The ways in which statements use a table of blobs.
    package enum BlobOperation: Hashable {
        case get, getAscending, getDescending, insert, update, add, delete
    }
}
