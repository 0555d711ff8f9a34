import Bytes
import Directories
import Foundation
import Gzip
import HTTP
import Metrics
import Mustache

/// Renders resources. Owns everything that is used again from one response to the next: a reader of the store, a
/// template model, buffers and compressors. Belongs to one event loop or worker at a time.
///
/// The pages themselves are types of their own, which fill ``model`` from the data they get.
final class PageRenderer {
    let site: Site
    let model = Model()
    /// The body of the current response, before compression.
    let body = ByteBuffer(capacity: 32_768)
    /// For one line or link at a time.
    let line = ByteBuffer(capacity: 1024)
    let compressed = ByteBuffer(capacity: 16_384)
    let compressor = GzipCompressor()
    /// For `/`, level 6 makes a twentieth less than the others' level, and takes 50 µs more: a first visit must fit one
    /// round trip.
    let pageCompressor = GzipCompressor(level: 6)
    private var reader: (any UserReader)?

    let counters: SiteCounters
    /// When the current response was begun, and when the store had returned its data.
    private var began = 0
    private var read = 0

    init(_ site: Site) {
        self.site = site
        counters = site.makeCounters()
    }

    var configuration: Site.Configuration { site.configuration }

    /// Returns the parts of a page in a language.
    func layout(_ language: LanguageChoice?) -> Layout {
        let code = language?.code ?? .en
        return Layout(
            model: model, site: site, line: line, language: site.languages[code], linkLanguage: language?.parameter)
    }

    /// Renders a task, and returns the response with the time it took. Throws an ``HTTPError``, an error of the store,
    /// or, unless this is the last try, an ``OutdatedDirectory``.
    func make(
        _ task: RenderTask, key: [UInt8], isLastTry: Bool = false
    ) throws -> (ResponseCache.Entry, ServerTiming) {
        counters.cacheMisses.add(1)
        began = Clock.nanoseconds
        read = began
        body.removeAll()
        model.removeAll()
        var fields = Fields(capacity: 512)
        let directory: Directory
        do {
            directory = try task.resource.render(task, with: self, fields: &fields)
        } catch let error as OutdatedDirectory where !isLastTry {
            throw error
        } catch let error where !(error is HTTPError) {
            throw DirectoryError(directory: task.resource.directory, reason: error)
        }
        if !isLastTry, directory.hasOtherSettings(than: task.resource.directory) { throw OutdatedDirectory() }
        let rendered = Clock.nanoseconds
        let entry = entry(for: task, key, directory, fields)
        let timing = ServerTiming(
            began: began, database: read - began, rendering: rendered - read,
            compression: Clock.nanoseconds - rendered)
        return (entry, timing)
    }

    // MARK: Reading

    /// Runs `body` with the reader, which the first call opens, and adds the time it takes to `durations`.
    func reading<Result>(_ durations: Histogram, _ body: (any UserReader) throws -> Result) throws -> Result {
        let started = Clock.nanoseconds
        defer {
            read = Clock.nanoseconds
            durations.add(read - started)
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
    func read(_ query: UserQuery, of directory: Directory) throws -> Page {
        if directory.id == DirectoryList.none.id { return .empty(directory) }
        let durations = query.search == nil ? counters.pageReads : counters.searchReads
        do {
            guard let page = try reading(durations, { try $0.page(query) }) else { throw HTTPError.notFound }
            return page
        } catch let failure as any StoreFailure where failure.isOfRequest {
            throw HTTPError.badRequest("\(query.start.parameter): \(failure)")
        }
    }

    /// Counts the values of filters. Throws 404 if the directory was removed.
    func counts(of filters: [FieldFilter], among search: Search, in directory: Directory) throws -> [[Int]?] {
        if filters.isEmpty || directory.id == DirectoryList.none.id { return filters.map { _ in nil } }
        let counts = try reading(counters.searchReads) {
            try $0.counts(of: filters, among: search, in: directory.id)
        }
        guard let counts else { throw HTTPError.notFound }
        return counts
    }

    /// Reads the letters of the order of `query`; `nil` if it has none.
    func readLetters(_ query: UserQuery, of directory: Directory) throws -> [LetterCount]? {
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
    func read(ids: [Int64], sort: Sort = Sort(), of directory: Directory) throws -> Page {
        if directory.id == DirectoryList.none.id { return .empty(directory) }
        let page = try reading(counters.userReads) { try $0.users(ids: ids, sort: sort, directory: directory.id) }
        guard let page else { throw HTTPError.notFound }
        return page
    }
}

/// The settings of the directory have changed since the request was read: its orders, filters and texts may be others
/// now.
struct OutdatedDirectory: Error, CustomStringConvertible {
    let description = "the settings of the directory are changing all the time"
}

extension Directory {
    fileprivate func hasOtherSettings(than known: Directory) -> Bool {
        id == known.id && generation != known.generation && plan != known.plan
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
    fileprivate static func empty(_ directory: Directory) -> Page {
        Page(
            users: UserRows(), directory: directory, firstPosition: 1, total: 0, hasPrevious: false, hasNext: false)
    }
}
