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
final class ReopeningReader: ForwardingReader {
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

    func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        let now = store.database
        if now !== database {
            reader = try StoreReader(of: now, withPrivate: withPrivate)
            database = now
        }
        return try body(reader)
    }
}

extension StoreReader {
    convenience init(of database: OpenDatabase, withPrivate: Bool = false) throws {
        self.init(
            try SQLiteConnection(database.file, cacheKiB: SQLiteStore.readerCacheKiB), database.state,
            pictures: PictureFileReader(besideDatabase: database.file.path), withPrivate: withPrivate)
    }
}
