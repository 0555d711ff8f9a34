import People
import StoreEngine

/// A database file that a store has opened, and the state of the store that belongs to it. A file that replaces it gets
/// an `OpenDatabase` of its own, so data of two files is never mixed.
final class OpenDatabase: Sendable {
    let file: DatabaseFile
    let state: SharedState

    init(_ file: DatabaseFile, origin: UInt64, statistics: StoreStatistics = StoreStatistics()) {
        self.file = file
        state = SharedState(origin: origin, statistics: statistics)
    }
}

/// Reads the file that the store has open now.
final class ReopeningReader: UserReader {
    private let store: SQLiteStore
    private var database: OpenDatabase
    private var reader: StoreReader

    private let withPrivate: Bool

    init(_ store: SQLiteStore, withPrivate: Bool = false) throws {
        self.store = store
        self.withPrivate = withPrivate
        database = store.database
        reader = try StoreReader(of: database, withPrivate: withPrivate)
    }

    func page(_ query: UserQuery) throws -> Page? { try current().page(query) }

    func letters(_ query: UserQuery) throws -> [LetterCount]? { try current().letters(query) }

    func user(login: String, id: Int64?, directory: Int64) throws -> Page? {
        try current().user(login: login, id: id, directory: directory)
    }

    func ids(login: String, directory: Int64, limit: Int) throws -> [Int64] {
        try current().ids(login: login, directory: directory, limit: limit)
    }

    func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page? {
        try current().users(ids: ids, sort: sort, directory: directory)
    }

    func currentLogin(ofFormer handle: String, directory: Int64) throws -> String? {
        try current().currentLogin(ofFormer: handle, directory: directory)
    }

    func counts(of filters: [FieldFilter], among search: Search, in directory: Int64) throws -> [[Int]?]? {
        try current().counts(of: filters, among: search, in: directory)
    }

    func additions(among search: Search?, in directory: Int64, after generation: Int64) throws -> Additions? {
        try current().additions(among: search, in: directory, after: generation)
    }

    func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) throws -> [UInt8]? {
        try current().picture(key, size, of: directories)
    }

    func logo(of directory: Int64) throws -> Logo? { try current().logo(of: directory) }

    func suggestions(for search: Search, directory: Int64, limit: Int) throws -> [SimilarPerson] {
        try current().suggestions(for: search, directory: directory, limit: limit)
    }

    private func current() throws -> StoreReader {
        let now = store.database
        if now !== database {
            reader = try StoreReader(of: now, withPrivate: withPrivate)
            database = now
        }
        return reader
    }
}

extension StoreReader {
    convenience init(of database: OpenDatabase, withPrivate: Bool = false) throws {
        self.init(
            try SQLiteConnection(database.file, cacheKiB: SQLiteStore.readerCacheKiB), database.state,
            pictures: PictureFileReader(besideDatabase: database.file.path), withPrivate: withPrivate)
    }
}
