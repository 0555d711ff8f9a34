import Directories
import Foundation
import GRDBSQLite
import Platform

/// A database file that was looked at, and is one of ours: which file it is, and how it can be opened here.
struct DatabaseFile: Sendable {
    enum Access: Sendable {
        case writing
        /// Beside a log that somebody else left, and that may be read.
        case reading
        /// Where nothing may be written and there is no log: SQLite then reads the file as one that never changes.
        case immutable
    }

    let path: String
    let access: Access
    let identity: FileIdentity?
    /// What the database calls itself; empty where it has no tables yet.
    private(set) var instance = ""

    /// Throws a ``StoreError`` that says what is wrong with what is at `path`, and what was expected. Changes nothing.
    init(at path: String, patience: BusyTimeout? = nil) throws {
        self.path = path
        try Self.checkKind(path)
        access = Self.access(path)
        identity = FileIdentity(path)
        do {
            instance = try Self.checkContent(Connection(self, cacheKiB: 64, patience: patience), path)
        } catch let error as StoreError where error.reason == .sqlite(SQLITE_NOTADB) {
            throw StoreError(.notSQLite, "\(path) is no SQLite database; expected one that rollcall made")
        } catch let error as StoreError where error.reason == .sqlite(SQLITE_CORRUPT) {
            throw StoreError(error.reason, "\(path): \(error)")
        } catch let error as StoreError where error.reason == .sqlite(SQLITE_BUSY) {
            throw StoreError(error.reason, "\(path): another process keeps the database locked")
        } catch let error as StoreError where access == .reading {
            throw StoreError(
                .notPermitted,
                "\(path) may not be written here, and its changes in \(path)-wal cannot be read without that (\(error)); "
                    + "open it once where it may be written")
        }
    }

    /// Whether another file has come in its place, or one that was opened as immutable has been written.
    var isReplaced: Bool {
        guard let found = FileIdentity(path), var identity else { return true }
        // What is written in place, by whoever may, shows in the database's own version.
        if access != .immutable { (identity.size, identity.modified) = (found.size, found.modified) }
        return found != identity || (access == .immutable && Self.hasLog(path))
    }
}

extension DatabaseFile {
    /// What can be told before SQLite opens the file, in clearer words than its own.
    private static func checkKind(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw StoreError(.gone, "there is no file \(path); expected a database that rollcall made")
        }
        if isFolder.boolValue { throw StoreError(.notAFile, "\(path) is a folder; the database is a file") }
        guard Foundation.access(path, R_OK) == 0 else {
            throw StoreError(.notPermitted, "\(path) may not be read by this user")
        }
    }

    /// Makes an empty file at `path` that only its owner may read, where there is none. SQLite gives the log and its index the
    /// mode of the file. Where this fails, SQLite says why when it opens the file.
    static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Beside the file SQLite makes a log and an index of it, so that its folder counts, too.
    private static func access(_ path: String) -> Access {
        let folder = URL(fileURLWithPath: target(path)).deletingLastPathComponent().path
        let mayWrite = Foundation.access(path, W_OK) == 0
        if mayWrite, Foundation.access(folder, W_OK) == 0 { return .writing }
        return hasLog(path) ? .reading : .immutable
    }

    private static func hasLog(_ path: String) -> Bool { logSize(path) > 0 }

    private static func logSize(_ path: String) -> Int64 { FileIdentity(target(path) + "-wal")?.size ?? 0 }

    /// The file itself, where `path` is a link to it: SQLite keeps the log beside that.
    private static func target(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// While there is a log, SQLite goes by that, and misses what is missing in the file when it comes to it.
    private static func checkSize(_ connection: Connection, _ path: String) throws {
        let pageSize = try connection.number("PRAGMA page_size")
        let expected = try connection.number("PRAGMA page_count") * pageSize
        let found = FileIdentity(path)?.size ?? 0
        guard found + logSize(path) >= expected else {
            throw StoreError(
                .sqlite(SQLITE_CORRUPT),
                "it is cut short, \(found) bytes of \(expected); put a good copy in its place, or import into a new file"
            )
        }
    }

    /// Looks whose database it is, and of what version; answers its instance.
    private static func checkContent(_ connection: Connection, _ path: String) throws -> String {
        // The migrator's own table comes first, in a transaction of its own.
        let tables = try connection.number(
            "SELECT count(*) FROM sqlite_master WHERE name NOT GLOB '*grdb_migrations*'")
        if tables == 0 { return "" }
        try checkSize(connection, path)
        guard try connection.number("PRAGMA application_id") == Int64(Schema.applicationID) else {
            throw StoreError(.foreign, "\(path) is a database of another program; expected one that rollcall made")
        }
        let applied = try connection.statement("SELECT identifier FROM grdb_migrations")
        defer { applied.reset() }
        while try applied.step() {
            let name = applied.text(0)
            if name == Schema.unreleasedMigration {
                throw StoreError(
                    .older, "\(path) was made by a Rollcall before its first release; import again into a new file")
            }
            guard Schema.migrator.migrations.contains(name) else {
                throw StoreError(.newer, "\(path) was made by a newer Rollcall; use that one")
            }
        }
        let instance = try connection.statement("SELECT instance FROM database")
        defer { instance.reset() }
        return try instance.step() ? instance.text(0) : ""
    }
}

extension Connection {
    /// Opens a database for reading.
    convenience init(_ file: DatabaseFile, cacheKiB: Int, patience: BusyTimeout? = nil) throws {
        try self.init(reading: file.path, cacheKiB: cacheKiB, access: file.access, patience: patience)
    }

    /// The one number that `sql` asks for; 0 for no row.
    func number(_ sql: String) throws -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : 0
    }
}

/// Which file a path names, and when it was written last.
struct FileIdentity: Equatable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    /// In nanoseconds.
    var modified: Int64

    func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
        size = Int64(info.st_size)
        modified = Int64(info.modified.tv_sec) * 1_000_000_000 + Int64(info.modified.tv_nsec)
    }
}
