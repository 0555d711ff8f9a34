import StoreEngine

/// A write transaction that stays open from its creation to ``commit()`` or ``rollback()``, across calls.
///
/// A store has one connection for writing, so a thread that begins a transaction waits until those of other threads
/// have ended. Confined to one thread.
final class SQLiteTransaction: WriteTransaction {
    private let store: SQLiteStore
    private let writing: WritingConnection
    private var isOpen = true

    /// Begins a transaction, and waits for other threads and processes that write. Throws if another database has taken
    /// the file's path: that one belongs to somebody else, and what is written into a removed file is lost.
    init(_ store: SQLiteStore) throws {
        guard let writing = store.writing else { throw StoreError(notWritable: store.path) }
        self.store = store
        self.writing = writing
        writing.beginTurn()
        do {
            try store.checkWrittenFile()
            try writing.execute("BEGIN IMMEDIATE")
        } catch {
            end()
            throw error
        }
    }

    deinit { rollback() }

    /// Calls `body` inside the transaction.
    func perform<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try writing.use { try body($0) }
    }

    /// Saves what was written. If this throws before the transaction is saved, it is still open: roll it back.
    func commit() throws {
        try writing.execute("COMMIT")
        end()
        try store.checkWrittenFile()
    }

    /// Discards what was written. Does nothing after ``commit()``.
    func rollback() {
        guard isOpen else { return }
        // SQLite rolls back by itself when this fails, at the latest when the connection is closed.
        try? writing.execute("ROLLBACK")
        end()
    }

    private func end() {
        isOpen = false
        writing.endTurn()
    }
}
