/// A temporary copy of a database. A dry run imports into it to count what an import would change.
struct DatabaseCopy {
    let store: any Store
    private let folder: TemporaryFolder

    /// Copies `original`, which is the store at `location`. Returns `nil` if it is too large, or if copying fails.
    init?(of original: any Store, at location: DatabaseLocation) {
        guard let folder = try? TemporaryFolder(named: "rollcall-dry-run") else { return nil }
        guard let store = try? location.openCopy(of: original, in: folder.path) else {
            folder.remove()
            return nil
        }
        (self.store, self.folder) = (store, folder)
    }

    func remove() { folder.remove() }
}
