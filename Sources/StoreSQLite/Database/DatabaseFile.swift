import Foundation
import Glibc
import People
import StoreEngine

/// A checked database file: its path and identity, and how it can be opened.
struct DatabaseFile: Sendable {
    enum Access: Sendable {
        case writing
        /// Beside a write-ahead log that another process left and this one can read.
        case reading
        /// For a file that cannot be written and has no log. SQLite then treats the file as one that never changes.
        case immutable
    }

    let path: String
    let access: Access
    let identity: FileIdentity?
    /// The random name of the database; empty if it has no tables yet.
    private(set) var instance = ""
    private(set) var format = TableFormat.current

    /// Checks the file at `path` without changing it. `oldest` is the oldest version of the tables that is accepted.
    init(
        at path: String, busyTimeout: BusyTimeout? = nil, for purpose: StorePurpose = .reading,
        since oldest: Int64 = TableFormat.current
    ) throws {
        self.path = path
        try Self.checkKind(path)
        access = Self.access(path)
        identity = FileIdentity(path)
        let hasLog = Self.hasLog(path)
        do {
            let connection = try SQLiteConnection(self, cacheKiB: 64, busyTimeout: busyTimeout)
            if hasLog { connection.keepLog() }
            (instance, format) = try Self.checkContent(connection, path, since: oldest)
            try IncompleteCopy.check(connection, of: path, for: purpose)
        } catch let error as StoreError {
            throw described(error)
        }
    }

    private func described(_ error: StoreError) -> StoreError {
        switch error.reason {
        case .notSQLite:
            StoreError(.notSQLite, "\(path) is not an SQLite database; expected one that rollcall made")
        case .damaged: StoreError(.damaged, "\(path): \(error)")
        case .busy: StoreError(.busy, "\(path): another process keeps the database locked")
        case _ where access == .reading:
            StoreError(
                .notPermitted,
                "\(path) may not be written here, and its changes in \(path)-wal cannot be read without that "
                    + "(\(error)); open it once where it may be written")
        default: error
        }
    }

    func checkIsFilled() throws {
        if instance.isEmpty { throw StoreError(.foreign, "\(path) is empty; expected a database that rollcall made") }
    }

    /// Whether another file has replaced this one, or a file that was opened as immutable has been written.
    var isReplaced: Bool {
        guard let found = FileIdentity(path), var identity else { return true }
        // Writes to the same file change the database's own version, which the watcher checks.
        if access != .immutable { (identity.size, identity.modified) = (found.size, found.modified) }
        return found != identity || (access == .immutable && Self.hasLog(path))
    }
}

extension DatabaseFile {
    /// Checks what can be checked before SQLite opens the file, because SQLite's own messages are less clear.
    private static func checkKind(_ path: String) throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        try StoreError.check([
            (!isThere, .gone, "there is no file \(path); expected a database that rollcall made"),
            (isFolder.boolValue, .notAFile, "\(path) is a folder; the database is a file"),
            (Foundation.access(path, R_OK) != 0, .notPermitted, "\(path) may not be read by this user"),
        ])
    }

    static func checkFolder(of path: String, toMake file: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw StoreError(.notAFile, "there is no folder \(folder) to make \(file) in")
        }
    }

    /// Creates an empty file at `path` that only its owner can read, unless a file exists; with the owner and the mode
    /// of `database`, if there is one. SQLite gives the log and its index the mode of the file. If this fails, SQLite
    /// reports the reason when it opens the file.
    static func makePrivate(_ path: String, like database: String? = nil) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        if let database { FileLock.share(descriptor, with: database) }
        close(descriptor)
    }

    /// Returns how the file can be opened. SQLite creates the log and its index beside the file, so the folder must be
    /// writable, too.
    static func access(_ path: String) -> Access {
        let folder = URL(fileURLWithPath: target(path)).deletingLastPathComponent().path
        let mayWrite = Foundation.access(path, W_OK) == 0
        if mayWrite, Foundation.access(folder, W_OK) == 0 { return .writing }
        return hasLog(path) ? .reading : .immutable
    }

    static func hasLog(_ path: String) -> Bool { logSize(path) > 0 }

    private static func logSize(_ path: String) -> Int64 { FileIdentity(target(path) + "-wal")?.size ?? 0 }

    /// Returns the file that `path` links to, or `path` itself. SQLite keeps the log beside that file.
    static func target(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Checks that the file is whole, which program made the database, and in which version.
    private static func checkContent(
        _ connection: SQLiteConnection, _ path: String, since oldest: Int64
    ) throws -> (instance: String, format: Int64) {
        if try !connection.hasTables { return ("", TableFormat.current) }
        let expected = try connection.number("PRAGMA page_count") * connection.number("PRAGMA page_size")
        let found = FileIdentity(path)?.size ?? 0
        let maker = try connection.number("PRAGMA application_id")
        try StoreError.check([
            // While there is a log, SQLite trusts it, and notices missing pages only when it reads them.
            (found + logSize(path) < expected, .damaged, StoreError.cutShort(to: found, of: expected)),
            (
                maker != Schema.applicationID, .foreign,
                "\(path) is a database of another program; expected one that rollcall made"
            ),
        ])
        let format = try connection.number("PRAGMA user_version")
        try TableFormat.check(format, of: path, since: oldest)
        return (try connection.first("SELECT instance FROM database") { $0.text(0) } ?? "", format)
    }
}

extension SQLiteConnection {
    convenience init(_ file: DatabaseFile, cacheKiB: Int, busyTimeout: BusyTimeout? = nil) throws {
        try self.init(reading: file.path, cacheKiB: cacheKiB, access: file.access, busyTimeout: busyTimeout)
    }

    var hasTables: Bool { get throws { try number("SELECT count(*) FROM sqlite_master") > 0 } }
}

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
        self.init(info)
    }

    init(_ info: stat) {
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
        size = Int64(info.st_size)
        modified = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }
}

/// The tables in the file: ``Table`` describes them.
///
/// `directory` has a row for each directory, and each directory has tables of its own whose names end in its id. So the
/// order by id is the order of the table, and a directory is removed by dropping its tables.
enum Schema {
    /// "Roll": distinguishes the file from databases of other programs.
    static let applicationID: Int64 = 0x526F_6C6C

    static func create(on connection: SQLiteConnection) throws {
        try connection.transaction {
            if try connection.hasTables { return }
            try connection.execute(creation)
        }
    }

    private static let creation = """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(TableFormat.current);
        -- One row. The instance distinguishes this database's generations from those of any other.
        CREATE TABLE database (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            instance TEXT NOT NULL CHECK (instance <> ''),
            generation INTEGER NOT NULL CHECK (generation >= 0),
            -- Secrets for hashes: of forgotten people, of values that identify people, of pictures.
            forgettingKey BLOB NOT NULL,
            identityKey BLOB NOT NULL,
            pictureKey BLOB NOT NULL
        ) STRICT;
        INSERT INTO database
        VALUES (1, lower(hex(randomblob(8))), 0, randomblob(16), randomblob(16), randomblob(16));
        \(([.directory] + Table.ofDatabase).map { $0.creation(in: dialect) }.joined())
        """

    /// Numbers of directories are never used again.
    static let dialect = Table.Dialect(
        types: [.number: "INTEGER", .text: "TEXT", .blob: "BLOB"], numbering: "AUTOINCREMENT"
    ) { $0.hasNumberAsKey ? " STRICT" : " WITHOUT ROWID, STRICT" }
}
