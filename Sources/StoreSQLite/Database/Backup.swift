import Foundation

extension SQLiteStore {
    /// Copies the database at `path` to `copy`, as it is at one moment. Servers and imports may go on using it.
    ///
    /// The database is not changed: one that the next start would migrate is copied as it is, and one that is read-only
    /// can be copied, too. The copy gets its name when it is complete, never replaces another file, and leaves nothing
    /// behind if it fails. It is a database of its own: once both have changed, no validator of one is valid for the
    /// other.
    ///
    /// While another process keeps the database locked, this waits as long as `busyTimeout` allows. Throws a
    /// `CancellationError` soon after `isCancelled` returns `true`.
    public static func backUp(
        _ path: String, to copy: String, busyTimeout: BusyTimeout = BusyTimeout(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        do {
            try checkName(of: copy)
            let busyTimeout = busyTimeout.ending(when: isCancelled)
            let file = try DatabaseFile(at: path, busyTimeout: busyTimeout)
            if file.instance.isEmpty {
                throw StoreError(.foreign, "\(path) is empty; expected a database that rollcall made")
            }
            try copyPages(
                of: Connection(file, cacheKiB: 1024, busyTimeout: busyTimeout), in: file, to: copy, isCancelled)
        } catch  where isCancelled() {
            throw CancellationError()
        }
    }

    private static func copyPages(
        of original: Connection, in file: DatabaseFile, to copy: String, _ isCancelled: () -> Bool
    ) throws {
        // One transaction: a copy in several steps would start again whenever another process writes.
        try original.execute("BEGIN")
        _ = try original.number("SELECT count(*) FROM sqlite_master")
        let partial = try BackupFile(of: file.path, called: copy)
        defer { partial.remove() }
        try partial.fill(from: original, isCancelled)
        if file.access == .immutable, file.isReplaced {
            throw StoreError(.gone, "\(file.path) was written while it was copied; try again")
        }
        try partial.publish()
    }

    private static func checkName(of copy: String) throws {
        if FileManager.default.fileExists(atPath: copy) { throw BackupFile.alreadyThere(copy) }
        let folder = URL(fileURLWithPath: copy).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw StoreError(.notAFile, "there is no folder \(folder) to make the copy in")
        }
    }
}
