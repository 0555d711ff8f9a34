import Directories
import GRDB
import StoreEngine

/// A write transaction that stays open from its creation to ``commit()`` or ``rollback()``, across calls.
///
/// Its statements run on GRDB's queue, through GRDB and through C statements on the same connection. A store has one
/// such connection, so a thread that begins a transaction waits until those of other threads have ended. Confined to
/// one thread.
final class SQLiteTransaction: WriteTransaction {
    private let store: SQLiteStore
    private let writing: DatabaseQueue
    private var isOpen = true

    /// Begins a transaction, and waits for other threads and processes that write. Throws if another database has taken
    /// the file's path: that one belongs to somebody else, and what is written into a removed file is lost.
    init(_ store: SQLiteStore) throws {
        guard let writing = store.writing else { throw StoreError(notWritable: store.path) }
        self.store = store
        self.writing = writing
        store.writeTurn.wait()
        do {
            try store.checkWrittenFile()
            try perform { db, _ in try db.beginTransaction(.immediate) }
        } catch {
            end()
            throw error
        }
    }

    deinit { rollback() }

    /// Calls `body` inside the transaction.
    func perform<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try perform { _, connection in try body(connection) }
    }

    private func perform<Result>(_ body: (Database, Connection) throws -> Result) throws -> Result {
        do {
            return try writing.inDatabase { db in
                guard let handle = db.sqliteConnection else { throw StoreError(.gone, "\(store.path) is closed") }
                return try body(db, Connection(borrowing: handle))
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: store.path)
        }
    }

    /// Saves what was written. If this throws before the transaction is saved, it is still open: roll it back.
    func commit() throws {
        try perform { db, _ in try db.commit() }
        end()
        try store.checkWrittenFile()
    }

    /// Discards what was written. Does nothing after ``commit()``.
    func rollback() {
        guard isOpen else { return }
        // SQLite rolls back by itself when this fails, at the latest when the connection is closed.
        try? perform { db, _ in try db.rollback() }
        end()
    }

    private func end() {
        isOpen = false
        store.writeTurn.signal()
    }
}
