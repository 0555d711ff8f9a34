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
        let started = Clock.nanoseconds
        defer {
            lastRead = Clock.nanoseconds
            durations.add(lastRead - started)
        }
        let reader = try self.reader ?? site.store.makeReader()
        self.reader = reader
        do {
            return try body(reader)
        } catch let error as HTTPError {
            // The person or page does not exist; the reader can still be used.
            throw error
        } catch let error as any StoreFailure where error.isOfRequest && !error.isOutdated {
            throw error
        } catch {
            // A file that was replaced or removed needs a new connection.
            self.reader = nil
            throw (error as? any StoreFailure)?.isOutdated == true ? OutdatedDirectory() : error
        }
    }

    /// Reads a page of users. Throws 404 if the directory was removed.
    func page(_ query: UserQuery, of directory: Directory) throws -> Page {
        if directory.id == DirectoryList.none.id { return .empty(directory) }
        let durations = query.search == nil ? counters.pageReads : counters.searchReads
        do {
            guard let page = try reading(durations, { try $0.page(query) }) else { throw HTTPError.notFound }
            return page
        } catch let failure as any StoreFailure where failure.isOfRequest {
            throw HTTPError.badRequest("\(failure.isTooBroad ? "q" : query.start.parameter): \(failure)")
        }
    }

    /// Counts the values of filters. Throws 404 if the directory was removed.
    func counts(of filters: [ChosenFilter], among search: Search, in directory: Directory) throws -> [[Int]?] {
        if filters.isEmpty || directory.id == DirectoryList.none.id { return filters.map { _ in nil } }
        let counts = try reading(counters.searchReads) {
            try $0.counts(of: filters, among: search, in: directory.id)
        }
        guard let counts else { throw HTTPError.notFound }
        return counts
    }

    /// Reads the letters of the order of `query`; `nil` if it has none.
    func letters(_ query: UserQuery, of directory: Directory) throws -> [LetterCount]? {
        if directory.id == DirectoryList.none.id || !query.sort.key.hasLetters { return nil }
        let durations = query.search == nil ? counters.pageReads : counters.searchReads
        return try reading(durations) { try $0.letters(query) }
    }

    /// Reads the people that a search without matches may mean.
    func suggestions(for search: Search, of directory: Directory, limit: Int) throws -> [SimilarPerson] {
        if directory.id == DirectoryList.none.id { return [] }
        return try reading(counters.searchReads) {
            try $0.suggestions(for: search, directory: directory.id, limit: limit)
        }
    }

    /// Reads the first people of a directory, for their faces.
    func faces(of directory: Directory, count: Int) throws -> UserRows? {
        if directory.id == DirectoryList.none.id || directory.total == 0 { return nil }
        let query = UserQuery(directory: directory.id, sort: directory.defaultSort, limit: count)
        return try reading(counters.pageReads) { try $0.page(query)?.users }
    }

    /// Reads the users with these ids. Throws 404 if the directory was removed.
    func people(_ ids: [Int64], sort: Sort = Sort(), of directory: Directory) throws -> Page {
        if directory.id == DirectoryList.none.id { return .empty(directory) }
        let page = try reading(counters.userReads) { try $0.users(ids: ids, sort: sort, directory: directory.id) }
        guard let page else { throw HTTPError.notFound }
        return page
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
        Page(
            users: UserRows(), directory: directory, firstPosition: 1, total: 0, hasPrevious: false, hasNext: false)
    }
}
