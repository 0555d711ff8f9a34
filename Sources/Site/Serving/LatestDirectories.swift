import People

/// The directories that the site shows, as the store last reported them. The list is made again only after a change.
struct LatestDirectories: Sendable {
    private(set) var list: DirectoryList
    /// All directories of the store.
    private var stored: [Directory]

    init(_ store: any UserStore, _ configuration: Site.Configuration) {
        stored = store.directories
        list = DirectoryList(stored, configuration)
    }

    /// Looks at the store again. Returns whether anything has changed.
    mutating func refresh(from store: any UserStore, _ configuration: Site.Configuration) -> Bool {
        let latest = store.directories
        // Usually this is the array of the last time. `stored` keeps it, so no other array gets its address.
        let isSame = latest.withUnsafeBufferPointer { new in
            stored.withUnsafeBufferPointer { $0.baseAddress == new.baseAddress && $0.count == new.count }
        }
        if isSame { return false }
        stored = latest
        list = DirectoryList(latest, configuration)
        return true
    }
}
