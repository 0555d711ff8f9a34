import Directories
import Foundation
import GRDB
import GRDBSQLite

/// Directories in one SQLite file: the store that needs no set-up.
///
/// Readers have a connection each (``SQLiteReader``); writers share one; a watcher keeps what is in memory fresh.
public final class SQLiteStore: UserStore {
    public let path: String
    /// Names this database among all others, so that validators of two databases never look alike.
    public let instance: String

    let writing: DatabaseQueue
    let state = SharedState()
    private let watcher: Watcher
    private let file: FileIdentity?

    /// Opens the database at `path`; makes it if there is none. What makes pages fast is in memory unless `isForWriting`: ten
    /// million users take some 10 MiB.
    public init(path: String, isForWriting: Bool = false) throws {
        self.path = path
        try Self.checkFile(path)
        do {
            writing = try DatabaseQueue(path: path, configuration: Self.configuration)
            try Self.checkSchema(writing, path)
            try Schema.migrator.migrate(writing)
            instance = try writing.read { try String.fetchOne($0, sql: "SELECT instance FROM database") ?? "" }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
        file = FileIdentity(path)
        watcher = try Watcher(path: path, state: state, withRanks: !isForWriting)
    }

    public func makeReader() throws -> any UserReader {
        // Another file by this name has directories of its own, and none of this one's validators.
        try checkFile()
        return try SQLiteReader(path: path, state: state)
    }

    public var directories: [Directory] { state.directories }

    public var statistics: StoreStatistics { state.statistics }

    public func checkHealth() throws {
        try checkFile()
        if let trouble = state.trouble { throw trouble }
    }

    private func checkFile() throws {
        let found = FileIdentity(path)
        guard found == file else {
            let change = found == nil ? "removed" : "replaced"
            throw StoreError(.gone, "\(path) has been \(change) since it was opened; restart to use what is there now")
        }
    }

    public func openDirectory(_ slug: Slug, title: String?, source: String) throws -> any DirectoryWriter {
        try SQLiteWriter(store: self, slug: slug, title: title, source: source)
    }

    public func ledger(of slug: Slug) -> (any ImportLedger)? { SQLiteLedger(store: self, slug: slug) }
}

extension SQLiteStore {
    /// In pages: 16 MiB.
    static let autocheckpoint = 4000

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "rollcall.store.writing"
        configuration.journalMode = .wal
        // Another import is waited for: its transactions take a fraction of a second.
        configuration.busyMode = .timeout(600)
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

    /// What can be told before SQLite opens the file, in clearer words than its own.
    private static func checkFile(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard FileManager.default.fileExists(atPath: folder) else {
                throw StoreError(.notAFile, "there is no folder \(folder) to make the database in")
            }
            return
        }
        if isFolder.boolValue { throw StoreError(.notAFile, "\(path) is a folder; the database is a file") }
        guard access(path, R_OK | W_OK) == 0 else {
            throw StoreError(.notPermitted, "\(path) may not be read and written by this user")
        }
        try checkOwner(path)
    }

    /// Looks at a file before anything is changed in it.
    private static func checkOwner(_ path: String) throws {
        do {
            let connection = try Connection(reading: path, cacheKiB: 64)
            // The migrator's own table comes first, in a transaction of its own.
            let tables = try connection.statement(
                "SELECT count(*) FROM sqlite_master WHERE name NOT GLOB '*grdb_migrations*'")
            defer { tables.reset() }
            guard try tables.step(), tables.number(0) > 0 else { return }
            let application = try connection.statement("PRAGMA application_id")
            defer { application.reset() }
            guard try application.step(), application.number(0) == Int64(Schema.applicationID) else {
                throw StoreError(.foreign, "\(path) is a database of another program")
            }
        } catch let error as StoreError where error.reason == .sqlite(SQLITE_NOTADB) {
            throw StoreError(.notSQLite, "\(path) is no SQLite database")
        }
    }

    private static func checkSchema(_ writing: DatabaseQueue, _ path: String) throws {
        if try writing.read(Schema.migrator.appliedIdentifiers).contains(Schema.unreleasedMigration) {
            throw StoreError(
                .older, "\(path) was made by a Rollcall before its first release; import again into a new file")
        }
        if try writing.read(Schema.migrator.hasBeenSuperseded) {
            throw StoreError(.newer, "\(path) was made by a newer Rollcall; use that one")
        }
    }
}

extension StoreError {
    init(_ error: DatabaseError, path: String) {
        let reason: Reason
        switch error.resultCode {
        case .SQLITE_NOTADB: reason = .notSQLite
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: reason = .notPermitted
        default: reason = .sqlite(error.resultCode.rawValue)
        }
        self.init(reason, "\(path): \(error.message ?? "SQLite error") (\(error.resultCode.rawValue))")
    }
}
