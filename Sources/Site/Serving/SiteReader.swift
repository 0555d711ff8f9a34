import Base
import Foundation
import Metrics
import People

/// Reads what responses show from the store, and measures how long it takes. Belongs to one event loop or worker at a
/// time.
final class SiteReader {
    let site: Site
    let counters: SiteCounters
    private var reader: (any UserReader)?
    /// When the store last returned data, in nanoseconds.
    private(set) var lastRead = 0

    init(_ site: Site) {
        self.site = site
        counters = site.makeCounters()
    }

    /// Runs `body` with the reader, which the first call opens, and adds the time it takes to `durations`.
    func reading<Result>(_ durations: Histogram, _ body: (any UserReader) throws -> Result) throws -> Result {
        let started = SystemValues.nanoseconds()
        defer {
            lastRead = SystemValues.nanoseconds()
            durations.add(lastRead - started)
        }
        let reader = try self.reader ?? site.store.makeReader()
        self.reader = reader
        do {
            return try body(reader)
        } catch {
            let failure = error as? any StoreFailure
            // A file that was replaced or removed needs a new connection. If the person or page does not exist, the
            // reader can still be used.
            if !(error is HTTPError), failure?.isOfRequest != true { self.reader = nil }
            throw failure?.kind == .outdated ? OutdatedDirectory() : error
        }
    }

    /// Reads something of a directory: `nil` before the first import. Throws 404 if the directory was removed.
    private func read<Result>(
        _ directory: Directory, _ durations: Histogram, _ body: (any UserReader) throws -> Result?
    ) throws -> Result? {
        if directory.id == DirectoryList.none.id { return nil }
        return try required(reading(durations, body), .notFound)
    }

    /// Reads a page for an export or a sitemap. Returns `nil` if the publisher has removed or hidden the directory in
    /// the meantime, and a page without people before the first import.
    func exportedPage(_ query: UserQuery) throws -> Page? {
        if query.directory == DirectoryList.none.id { return .empty(DirectoryList.none) }
        let page = try reading(counters.pageReads) { try $0.page(query) }
        guard let page, site.configuration.shows(page.directory) else { return nil }
        return page
    }

    private func durations(_ query: UserQuery) -> Histogram {
        query.search == nil ? counters.pageReads : counters.searchReads
    }

    /// Reads a page of users. Throws 404 if the directory was removed.
    func page(_ query: UserQuery, of directory: Directory) throws -> Page {
        do {
            return try read(directory, durations(query)) { try $0.page(query) } ?? .empty(directory)
        } catch let failure as any StoreFailure where failure.isOfRequest {
            throw HTTPError.badRequest("\(failure.kind == .tooBroad ? "q" : query.start.parameter): \(failure)")
        }
    }

    /// Counts the values of filters. Throws 404 if the directory was removed.
    func counts(of filters: [ChosenFilter], among search: Search, in directory: Directory) throws -> [[Int]?] {
        let counts = try read(directory, counters.searchReads) {
            try $0.counts(of: filters, among: search, in: directory.id)
        }
        return counts ?? filters.map { _ in nil }
    }

    /// Reads the letters of the order of `query`; `nil` if it has none.
    func letters(_ query: UserQuery) throws -> [LetterCount]? {
        if !query.sort.key.hasLetters { return nil }
        return try reading(durations(query)) { try $0.letters(query) }
    }

    /// Reads the people that a search without matches may mean.
    func suggestions(for search: Search, of directory: Directory, limit: Int) throws -> [SimilarPerson] {
        try read(directory, counters.searchReads) {
            try $0.suggestions(for: search, directory: directory.id, limit: limit)
        } ?? []
    }

    func faces(of directory: Directory, count: Int) throws -> UserRows? {
        if directory.total == 0 { return nil }
        let query = UserQuery(directory: directory.id, sort: directory.defaultSort, limit: count)
        return try reading(counters.pageReads) { try $0.page(query)?.users }
    }

    /// Reads the users with these ids. Throws 404 if the directory was removed.
    func people(_ ids: [Int64], sort: Sort = Sort(), of directory: Directory) throws -> Page {
        let page = try read(directory, counters.userReads) {
            try $0.users(ids: ids, sort: sort, directory: directory.id)
        }
        return page ?? .empty(directory)
    }
}

extension UserQuery.Start {
    /// The name of the parameter that sets it.
    fileprivate var parameter: String {
        switch self {
        case .first, .after: "since"
        case .before, .last: "before"
        case .at: "at"
        case .letter: "letter"
        }
    }
}

extension Page {
    /// The page of a database without directories.
    static func empty(_ directory: Directory) -> Page {
        Page(users: UserRows(), directory: directory, firstPosition: 1, total: 0, hasPrevious: false, hasNext: false)
    }
}

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
    private let showsNone: Bool

    init(_ stored: [Directory], _ configuration: Site.Configuration) {
        let all = configuration.visible(stored)
        self.all = all
        showsNone = all.isEmpty && !stored.isEmpty
        let wanted = configuration.preferredDirectory.map { slug in all.first { $0.slug == slug } } ?? all.first
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
    func find(_ slug: String?) throws -> LinkedDirectory {
        guard let slug, !slug.isEmpty else {
            // The page of an empty database would say that no directory exists.
            try expect(!showsNone, .notFound)
            return linked(shown)
        }
        if let directory = all.first(where: { $0.slug.text == slug }) { return linked(directory) }
        let renamed = try required(all.first { $0.formerSlugs.contains { $0.text == slug } }, .notFound)
        throw RenamedDirectory(old: slug, new: renamed.slug)
    }

    func linked(_ directory: Directory) -> LinkedDirectory {
        LinkedDirectory(directory, isDefault: directory.id == shown.id)
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
        if latest.hasSameMemory(as: stored) { return false }
        stored = latest
        list = DirectoryList(latest, configuration())
        return true
    }
}
