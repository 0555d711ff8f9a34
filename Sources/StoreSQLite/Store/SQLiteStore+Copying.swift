import StoreEngine

extension SQLiteStore: CopyableStore {
    package func withWholeSnapshot<Result>(
        _ body: (_ database: any StoreConnection, _ pictures: (any StoreConnection)?) throws -> Result
    ) throws -> Result {
        let database = try SQLiteConnection(database.file, cacheKiB: Self.readerCacheKiB, busyTimeout: busyTimeout)
        // The first read begins the snapshot.
        try database.execute("BEGIN")
        _ = try database.number("SELECT count(*) FROM sqlite_master")
        defer { try? database.execute("ROLLBACK") }
        // After the database: a picture is there before a row names it.
        let path = PictureFile.path(besideDatabase: path)
        let pictures =
            PictureFile.exists(besideDatabase: self.path) ? try PictureFile.openForReading(path) : nil
        try pictures?.execute("BEGIN")
        _ = try pictures?.number("SELECT count(*) FROM sqlite_master")
        defer { try? pictures?.execute("ROLLBACK") }
        return try body(database, pictures)
    }

    /// SQLite gives later directories greater ids by itself.
    package func continueNumbers(after generation: Int64, on connection: any StoreConnection) throws {
        try connection.execute(
            "UPDATE database SET generation = \(generation) WHERE generation < \(generation)")
    }
}
