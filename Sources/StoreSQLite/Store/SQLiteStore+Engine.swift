import CSQLite
import Foundation
import People
import Publishing
import StoreEngine

// The parts of `EngineStore` that need SQLite.

extension SQLiteStore {
    public var name: String { path }

    package func makeReadingConnection() throws -> any StoreConnection {
        try SQLiteConnection(database.file, cacheKiB: Self.readerCacheKiB, busyTimeout: nil)
    }

    package func reading<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try body(makeReadingConnection())
    }

    /// SQLite's own default: upper levels of the B-trees stay in the cache, leaves come from the system's.
    static let readerCacheKiB = 2000

    package func makePictureFileReader() -> any StoredPictureReader { PictureFileReader(besideDatabase: path) }

    package func makeSharedWriter() throws -> any SharedWriter { try openedWriting() }

    private func openedWriting() throws -> WritingConnection {
        guard let writing else { throw StoreError(notWritable: path) }
        return writing
    }

    package func makeWritingSession() throws -> any WritingSession { try SQLiteSession(self) }

    package func createTables(of directory: Int64, on connection: any StoreConnection) throws {
        for table in Table.ofDirectory(directory) { try connection.execute(table.creation(in: Schema.dialect)) }
    }

    package func dropTables(of directory: Int64, on connection: any StoreConnection) throws -> Int64 {
        for table in Table.ofDirectory(directory) { try connection.execute("DROP TABLE \(table.name)") }
        return 0
    }

    package func nextGeneration(on connection: any StoreConnection) throws -> Int64 {
        try Self.nextGeneration(on: connection)
    }

    static func nextGeneration(on connection: any StoreConnection) throws -> Int64 {
        let next = try connection.first("UPDATE database SET generation = generation + 1 RETURNING generation") {
            try $0.generation(0)
        }
        guard let next else { throw StoreError.damage("it has no generation") }
        return next
    }

    /// SQLite has one writer at a time.
    package func lock(_ directory: Int64, on connection: any StoreConnection) {}

    package func giveBackSpace(of slug: Slug, _ size: Int64) throws -> (bytes: Int64, isGivenBack: Bool) {
        // In bytes.
        let (all, free) = try transaction { connection in
            let page = try connection.number("PRAGMA page_size")
            return try (
                connection.number("PRAGMA page_count") * page, connection.number("PRAGMA freelist_count") * page
            )
        }
        // If at least half of the file is free, the file is rewritten, which needs as much space again for a moment. If
        // that fails, because an import is running or the disk is full, nothing is lost.
        let isRewritten = free >= all / 2 && (try? writing?.useAlone { try $0.execute("VACUUM") }) != nil
        try overwriteWhatIsGone(
            from: [], "\(slug) is removed",
            "the data of its users is still in the file, until something is changed again")
        return (free, isRewritten)
    }
}

// MARK: - Overwriting

extension SQLiteStore {
    package func overwriteWhatIsGone(from directories: [Int64], _ done: String, _ left: String) throws {
        do {
            if try overwriteWhatIsGone() { return }
        } catch let error as StoreError {
            let why = error.reason == .noRoom ? "the disk is full: \(left) when there is room" : "\(left) (\(error))"
            throw StoreError(error.reason, "\(done), but \(why)")
        }
        throw StoreError(
            .busy, "\(done), but another process has been reading \(path) all the time: \(left) when it is done")
    }

    /// Copies the committed pages from the WAL into the file, over the old ones, and truncates the WAL, which may hold
    /// old pages, too. Waits for readers of older snapshots and for writers. Returns `false` if they take too long.
    private func overwriteWhatIsGone() throws -> Bool {
        let connection = try SQLiteConnection(reading: path, cacheKiB: 64)
        // During another checkpoint SQLite returns at once that it is busy. So the waiting is done here.
        try connection.execute("PRAGMA busy_timeout = 0")
        return try connection.truncateLog(busyTimeout)
    }

    package func openPictures() throws -> any StoreConnection {
        _ = try openedWriting()
        return try PictureFile.openForWriting(besideDatabase: path, busyTimeout: busyTimeout)
    }

    package func openExistingPictures() throws -> (any StoreConnection)? {
        PictureFile.exists(besideDatabase: path) ? try openPictures() : nil
    }

    package func overwriteRemovedPictures(_ pictures: any StoreConnection, within seconds: Int?) throws -> Bool {
        guard let pictures = pictures as? SQLiteConnection else { return false }
        return try pictures.truncateLog(seconds.map { BusyTimeout(limit: $0) } ?? busyTimeout)
    }

    public func size() -> StoreSize {
        // A symbolic link leads to the files.
        let file = DatabaseFile.target(path)
        let bytes = { (ending: String) in FileIdentity(file + ending).map { Int64($0.size) } ?? 0 }
        var size = StoreSize()
        (size.database, size.log) = (bytes(""), bytes("-wal"))
        size.pictures = bytes("-pictures") + bytes("-pictures-wal")
        return size
    }

    public func pictureTotals() throws -> PictureTotals {
        try makePictureFileReader().current()?.pictureTotals() ?? PictureTotals()
    }
}

extension SQLiteConnection {
    /// Copies the committed pages into the file and truncates the log, so that nothing removed is left in it. Returns
    /// `false` if another process reads for too long.
    fileprivate func truncateLog(_ busyTimeout: BusyTimeout) throws -> Bool {
        try busyTimeout.first {
            let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            if code == SQLITE_BUSY { return nil }
            try check(code, "emptying the log")
            return true
        } ?? false
    }
}

// MARK: - Copies and locks

extension SQLiteStore {
    package func withWholeSnapshot<Result>(
        _ body: (_ database: any StoreConnection, _ pictures: (any StoreConnection)?) throws -> Result
    ) throws -> Result {
        let database = try SQLiteConnection(database.file, cacheKiB: Self.readerCacheKiB, busyTimeout: busyTimeout)
        try database.beginSnapshot()
        // After the database: a picture is there before a row names it.
        let pictures = try PictureFile.openForReading(PictureFile.path(besideDatabase: path))
        try pictures?.beginSnapshot()
        return try body(database, pictures)
    }

    /// SQLite gives later directories greater ids by itself.
    package func continueNumbers(after generation: Int64, on connection: any StoreConnection) throws {
        try connection.execute(
            "UPDATE database SET generation = \(generation) WHERE generation < \(generation)")
    }

    public func attemptImportLock(of slug: Slug, name: String) throws -> LockAttempt {
        try FileLock.attempt("import-\(slug)", of: path, name: name)
    }

    public func attemptPictureLock(name: String) throws -> LockAttempt {
        try FileLock.attempt("fetching", of: path, name: name)
    }
}
