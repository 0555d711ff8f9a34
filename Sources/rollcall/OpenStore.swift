import Directories
import StoreSQLite

/// Opens the store that `--database` names, makes it if it is new.
func openStore(_ path: String, isForWriting: Bool = false) throws -> any UserStore {
    try SQLiteStore(path: path, isForWriting: isForWriting)
}
