import Foundation
import StoreEngine

extension SQLiteStore {
    /// Copies the database at `path` to `copy`, as it is at one moment. Servers and imports may go on using it.
    ///
    /// The database is not changed; one that is read-only can be copied, too. The copy gets its name when it is
    /// complete, never replaces another file, and leaves nothing behind if it fails. It is a database of its own: once
    /// both have changed, no validator of one is valid for the other.
    ///
    /// With `withPictures`, all pictures are copied, too, into the file beside the copy. Otherwise only the publisher's
    /// own photos are, and people whose picture was fetched have none in the copy until pictures are fetched there.
    ///
    /// While another process keeps the database locked, this waits as long as `busyTimeout` allows. Throws a
    /// `CancellationError` soon after `isCancelled` returns `true`. `oldest` is the oldest format that is copied.
    package static func backUp(
        _ path: String, to copy: String, withPictures: Bool = false, busyTimeout: BusyTimeout = BusyTimeout(),
        since oldest: Int64 = TableFormat.oldest, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        do {
            for name in [copy, copy + "-pictures"] where FileManager.default.fileExists(atPath: name) {
                throw BackupFile.alreadyThere(name)
            }
            try DatabaseFile.checkFolder(of: copy, toMake: "the copy")
            let busyTimeout = busyTimeout.ending(when: isCancelled)
            let file = try DatabaseFile(at: path, busyTimeout: busyTimeout, since: oldest)
            try file.checkIsFilled()
            let original = try SQLiteConnection(file, cacheKiB: 1024, busyTimeout: busyTimeout)
            try copyPages(of: original, in: file, to: copy, withPictures: withPictures, isCancelled)
        } catch  where isCancelled() {
            throw CancellationError()
        }
    }

    private static func copyPages(
        of original: SQLiteConnection, in file: DatabaseFile, to copy: String, withPictures: Bool,
        _ isCancelled: () -> Bool
    ) throws {
        // A copy in several steps would start again whenever another process writes.
        try original.beginSnapshot()
        let partial = try BackupFile(of: file.path, called: copy)
        try partial.fill(from: original, isCancelled) { copy in
            if !withPictures { try copy.clearFetchedPictures() }
            // Its generations are unrelated to the original's.
            try copy.execute("UPDATE database SET instance = lower(hex(randomblob(8)))")
        }
        // After the database: a picture is there before a row names it.
        let pictures = try copyPictures(beside: file, to: copy + "-pictures", all: withPictures, isCancelled)
        if file.access == .immutable, file.isReplaced {
            throw StoreError(.gone, "\(file.path) was written while it was copied; try again")
        }
        try pictures?.publish()
        do {
            try partial.publish()
        } catch {
            if pictures != nil { unlink(copy + "-pictures") }
            throw error
        }
    }

    /// Copies the file with pictures, or the publisher's own photos in it. Returns `nil` if there is nothing to copy.
    private static func copyPictures(
        beside file: DatabaseFile, to copy: String, all: Bool, _ isCancelled: () -> Bool
    ) throws -> BackupFile? {
        let path = PictureFile.path(besideDatabase: file.path)
        guard let original = try PictureFile.openForReading(path) else { return nil }
        try original.beginSnapshot()
        let own = try PictureTables(original).ownKeys()
        if !all, own.isEmpty { return nil }
        let partial = try BackupFile(of: path, called: copy)
        if all {
            try partial.fill(from: original, isCancelled) { _ in }
        } else {
            try partial.fill(withOwnPhotosOf: original, own, isCancelled)
        }
        return partial
    }
}

extension SQLiteConnection {
    fileprivate func clearFetchedPictures() throws {
        for directory in try directoryIDs() {
            try execute("UPDATE user\(directory) SET picture = NULL WHERE picture > 0 AND hasOwnPicture = 0")
        }
    }
}
