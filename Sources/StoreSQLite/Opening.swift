import Directories

/// One database file that a store has opened, and what is known of it. When another file takes its place, that is another
/// opening: nothing that was read from the one is ever taken for the other's.
final class Opening: Sendable {
    let file: DatabaseFile
    let state: SharedState

    init(_ file: DatabaseFile, origin: UInt64, statistics: StoreStatistics = StoreStatistics()) {
        self.file = file
        state = SharedState(origin: origin, statistics: statistics)
    }
}

/// Reads whichever file the store has open now.
final class RenewingReader: UserReader {
    private let store: SQLiteStore
    private var opening: Opening
    private var reader: SQLiteReader

    init(_ store: SQLiteStore) throws {
        self.store = store
        opening = store.opening
        reader = try SQLiteReader(opening)
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
        let now = store.opening
        if now !== opening {
            reader = try SQLiteReader(now)
            opening = now
        }
        return reader
    }
}
