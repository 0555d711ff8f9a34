import Directories
import GRDBSQLite

/// What can be wrong with a database, in words for the person who runs the server.
public struct StoreError: Error, Equatable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The path names a folder, or something that is no file.
        case notAFile
        case notPermitted
        /// A file, but not one that SQLite wrote.
        case notSQLite
        /// A database of some other program.
        case foreign
        /// A database that a newer Rollcall made.
        case newer
        /// A database that Rollcall made before its first release.
        case older
        /// The file has been removed or replaced since it was opened.
        case gone
        /// A copy would take another file's place, or a directory another one's.
        case exists
        /// The database has no directory of that slug.
        case noDirectory
        /// A user that cannot be saved.
        case invalidUser
        /// A cursor of another order than the query's.
        case invalidCursor
        /// What SQLite says; its result code.
        case sqlite(Int32)
    }

    public var reason: Reason
    public var description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    init(notWritable path: String) {
        self.init(.notPermitted, "\(path) may not be written by this user, or its folder may not")
    }
}

extension StoreError: StoreFailure {
    public var isDamage: Bool {
        switch reason {
        case .notSQLite: true
        case .sqlite(let code): [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
        default: false
        }
    }

    /// Whether the disk, or what this process may write of a file, is full.
    var hasNoRoom: Bool { reason == .sqlite(SQLITE_FULL) }

    /// What one of SQLite's result codes means to the person who runs the server; `nil` for those that only a programmer
    /// understands.
    static func meaning(_ code: Int32) -> String? {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            "the database is damaged; put a good copy in its place, or import into a new file"
        case SQLITE_FULL: "the disk is full; what was saved before is safe"
        case SQLITE_IOERR: "the database cannot be read or written"
        case SQLITE_BUSY, SQLITE_LOCKED: "another process keeps the database locked"
        default: nil
        }
    }
}
