import Directories
import GRDBSQLite

/// A fault of the database, described for the person who runs the server.
public struct StoreError: Error, Equatable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The path names a folder, or something else that is not a file.
        case notAFile
        case notPermitted
        /// The file was not written by SQLite.
        case notSQLite
        /// The database belongs to another program.
        case foreign
        /// A newer Rollcall made the database.
        case newer
        /// Rollcall made the database before its first release.
        case older
        /// The file was removed or replaced after it was opened.
        case gone
        /// A copy would replace another file, or a directory another directory.
        case exists
        /// The database has no directory with that slug.
        case noDirectory
        /// A user cannot be saved.
        case invalidUser
        /// A cursor belongs to another order than the query's.
        case invalidCursor
        /// The directory no longer has the order of a query.
        case unknownOrder
        /// A result code of SQLite.
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

extension StoreError {
    /// The error for a cursor whose order has been rebuilt, and whose user is gone.
    static let lostPlace = StoreError(
        .invalidCursor,
        """
        expected a cursor from the directory as it is now, found one from before its order was rebuilt, of a person \
        who has been removed; start from the first page
        """)
}

extension StoreError: StoreFailure {
    public var isOfRequest: Bool { reason == .invalidCursor || isOutdated }

    public var isOutdated: Bool { reason == .unknownOrder }

    public var isDamage: Bool {
        switch reason {
        case .notSQLite: true
        case .sqlite(let code): [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
        default: false
        }
    }

    /// Whether the disk is full, or a limit of this process on the size of files is reached.
    var hasNoRoom: Bool { reason == .sqlite(SQLITE_FULL) }

    /// Describes a result code of SQLite to the person who runs the server. Returns `nil` for codes that only a
    /// programmer understands.
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
