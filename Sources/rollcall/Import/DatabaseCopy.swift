import Foundation

/// A temporary copy of a database. A dry run imports into it to count what an import would change.
struct DatabaseCopy {
    let store: any Store
    private let folder: URL

    /// Copies `original`, which is the store at `location`. Returns `nil` if it is too large, or if copying fails.
    init?(of original: any Store, at location: DatabaseLocation) {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-dry-run-\(UUID().uuidString)")
        do {
            // Only this user may read it: the database may have private columns.
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if let store = try location.openCopy(of: original, in: folder.path) {
                self.store = store
                return
            }
        } catch {}
        try? FileManager.default.removeItem(at: folder)
        return nil
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
