/// The version of the tables of a database.
package enum TableFormat {
    /// The version that this program reads and writes, and no other.
    package static let current: Int64 = 3

    /// Throws if another version made the tables of the database called `name`.
    package static func check(_ format: Int64, of name: String) throws(StoreError) {
        if format == current { return }
        if format > current {
            throw StoreError(.newer, "\(name) was made by a newer Rollcall (format \(format)); use that one")
        }
        throw StoreError(
            .older,
            """
            \(name) was made by an earlier Rollcall, in another format (\(format) instead of \(current)); import again \
            into a new database, or write the people out with rollcall export of the version that made it, and import \
            those files
            """)
    }
}
