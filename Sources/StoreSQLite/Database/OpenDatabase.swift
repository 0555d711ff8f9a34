import Directories

/// One database file that a store has opened, and what is known of it. When another file takes its place, that is another
/// opening: nothing that was read from the one is ever taken for the other's.
final class OpenDatabase: Sendable {
    let file: DatabaseFile
    let state: SharedState

    init(_ file: DatabaseFile, origin: UInt64, statistics: StoreStatistics = StoreStatistics()) {
        self.file = file
        state = SharedState(origin: origin, statistics: statistics)
    }
}

/// Reads whichever file the store has open now.
final class ReopeningReader: UserReader {
    private let store: SQLiteStore
    private var database: OpenDatabase
    private var reader: SQLiteReader

    init(_ store: SQLiteStore) throws {
        self.store = store
        database = store.database
        reader = try SQLiteReader(database)
    }

    func page(_ query: UserQuery) throws -> Page? { try current().page(query) }

    func user(login: String, id: Int64?, directory: Int64) throws -> Page? {
        try current().user(login: login, id: id, directory: directory)
    }

    func ids(login: String, directory: Int64, limit: Int) throws -> [Int64] {
        try current().ids(login: login, directory: directory, limit: limit)
    }

    func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page? {
        try current().users(ids: ids, sort: sort, directory: directory)
    }

    private func current() throws -> SQLiteReader {
        let now = store.database
        if now !== database {
            reader = try SQLiteReader(now)
            database = now
        }
        return reader
    }
}
