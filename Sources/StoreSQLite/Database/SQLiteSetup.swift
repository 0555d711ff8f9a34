import CSQLite

/// Settings for all of SQLite in this process. They have to be made before the first connection is opened.
enum SQLiteSetup {
    /// Turns off SQLite's memory statistics when it is first used. With them, every allocation takes a lock that all
    /// connections of the process share, and readers on several queues waited there for each other.
    static let isPrepared: Bool = rollcall_sqlite_leave_out_memory_statistics() == SQLITE_OK
}
