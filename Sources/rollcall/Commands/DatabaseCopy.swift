import Foundation
import StoreSQLite

/// A temporary copy of a database. A dry run imports into it to count what an import would change.
struct DatabaseCopy {
    let store: SQLiteStore
    private let folder: URL

    /// The greatest size of a database that is copied: the copy takes about a second, and as much space.
    private static let maxBytes = 512 << 20

    /// Returns `nil` if the database is too large, or cannot be copied.
    init?(of path: String) {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        guard let size, size <= Self.maxBytes else { return nil }
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-dry-run-\(UUID().uuidString)")
        do {
            // Only this user may read it: the database may have private columns.
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let copy = folder.appending(path: "copy.sqlite").path
            try SQLiteStore.backUp(path, to: copy)
            store = try SQLiteStore(path: copy, isForWriting: true)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            return nil
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
