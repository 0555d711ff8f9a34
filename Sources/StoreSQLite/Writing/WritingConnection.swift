import Dispatch
import Foundation
import StoreEngine

/// The connection that all writers of a store share. Transactions take turns on it, and so do the calls of different
/// threads.
///
/// Unchecked: only the thread that has ``call`` uses the connection.
final class WritingConnection: @unchecked Sendable {
    private let connection: SQLiteConnection
    private let path: String
    /// Held by the thread that uses the connection.
    private let call = NSLock()
    /// Held by the thread that has a transaction open.
    private let turn = DispatchSemaphore(value: 1)

    /// In pages: 16 MiB.
    static let autocheckpoint = 2000

    /// Opens the database at `path`, and makes it an empty one if it does not exist. `busyTimeout` says how long
    /// statements wait for other processes.
    init(_ path: String, busyTimeout: BusyTimeout) throws {
        self.path = path
        connection = try SQLiteConnection(writing: path, cacheKiB: 2000, busyTimeout: busyTimeout)
        // Pages of 8 KiB, which a new file gets, make an import a twentieth faster than SQLite's default of 4 KiB, and
        // cost readers nothing.
        //
        // With a WAL, NORMAL keeps the database consistent. A power failure may lose the last transactions, which an
        // import repeats. Writers of directories leave checkpoints to the ``Checkpointer``. Deleted content is
        // overwritten, so that no data of a forgotten user stays in the file.
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = \(Self.autocheckpoint); PRAGMA secure_delete = ON
            """, at: path)
        let mode = try connection.statement("PRAGMA journal_mode")
        defer { mode.reset() }
        guard try mode.step(), mode.text(0) == "wal" else {
            throw StoreError(.notPermitted, "\(path): SQLite cannot keep a write-ahead log beside it")
        }
    }

    /// Calls `body` with the connection while no other thread uses it. The statements that `body` prepares are its own.
    func use<Result>(_ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
        try call.withLock { try body(SQLiteConnection(sharing: connection)) }
    }

    /// Calls `body` while no transaction is open.
    func useAlone<Result>(_ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
        turn.wait()
        defer { turn.signal() }
        return try use(body)
    }

    /// Waits until no other thread has a transaction open. ``endTurn()`` must follow.
    func beginTurn() { turn.wait() }
    func endTurn() { turn.signal() }

    /// Runs a statement that begins or ends a transaction.
    func execute(_ sql: String) throws { try use { try $0.execute(sql, at: path) } }
}
