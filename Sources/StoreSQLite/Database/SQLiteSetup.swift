import CSQLite

/// What holds for all of SQLite in this process. It has to be said before the first connection, whoever opens that.
enum SQLiteSetup {
    /// Does its work at the first mention: SQLite counts none of its memory. Each allocation of it would otherwise take one
    /// lock that all connections of the process share, and readers on several queues waited for each other there.
    static let isPrepared: Bool = rollcall_sqlite_leave_out_memory_statistics() == SQLITE_OK
}
