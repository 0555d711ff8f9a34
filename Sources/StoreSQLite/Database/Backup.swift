import Foundation

extension SQLiteStore {
    /// Copies the database at `path` to `copy`, as it is at one moment, while servers and imports go on with it.
    ///
    /// Nothing is changed in it: a database that the next start would migrate is copied as it is, and one that may not be
    /// written is copied, too. The copy has its name when it is whole, never takes the place of another file, and leaves
    /// nothing behind if it does not come about. It is a database of its own: after a change of each, no validator of the one
    /// holds for the other.
    ///
    /// Where another process keeps the database locked, waits as `patience` says. Throws a `CancellationError` soon after
    /// `isCancelled` says so.
    public static func backUp(
        _ path: String, to copy: String, patience: BusyTimeout = BusyTimeout(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        do {
            try checkName(of: copy)
            let patience = patience.ending(when: isCancelled)
            let file = try DatabaseFile(at: path, patience: patience)
            if file.instance.isEmpty {
                throw StoreError(.foreign, "\(path) is empty; expected a database that rollcall made")
            }
            try copyPages(of: Connection(file, cacheKiB: 1024, patience: patience), in: file, to: copy, isCancelled)
        } catch  where isCancelled() {
            throw CancellationError()
        }
    }

    private static func copyPages(
        of original: Connection, in file: DatabaseFile, to copy: String, _ isCancelled: () -> Bool
    ) throws {
        // One transaction: what is written meanwhile would have a copy in several steps begin anew each time.
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
