import People

/// The directories that one request sees: those that the site shows.
struct DirectoryList: Sendable {
    let all: [Directory]
    /// The directory that URLs without a directory show. A database without directories has an empty one, so that the
    /// server can start before the first import.
    let shown: Directory
    /// A different name for each of `all`: its title, followed by its slug if another directory has the same title.
    let labels: [String]
    /// Changes with the slugs and titles of the directories, which every whole page shows.
    let choices: UInt64
    /// Changes with their people, too. With one directory, its generation says that.
    let people: UInt64
    /// Whether the database has directories, but the site shows none of them.
    private let hidesAll: Bool

    init(_ stored: [Directory], _ configuration: Site.Configuration) {
        let visible = configuration.visible(stored)
        self.init(
            visible, preferred: configuration.preferredDirectory, hidesAll: visible.isEmpty && !stored.isEmpty)
    }

    init(_ all: [Directory], preferred: Slug?, hidesAll: Bool = false) {
        self.all = all
        self.hidesAll = hidesAll
        let wanted = preferred.map { slug in all.first { $0.slug == slug } } ?? all.first
        shown = wanted ?? Self.none
        let uses = Dictionary(all.map { ($0.title.folded, 1) }, uniquingKeysWith: +)
        labels = all.map { uses[$0.title.folded] == 1 ? $0.title : "\($0.title) (\($0.slug))" }
        var hash = StableHash()
        for directory in all {
            hash.combine(directory.slug.text)
            hash.combine(directory.title)
        }
        choices = hash.value
        if all.count > 1 {
            for directory in all { hash.combine(UInt64(bitPattern: directory.generation)) }
        }
        people = hash.value
    }

    /// Stands for the directory before the first import. Stores count from 1.
    static let none = Directory(
        id: 0, slug: Slug(literal: "none"), title: "Rollcall", source: "", total: 0, generation: 0)

    /// Whether a page that shows all directories takes too long to render on an event loop.
    var isLong: Bool { all.count > 100 }

    subscript(id: Int64) -> Directory? { all.first { $0.id == id } }

    /// Whether `generation` of a directory with this id and origin is that of the list, or newer: the list may be older
    /// than the store's last look at the writes of other processes.
    func isCurrent(_ generation: Int64, ofDirectory id: Int64, origin: UInt64) -> Bool {
        // By index, which copies no directory.
        for index in all.indices where all[index].id == id {
            return all[index].origin == origin && generation >= all[index].generation
        }
        return false
    }

    /// Returns the directory with this slug. If the slug is absent or, as forms send it, empty, returns the default
    /// one. Throws a ``RenamedDirectory`` for a former slug.
    func find(_ slug: String?) throws -> (Directory, isDefault: Bool) {
        guard let slug, !slug.isEmpty else {
            // The page of an empty database would say that no directory exists.
            if hidesAll { throw HTTPError.notFound }
            return (shown, true)
        }
        guard let directory = all.first(where: { $0.slug.text == slug }) else {
            guard let renamed = all.first(where: { $0.formerSlugs.contains { $0.text == slug } }) else {
                throw HTTPError.notFound
            }
            throw RenamedDirectory(old: slug, new: renamed.slug)
        }
        return (directory, directory.id == shown.id)
    }
}

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
    mutating func refresh(from store: any UserStore, _ configuration: @autoclosure () -> Site.Configuration) -> Bool {
        let latest = store.directories
        // Usually this is the array of the last time. `stored` keeps it, so no other array gets its address.
        let isSame = latest.withUnsafeBufferPointer { new in
            stored.withUnsafeBufferPointer { $0.baseAddress == new.baseAddress && $0.count == new.count }
        }
        if isSame { return false }
        stored = latest
        list = DirectoryList(latest, configuration())
        return true
    }
}
