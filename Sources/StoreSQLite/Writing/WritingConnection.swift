import CSQLite
import Dispatch
import Foundation
import StoreEngine
import Synchronization

/// The connection that all writers of a store share. Transactions take turns on it, and so do the calls of different
/// threads.
///
/// Unchecked: only the thread that holds ``call`` uses the connection, and SQLite allows that threads take turns on
/// one. The rest are constants.
final class WritingConnection: SharedWriter, @unchecked Sendable {
    private let connection: SQLiteConnection
    private let path: String
    /// The file that is open. Readers may have another one.
    private let file: FileIdentity?
    /// Held by the thread that uses the connection.
    private let call = NSLock()
    let turn = DispatchSemaphore(value: 1)

    /// In pages: 16 MiB.
    static let autocheckpoint = 4000

    /// Opens the database at `path`, and makes it an empty one if it does not exist.
    init(_ path: String, busyTimeout: BusyTimeout) throws {
        self.path = path
        connection = try SQLiteConnection(writing: path, cacheKiB: 2000, busyTimeout: busyTimeout)
        // With a WAL, NORMAL keeps the database consistent. A power failure may lose the last transactions, which an
        // import repeats. Writers of directories leave checkpoints to the ``Checkpointer``. Deleted content is
        // overwritten, so that no data of a forgotten user stays in the file.
        try connection.execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA wal_autocheckpoint = \(Self.autocheckpoint); PRAGMA secure_delete = ON
            """, at: path)
        guard try connection.first("PRAGMA journal_mode", read: { $0.text(0) }) == "wal" else {
            throw StoreError(.notPermitted, "\(path): SQLite cannot keep a write-ahead log beside it")
        }
        file = FileIdentity(path)
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

    // MARK: - Transactions

    func begin() throws {
        try checkFile()
        try execute("BEGIN IMMEDIATE")
    }

    func commit() throws {
        try execute("COMMIT")
        try checkFile()
    }

    /// SQLite rolls back by itself when this fails, at the latest when the connection is closed.
    func rollback() { try? execute("ROLLBACK") }

    func perform<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result { try use { try body($0) } }

    private func execute(_ sql: String) throws { try use { try $0.execute(sql, at: path) } }

    /// Throws if another database has taken the file's path: that one belongs to somebody else, and what is written
    /// into a removed file is lost.
    private func checkFile() throws {
        guard let file, FileIdentity(path)?.isSameFile(as: file) != true else { return }
        throw StoreError(changed: path, "run this again to write into what is there")
    }
}

/// The transactions of one writer: a cache of their own, and checkpoints on another thread.
final class SQLiteSession: WritingSession {
    private let store: SQLiteStore
    private let checkpointer: Checkpointer
    /// Up to 64 MiB of pages. People without an id in the source are found by hashes and handles, whose places in their
    /// tables are random: with a million of them, an import that had 2 MiB read and wrote a page for each.
    private static let cacheKiB = 65_536

    init(_ store: SQLiteStore) throws {
        self.store = store
        try store.transaction { connection in
            try connection.execute("PRAGMA cache_size = -\(Self.cacheKiB); PRAGMA wal_autocheckpoint = 0")
        }
        checkpointer = try Checkpointer(path: store.path)
    }

    /// All writers of a file take turns.
    let maxDuration = Duration.milliseconds(400)

    func keepUp() { checkpointer.keepUp() }

    func noteCommit() { checkpointer.request() }

    /// Others that want to write look every three milliseconds.
    func pause(after duration: Duration) {
        if duration > .milliseconds(100) { Thread.sleep(forTimeInterval: 0.004) }
    }

    /// Another thread may have a transaction open meanwhile.
    func end(_ connection: any StoreConnection) {
        store.writing?.use { shared in
            connection.removeStatements()
            try? shared.execute(
                """
                PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = \(WritingConnection.autocheckpoint);
                PRAGMA shrink_memory
                """)
        }
        checkpointer.truncate()
    }
}

/// Copies committed pages from the WAL into the database file, on a thread of its own.
///
/// A checkpoint copies every page once more and syncs both files. In the writer's thread, where SQLite does it by
/// default, that takes a quarter of an import's time.
final class Checkpointer: Sendable {
    /// If the WAL has more pages than this, the writer waits until all are in the file. It then overwrites them.
    private let maxFrames: Int32
    private let connection: Mutex<SQLiteConnection>
    /// The number of requested checkpoints, and how many of these the last one covers.
    private let requested = Atomic(0)
    private let begun = Atomic(0)
    /// The number of pages in the WAL at the last checkpoint.
    private let frames = Atomic<Int32>(0)
    private let queue = DispatchQueue(label: "rollcall.store.checkpoint")

    /// The default of 65,536 pages of 4,096 bytes is 256 MiB: a large transaction need not wait for the one before.
    init(path: String, maxFrames: Int32 = 65_536) throws {
        self.maxFrames = maxFrames
        connection = Mutex(try SQLiteConnection(reading: path, cacheKiB: 64))
    }

    /// Requests a checkpoint after a transaction, and returns at once.
    func request() {
        requested.add(1, ordering: .relaxed)
        queue.async { [self] in
            if begun.load(ordering: .relaxed) < requested.load(ordering: .relaxed) { run(SQLITE_CHECKPOINT_PASSIVE) }
        }
    }

    /// Waits, before a transaction, if the WAL is long, or may be because checkpoints are late.
    func keepUp() {
        let behind = requested.load(ordering: .relaxed) - begun.load(ordering: .relaxed)
        if behind > 1 || frames.load(ordering: .relaxed) > maxFrames {
            queue.sync { run(SQLITE_CHECKPOINT_PASSIVE) }
        }
    }

    /// Truncates the WAL, unless a reader prevents it for a second.
    func truncate() {
        queue.sync { run(SQLITE_CHECKPOINT_TRUNCATE) }
    }

    /// If a checkpoint fails, the next one repeats its work.
    private func run(_ mode: Int32) {
        begun.store(requested.load(ordering: .relaxed), ordering: .relaxed)
        var frames: Int32 = 0
        connection.withLock { _ = sqlite3_wal_checkpoint_v2($0.handle, nil, mode, &frames, nil) }
        // Even if all pages are in the file: a transaction that began meanwhile has appended to them.
        self.frames.store(frames, ordering: .relaxed)
    }
}
