import Directories
import Foundation
import StoreSQLite

/// Opens the store that `--database` names, makes it if it is new.
///
/// - Parameter lockTimeout: How many seconds to wait for another process that writes.
func openStore(_ path: String, isForWriting: Bool = false, lockTimeout: Int = 60) throws -> any UserStore {
    let patience = LockPatience(limit: lockTimeout) {
        let text = "waiting for another process that keeps \(path) locked, for up to \(lockTimeout) s\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
    return try SQLiteStore(path: path, isForWriting: isForWriting, patience: patience)
}
