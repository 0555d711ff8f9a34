/// The mark of a database into which another one is being copied: a table with the state of the copy in one row. While
/// the table exists, the store shows no directories.
package enum IncompleteCopy {
    package static let table = "copying"

    /// The text of the error for a database that is an incomplete copy. It stands after the name of the database.
    package static let description =
        "is an incomplete copy of another database; run the same rollcall copy again to complete it"

    /// The step is the index of the table that is copied next.
    static let creation = "CREATE TABLE \(table) (id BIGINT PRIMARY KEY, source TEXT NOT NULL, step BIGINT NOT NULL)"
}
