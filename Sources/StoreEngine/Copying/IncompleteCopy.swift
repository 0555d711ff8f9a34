/// The mark of a database into which another one is being copied: a table with the state of the copy in one row. While
/// the table exists, the store shows no directories.
package enum IncompleteCopy {
    package static let table = "copying"

    /// Throws if the database called `name` is an incomplete copy, unless it is opened to complete it.
    package static func check(_ connection: any StoreConnection, of name: String, for purpose: StorePurpose) throws {
        guard try purpose != .copying && connection.hasTable(table) else { return }
        throw StoreError(
            .older,
            "\(name) is an incomplete copy of another database; run the same rollcall copy again to complete it")
    }

    /// The step is the index of the table that is copied next.
    static let creation = "CREATE TABLE \(table) (id BIGINT PRIMARY KEY, source TEXT NOT NULL, step BIGINT NOT NULL)"
}
