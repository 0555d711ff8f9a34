import CSQLite
import StoreEngine

extension StoreError.Reason {
    static func sqlite(_ code: Int32) -> StoreError.Reason {
        switch code & 0xFF {
        case SQLITE_NOTADB: .notSQLite
        case SQLITE_CORRUPT: .damaged
        case SQLITE_FULL: .noRoom
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY: .notPermitted
        default: .database(code)
        }
    }
}

extension StoreError {
    init(notWritable path: String) {
        self.init(.notPermitted, "\(path) may not be written by this user, or its folder may not")
    }

    /// The error for a file that is not the one that was opened.
    init(changed path: String, _ advice: String) {
        let change = FileIdentity(path) == nil ? "removed" : "replaced"
        self.init(.gone, "\(path) has been \(change) since it was opened; \(advice)")
    }

    static func cutShort(to found: Int64, of expected: Int64) -> String {
        "it is cut short, \(found) bytes of \(expected); put a good copy in its place, or import into a new file"
    }

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
