import ArgumentParser
import Directories
import Foundation
import StoreSQLite

/// A store with a register of its directories, as commands use it.
typealias Store = UserStore & DirectoryRegister

/// Opens the store that `--database` names, and creates it if it does not exist.
///
/// - Parameters:
///   - lockTimeout: How many seconds to wait for another process that is writing.
///   - isOver: Returns whether to stop waiting before that.
func openStore(
    _ path: String, isForWriting: Bool = false, lockTimeout: Int = 60,
    isOver: @escaping @Sendable () -> Bool = { false }
) throws -> any Store {
    try expectFile(path)
    let busyTimeout = makeBusyTimeout(for: path, seconds: lockTimeout).ending(when: isOver)
    return try SQLiteStore(
        path: path, isForWriting: isForWriting, busyTimeout: busyTimeout,
        willMigrate: { StandardStreams.write("upgrading \(path) to this version of Rollcall\n") },
        rebuilding: showRebuilding,
        note: { StandardStreams.write("\($0.printable)\n") })
}

/// Reports that the search index of a directory is being replaced; on a terminal, also how many users are `done`.
private func showRebuilding(_ directory: Directory, _ done: Int) {
    let total = grouped(directory.total)
    if done == 0 {
        StandardStreams.write("\(directory.slug): rebuilding the orders and the search index of \(total) users\n")
    }
    if isatty(STDERR_FILENO) == 1, directory.total > 0 {
        StandardStreams.write(done < directory.total ? "\r\(grouped(done)) of \(total) users" : "\r\u{1B}[K")
    }
}

/// Returns how long to wait for another process. After a second, the wait is reported.
func makeBusyTimeout(for path: String, seconds: Int) -> BusyTimeout {
    BusyTimeout(limit: seconds) {
        StandardStreams.write("waiting for another process that has locked \(path), for up to \(seconds) s\n")
    }
}

/// Opens the store that `--database` names. Throws if it does not exist.
func openExistingStore(
    _ path: String, isForWriting: Bool = false, lockTimeout: Int = 60
) throws -> any Store {
    try expectDatabase(at: path)
    return try openStore(path, isForWriting: isForWriting, lockTimeout: lockTimeout)
}

func expectDatabase(at path: String) throws {
    try expectFile(path)
    guard FileManager.default.fileExists(atPath: path) else {
        throw ValidationError("there is no database \(path); choose another with --database")
    }
}

/// Throws if `path` is the URL of a database server, which would otherwise be created as a file.
private func expectFile(_ path: String) throws {
    guard path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil else { return }
    throw ValidationError(
        """
        expected a file as --database, found the URL \"\(path)\"; Rollcall keeps its people in an SQLite file of \
        its own
        """
    )
}

extension UserStore {
    /// Returns the directory called `slug`, or the default one for `nil`.
    func directory(named slug: String?) throws -> Directory {
        let directories = directories
        guard let first = directories.first else { throw ValidationError("the database has no directory yet") }
        guard let slug else { return first }
        guard let found = directories.first(where: { $0.slug.text == slug }) else {
            let slugs = directories.map(\.slug.text).joined(separator: ", ")
            throw ValidationError("there is no directory \(slug); the database has: \(slugs)")
        }
        return found
    }
}
