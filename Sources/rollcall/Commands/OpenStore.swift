import ArgumentParser
import Directories
import Foundation
import StoreSQLite

/// What commands do with a database.
typealias Store = UserStore & DirectoryRegister

/// Opens the store that `--database` names, makes it if it is new.
///
/// - Parameters:
///   - lockTimeout: How many seconds to wait for another process that writes.
///   - isOver: Whether not to wait any longer all the same.
func openStore(
    _ path: String, isForWriting: Bool = false, lockTimeout: Int = 60,
    isOver: @escaping @Sendable () -> Bool = { false }
) throws -> any Store {
    try expectFile(path)
    let patience = lockPatience(for: path, seconds: lockTimeout).ending(when: isOver)
    return try SQLiteStore(path: path, isForWriting: isForWriting, patience: patience) {
        StandardStreams.write("bringing \(path) to this version of Rollcall\n")
    }
}

/// How long to wait for another process; after a second it is told.
func lockPatience(for path: String, seconds: Int) -> BusyTimeout {
    BusyTimeout(limit: seconds) {
        StandardStreams.write("waiting for another process that keeps \(path) locked, for up to \(seconds) s\n")
    }
}

/// The same for commands that have nothing to do with an empty one.
func openExistingStore(
    _ path: String, isForWriting: Bool = false, lockTimeout: Int = 60
) throws -> any Store {
    try expectDatabase(at: path)
    return try openStore(path, isForWriting: isForWriting, lockTimeout: lockTimeout)
}

func expectDatabase(at path: String) throws {
    try expectFile(path)
    guard FileManager.default.fileExists(atPath: path) else {
        throw ValidationError("there is no database \(path); --database names it")
    }
}

/// Throws if `path` is the address of a database server: as the name of a file it would be made, and filled.
private func expectFile(_ path: String) throws {
    guard path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil else { return }
    throw ValidationError(
        "expected a file as --database, found the address \"\(path)\"; Rollcall keeps its people in an SQLite file of its own"
    )
}

extension UserStore {
    /// The directory of that name, or the first one.
    func directory(named slug: String?) throws -> Directory {
        let directories = directories
        guard let first = directories.first else { throw ValidationError("the database has no directory yet") }
        guard let slug else { return first }
        guard let found = directories.first(where: { $0.slug.text == slug }) else {
            let slugs = directories.map(\.slug.text).joined(separator: ", ")
            throw ValidationError("there is no directory \(slug), only: \(slugs)")
        }
        return found
    }
}
