import Foundation
import People
import Publishing
import StoreEngine
import Synchronization

/// The directories in one SQLite file. This store needs no set-up.
///
/// Each reader has a connection of its own (``StoreReader``), all writers share one, and a watcher keeps the state in
/// memory up to date.
public final class SQLiteStore: EngineStore {
    public let path: String
    /// Identifies this database, so that validators of two databases are never equal.
    public let instance: String

    let busyTimeout: BusyTimeout
    /// `nil` if the file cannot be written.
    let writing: WritingConnection?
    private let current: Current
    private let watcher: Watcher

    /// Opens the database at `path`, and creates it if it does not exist. A file that cannot be written is only read.
    ///
    /// While another process writes, writers wait as long as `busyTimeout` allows. `rebuilding` is called while the
    /// search index of a directory is replaced, which takes about as long as an import, with the number of users done.
    /// `migrations` bring one of an older format to the current one.
    package init(
        path: String, for purpose: StorePurpose = .serving, busyTimeout: BusyTimeout = BusyTimeout(),
        migrations: [Migration] = TableFormat.migrations, rebuilding: (StoredDirectory, Int) -> Void = { _, _ in }
    ) throws {
        self.path = path
        self.busyTimeout = busyTimeout
        try DatabaseFile.checkFolder(of: path, toMake: "the database")
        let found =
            FileManager.default.fileExists(atPath: path)
            ? try DatabaseFile(at: path, for: purpose, since: migrations.oldest) : nil
        if let found, found.access != .writing {
            guard found.format == TableFormat.current else {
                throw StoreError(
                    .older,
                    """
                    \(path) has format \(found.format), and this Rollcall has format \(TableFormat.current): open it once \
                    where it may be written
                    """)
            }
            writing = nil
        } else {
            if let found, found.format < TableFormat.current { try Self.migrate(path, busyTimeout, migrations) }
            writing = try Self.openForWriting(path, busyTimeout, rebuilding)
        }
        let file = try DatabaseFile(at: path, for: purpose)
        if file.instance.isEmpty { throw StoreError(.notPermitted, "\(path) is empty, and may not be written here") }
        instance = file.instance
        let database = OpenDatabase(file, origin: 0)
        current = Current(database)
        let view = try DatabaseView(database, in: current, withSnapshots: purpose.isReading)
        try view.refresh()
        watcher = Watcher(view)
    }

    var database: OpenDatabase { current.get() }
    package var state: SharedState { database.state }

    public func makeReader(for audience: Audience) throws -> any UserReader {
        // A reader must not open a file that was removed: no one would notice its changes.
        try checkFile()
        return try ReopeningReader(self, for: audience)
    }

    public func refresh() { watcher.refresh() }

    public func close() { watcher.stop() }

    public var folder: String? { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    public var status: StoreStatus {
        var status = StoreStatus()
        status.secondsSincePoll = state.secondsSincePoll
        return status
    }

    public func checkHealth() throws {
        if let trouble = state.trouble { throw trouble }
        try checkFile()
    }

    private func checkFile() throws {
        guard database.file.isReplaced else { return }
        throw StoreError(changed: path, "a good database at this path is read at once")
    }
}

extension SQLiteStore {
    /// Opens the database, and creates it while no other process does: SQLite does not wait for a process that switches
    /// a new file to WAL.
    private static func openForWriting(
        _ path: String, _ busyTimeout: BusyTimeout, _ rebuilding: (StoredDirectory, Int) -> Void
    ) throws -> WritingConnection {
        try FileLock.whileCreating(path, busyTimeout) {
            // Closing any descriptor of a file releases this process's locks on it. So this is only done if nobody has
            // the file open.
            if FileIdentity(path) == nil { DatabaseFile.makePrivate(path) }
            let writing = try WritingConnection(path, busyTimeout: busyTimeout)
            try writing.use { connection in
                try Schema.create(on: connection)
                try connection.rebuildSearchedTexts(
                    nextGeneration: { try Self.nextGeneration(on: connection) }, rebuilding)
            }
            return writing
        }
    }
}

/// The database that is current, shared by all readers and the watcher.
final class Current: Sendable {
    private let database: Mutex<OpenDatabase>

    init(_ database: OpenDatabase) { self.database = Mutex(database) }

    func get() -> OpenDatabase { database.withLock { $0 } }
    func set(_ next: OpenDatabase) { database.withLock { $0 = next } }
}

/// A database file that a store has opened, and the state of the store that belongs to it. A file that replaces it gets
/// an `OpenDatabase` of its own, so data of two files is never mixed.
final class OpenDatabase: Sendable {
    let file: DatabaseFile
    let state: SharedState

    init(_ file: DatabaseFile, origin: UInt64, statistics: StoreStatistics = StoreStatistics()) {
        self.file = file
        state = SharedState(origin: origin, statistics: statistics)
    }
}

/// Reads the file that the store has open now.
final class ReopeningReader: EngineReader {
    private let store: SQLiteStore
    private var database: OpenDatabase
    private var reader: StoreReader

    private let audience: Audience

    init(_ store: SQLiteStore, for audience: Audience) throws {
        self.store = store
        self.audience = audience
        database = store.database
        reader = try StoreReader(of: database, for: audience)
    }

    func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        let now = store.database
        if now !== database {
            reader = try StoreReader(of: now, for: audience)
            database = now
        }
        return try body(reader)
    }
}

extension StoreReader {
    convenience init(of database: OpenDatabase, for audience: Audience = .everyone) throws {
        self.init(
            try SQLiteConnection(database.file, cacheKiB: SQLiteStore.readerCacheKiB), database.state,
            pictures: PictureFileReader(besideDatabase: database.file.path), for: audience)
    }
}
