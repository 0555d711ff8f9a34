import CSQLite
import StoreEngine

extension StoreError.Reason {
    static func sqlite(_ code: Int32) -> StoreError.Reason { StoreError.fault(code).reason }
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

    /// Returns what a result code of SQLite means for callers, and for the person who runs the server: `nil` for codes
    /// that only a programmer understands.
    static func fault(_ code: Int32) -> (reason: Reason, meaning: String?) {
        let damage = "the database is damaged; put a good copy in its place, or import into a new file"
        return switch code & 0xFF {
        case SQLITE_NOTADB: (.notSQLite, damage)
        case SQLITE_CORRUPT: (.damaged, damage)
        case SQLITE_FULL: (.noRoom, "the disk is full; what was saved before is safe")
        case SQLITE_IOERR: (.database(code), "the database cannot be read or written")
        case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another process keeps the database locked")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY: (.notPermitted, nil)
        default: (.database(code), nil)
        }
    }
}
