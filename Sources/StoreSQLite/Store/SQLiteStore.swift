import Directories
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Directories in one SQLite file: the store that needs no set-up.
///
/// Readers have a connection each (``SQLiteReader``); writers share one; a watcher keeps what is in memory fresh.
public final class SQLiteStore: UserStore {
    public let path: String
    /// Names this database among all others, so that validators of two databases never look alike.
    public let instance: String

    /// How long to wait for others.
    let patience: BusyTimeout
    /// `nil` where nothing may be written.
    let writing: DatabaseQueue?
    /// Held by the thread whose transaction is open on `writing`.
    let writeTurn = DispatchSemaphore(value: 1)
    /// Which file that has open, whatever is read since.
    private let writtenFile: FileIdentity?
    private let current: Current
    private let watcher: Watcher

    /// Opens the database at `path`; makes it if there is none. One that may not be written is only read. What makes pages
    /// fast is in memory unless `isForWriting`: ten million users take some 10 MiB.
    ///
    /// Whoever writes waits as `patience` says while another process does. `willMigrate` is called before a database of an older
    /// version is brought to this one, which takes some seconds for a million users.
    public init(
        path: String, isForWriting: Bool = false, patience: BusyTimeout = BusyTimeout(),
        willMigrate: () -> Void = {}
    ) throws {
        self.path = path
        self.patience = patience
        try Self.checkFolder(path)
        if FileManager.default.fileExists(atPath: path), try DatabaseFile(at: path).access != .writing {
            (writing, writtenFile) = (nil, nil)
        } else {
            writing = try Self.openForWriting(path, patience, willMigrate)
            writtenFile = FileIdentity(path)
        }
        let file = try DatabaseFile(at: path)
        if file.instance.isEmpty { throw StoreError(.notPermitted, "\(path) is empty, and may not be written here") }
        instance = file.instance
        let database = OpenDatabase(file, origin: 0)
        let current = Current(database)
        self.current = current
        watcher = try Watcher(database, withRanks: !isForWriting) { current.set($0) }
    }

    /// The file that is read now.
    var database: OpenDatabase { current.get() }
    var state: SharedState { database.state }

    public func makeReader() throws -> any UserReader {
        // Not of a file that was removed: it will not be looked at again.
        try checkFile()
        return try ReopeningReader(self)
    }

    public var directories: [Directory] { state.directories }

    public var statistics: StoreStatistics { state.statistics }

    public func checkHealth() throws {
        if let trouble = state.trouble { throw trouble }
        try checkFile()
    }

    /// Throws if the file is not the one that is read.
    private func checkFile() throws {
        guard database.file.isReplaced else { return }
        throw StoreError(
            .gone, "\(path) has been \(change) since it was opened; it is read again as soon as it is good")
    }

    /// Throws if the file is not the one that is written, which stays open when another one is read.
    func checkWrittenFile() throws {
        guard let writtenFile, FileIdentity(path)?.isSameFile(as: writtenFile) != true else { return }
        throw StoreError(
            .gone, "\(path) has been \(change) since it was opened; run this again to write into what is there")
    }

    private var change: String { FileIdentity(path) == nil ? "removed" : "replaced" }

    public func openDirectory(_ slug: Slug, title: String?, source: String) throws -> any DirectoryWriter {
        try SQLiteWriter(store: self, slug: slug, title: title, source: source)
    }

    public func ledger(of slug: Slug) -> (any ImportLedger)? { SQLiteLedger(store: self, slug: slug) }
}

extension SQLiteStore {
    /// In pages: 16 MiB.
    static let autocheckpoint = 4000

    private static func configuration(_ patience: BusyTimeout) -> Configuration {
        var configuration = Configuration()
        configuration.label = "rollcall.store.writing"
        configuration.journalMode = .wal
        configuration.busyMode = .callback(patience.waits)
        // A ``WriteTransaction`` stays open between calls.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            // With WAL, NORMAL loses no consistency; a power failure may take the last transactions, which an import repeats.
            // Checkpoints of what writers of directories write are the ``Checkpointer``'s.
            // What is deleted is overwritten, so that nothing of a person who is forgotten stays in the file.
            try db.execute(
                sql: """
                    PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = \(autocheckpoint);
                    PRAGMA secure_delete = ON
                    """)
        }
        return configuration
    }

    /// Opens the database, makes it, or brings its schema to this version, while no other process does: which steps are missing is
    /// looked up before a transaction begins, and SQLite does not wait for who turns a new file to WAL.
    private static func openForWriting(
        _ path: String, _ patience: BusyTimeout, _ willMigrate: () -> Void
    ) throws -> DatabaseQueue {
        let lock = try patience.first { () -> FileLock? in
            if case .taken(let lock) = try FileLock.attempt("schema", of: path, name: "schema") { lock } else { nil }
        }
        guard let lock else {
            throw StoreError(
                .sqlite(SQLITE_BUSY), "\(path): another process has been bringing it to this version for too long")
        }
        return try withExtendedLifetime(lock) { try openAlone(path, patience, willMigrate) }
    }

    private static func openAlone(
        _ path: String, _ patience: BusyTimeout, _ willMigrate: () -> Void
    ) throws -> DatabaseQueue {
        _ = SQLiteSetup.isPrepared
        // An open file loses its locks when any descriptor of it is closed: so only where no one has it open.
        if FileIdentity(path) == nil { DatabaseFile.makePrivate(path) }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration(patience))
            let applied = try queue.read(Schema.migrator.appliedMigrations)
            if !applied.isEmpty, applied != Schema.migrator.migrations { willMigrate() }
            try Schema.migrator.migrate(queue)
            return queue
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    private static func checkFolder(_ path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw StoreError(.notAFile, "there is no folder \(folder) to make the database in")
        }
    }
}

/// The opening that counts, for everyone who asks.
final class Current: Sendable {
    private let database: Mutex<OpenDatabase>

    init(_ database: OpenDatabase) { self.database = Mutex(database) }

    func get() -> OpenDatabase { database.withLock { $0 } }
    func set(_ next: OpenDatabase) { database.withLock { $0 = next } }
}

extension StoreError {
    init(_ error: DatabaseError, path: String) {
        let reason: Reason
        switch error.resultCode {
        case .SQLITE_NOTADB: reason = .notSQLite
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: reason = .notPermitted
        default: reason = .sqlite(error.resultCode.rawValue)
        }
        let code = error.resultCode.rawValue
        let meaning = Self.meaning(code).map { "\($0) – " } ?? ""
        self.init(reason, "\(path): \(meaning)SQLite: \(error.message ?? "error") (\(code))")
    }
}
