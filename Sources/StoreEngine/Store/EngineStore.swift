import Dispatch
import People
import Publishing

/// The parts of a store that the engine needs besides connections: transactions, and work on the database as a whole.
package protocol EngineStore: PublisherStore, AnyObject {
    var state: SharedState { get }

    /// Opens a connection for reading. It sees everything that this process has written.
    func makeReadingConnection() throws -> any StoreConnection
    /// Calls `body` with a connection for reading that may lead to a standby, as those of servers do.
    func reading<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result
    func makePictureFileReader() throws -> any StoredPictureReader

    /// Throws if the database cannot be written.
    func makeSharedWriter() throws -> any SharedWriter
    /// Prepares the store for several transactions of one writer.
    func makeWritingSession() throws -> any WritingSession

    /// Creates the tables of a directory, without blocks of orders.
    func createTables(of directory: Int64, on connection: any StoreConnection) throws
    /// Returns the size of the tables in bytes, or 0 if the database tells that only when they are gone.
    func dropTables(of directory: Int64, on connection: any StoreConnection) throws -> Int64
    /// Returns a generation that no directory has had before.
    func nextGeneration(on connection: any StoreConnection) throws -> Int64
    /// Locks a directory for the transaction, if writers of several directories may have transactions at once.
    func lock(_ directory: Int64, on connection: any StoreConnection) throws

    /// Overwrites what was removed from directories, so that it is in no file of the database any more. Throws an error
    /// that names what is done (`done`), the reason of the failure, and what remains to do (`left`).
    func overwriteWhatIsGone(from directories: [Int64], _ done: String, _ left: String) throws
    /// Gives the space of a removed directory back, whose tables had a size that ``dropTables(of:on:)`` has returned.
    func giveBackSpace(of slug: Slug, _ size: Int64) throws -> (bytes: Int64, isGivenBack: Bool)

    /// Opens the tables with pictures for writing, and creates them if they do not exist.
    func openPictures() throws -> any StoreConnection
    func openExistingPictures() throws -> (any StoreConnection)?
    /// Overwrites removed pictures. Returns `false` if others read them for too long: for longer than `seconds`, if
    /// given.
    func overwriteRemovedPictures(_ pictures: any StoreConnection, within seconds: Int?) throws -> Bool

    /// Calls `body` with connections to the database and to the tables with pictures, if there are any. Both show one
    /// moment, until `body` returns.
    func withWholeSnapshot<Result>(
        _ body: (_ database: any StoreConnection, _ pictures: (any StoreConnection)?) throws -> Result
    ) throws -> Result

    /// Makes the next generation greater than `generation`, and the ids of later directories greater than those of the
    /// stored ones.
    func continueNumbers(after generation: Int64, on connection: any StoreConnection) throws
}

/// The connection that all writers of a store share, in turns.
package protocol SharedWriter: AnyObject {
    /// Held by the thread that has a transaction open.
    var turn: DispatchSemaphore { get }
    /// Begins a transaction, and waits for those of other processes.
    func begin() throws
    /// If this throws, roll back.
    func commit() throws
    func rollback()
    func perform<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result
}

/// A transaction that stays open across calls. Confined to one thread.
package final class WriteTransaction {
    private let writer: any SharedWriter
    private var isOpen = true

    /// Waits for other threads and processes that write.
    fileprivate init(_ writer: any SharedWriter) throws {
        self.writer = writer
        writer.turn.wait()
        // If this throws, the new transaction ends at once.
        try writer.begin()
    }

    deinit { rollback() }

    package func perform<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try writer.perform(body)
    }

    /// If this throws, roll back.
    package func commit() throws {
        try writer.commit()
        end()
    }

    /// Does nothing after ``commit()``.
    package func rollback() {
        guard isOpen else { return }
        writer.rollback()
        end()
    }

    private func end() {
        isOpen = false
        writer.turn.signal()
    }
}

/// The transactions of one writer.
package protocol WritingSession: AnyObject {
    /// How long a transaction may go on while others want to write, and nobody sees its users.
    var maxDuration: Duration { get }
    /// Waits, before a transaction, until the database has caught up with the last ones.
    func keepUp()
    /// Notes that a transaction is saved.
    func noteCommit()
    /// Pauses between transactions, so that other writers can begin, if the last one took `duration`.
    func pause(after duration: Duration)
    /// Forgets the statements of `connection`.
    func end(_ connection: any StoreConnection)
}

extension EngineStore {
    public var directories: [Directory] { state.directories }
    public var storedDirectories: [StoredDirectory] { state.storedDirectories }
    public var statistics: StoreStatistics { state.statistics }

    /// Begins a transaction that writes, and waits for those of others. Throws if the database cannot be written.
    package func beginWriting() throws -> WriteTransaction { try WriteTransaction(makeSharedWriter()) }

    /// Calls `body` in a transaction of its own, which is rolled back if `body` throws.
    package func transaction<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        // It rolls back by itself if it ends before the commit.
        let transaction = try beginWriting()
        let result = try transaction.perform(body)
        try transaction.commit()
        return result
    }

    package func makeStoreReader(for audience: Audience = .everyone) throws -> StoreReader {
        StoreReader(
            try makeReadingConnection(), state, pictures: try makePictureFileReader(), for: audience)
    }

    public func openDirectory(
        _ slug: Slug, title: String?, source: String, changing change: (inout Settings) throws -> Void
    ) throws -> any DirectoryWriter {
        try UserWriter(store: self, slug: slug, title: title, source: source, changing: change)
    }

    public func ledger(of slug: Slug) -> any ImportLedger { StoredLedger(store: self, slug: slug) }
}

extension EngineStore {
    public func note(_ record: LastImport, of slug: Slug) throws {
        try transaction { connection in
            guard let directory = try connection.directory(slug) else { return }
            let columns = ["endedAt", "milliseconds", "status", "added", "changed", "removed", "rejected"]
            try connection.run(
                """
                INSERT INTO lastImport (directory, \(columns.joined(separator: ", "))) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (directory) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                """, directory.id, record.endedAt, record.milliseconds, Int64(record.status), Int64(record.added),
                Int64(record.changed), Int64(record.removed), Int64(record.rejected))
        }
    }

    public func lastImports() throws -> [Int64: LastImport] {
        try reading { connection in
            let columns = "directory, endedAt, milliseconds, status, added, changed, removed, rejected"
            var records: [Int64: LastImport] = [:]
            try connection.forEach("SELECT \(columns) FROM lastImport") { row in
                let count = { (column: Int32) in try row.count(column, "a number of the last import") }
                records[row.number(0)] = LastImport(
                    endedAt: try row.time(1, "the time of an import"), milliseconds: Int64(try count(2)),
                    status: try count(3), added: try count(4), changed: try count(5), removed: try count(6),
                    rejected: try count(7))
            }
            return records
        }
    }
}
