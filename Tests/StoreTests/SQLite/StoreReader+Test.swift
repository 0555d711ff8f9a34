@testable import StoreEngine
@testable import StoreSQLite

extension StoreReader {
    /// Reads the database at `path`, with what `state` has in memory.
    convenience init(path: String, state: SharedState) throws {
        self.init(
            try SQLiteConnection(reading: path, cacheKiB: 2000), state,
            pictures: PictureFileReader(besideDatabase: path))
    }
}
