import Foundation
import People
import Publishing
import StoreEngine

// The parts of `EngineStore` that need PostgreSQL.

extension PostgresStore {
    public var name: String { address.description }

    package func makeReadingConnection() -> any StoreConnection { makeNewestConnection() }

    package func reading<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try pool.withConnection { try body($0.connection) }
    }

    /// Returns a connection for reading from the primary, or from another host if none accepts changes.
    private func makeNewestConnection() -> PostgresStoreConnection {
        PostgresStoreConnection { [address] in
            do {
                return try PostgresConnection(address, .writer)
            } catch let error as StoreError where error.reason == .readOnly {
                return try PostgresConnection(address, .lastingReader)
            }
        }
    }

    package func makePictureFileReader() -> any StoredPictureReader { makeNewestConnection() }

    package func makeSharedWriter() -> any SharedWriter { self }

    package func makeWritingSession() -> any WritingSession { PostgresSession() }

    package func createTables(of directory: Int64, on connection: any StoreConnection) throws {
        try connection.execute(Schema(name: address.schema).creation(of: Table.ofDirectory(directory)))
    }

    package func dropTables(of directory: Int64, on connection: any StoreConnection) throws -> Int64 {
        let names = Table.ofDirectory(directory).map(\.name)
        let sizes = names.map { "pg_total_relation_size('\(address.schema).\($0)')" }
        let bytes = try connection.number("SELECT \(sizes.joined(separator: " + "))")
        try connection.execute("DROP TABLE \(names.joined(separator: ", "))")
        return bytes
    }

    /// Rows of directories are locked before this is called, so that generations ascend in the sequence of commits.
    package func nextGeneration(on connection: any StoreConnection) throws -> Int64 {
        try connection.number("SELECT nextval('generation')")
    }

    package func lock(_ directory: Int64, on connection: any StoreConnection) throws {
        _ = try connection.number("SELECT 1 FROM directory WHERE id = ? FOR NO KEY UPDATE", directory)
    }

    package func giveBackSpace(of slug: Slug, _ size: Int64) -> (bytes: Int64, isGivenBack: Bool) {
        (size, true)
    }

    package func overwriteWhatIsGone(from directories: [Int64], _ done: String, _ left: String) throws {
        let tables = directories.flatMap { Table.ofDirectory($0).map(\.name) }
        do {
            try rewrite(tables + Schema.personalTables)
        } catch let error as StoreError {
            throw StoreError(error.reason, "\(done), but \(left) (\(error))")
        }
    }

    private func rewrite(_ tables: [String]) throws {
        turn.wait()
        defer { turn.signal() }
        try waitForOlderSnapshots()
        for table in tables {
            let exists = try waiting.first { try writer.hasTable(table) }
            if exists { try writer.execute("VACUUM (FULL) \(table)") }
        }
    }

    /// Waits until no transaction can see the rows that have been removed until now: they would be copied to the new
    /// files. Sessions of other roles are seen only by members of `pg_read_all_stats`.
    private func waitForOlderSnapshots() throws {
        let now = try waiting.first { try writer.text("SELECT CAST(pg_current_xact_id() AS text)") }
        // A transaction that has written counts between its statements as well, when it has no snapshot.
        let others = """
            SELECT count(*) FROM (
                SELECT backend_xid AS xmin FROM pg_stat_activity WHERE datname = current_database()
                UNION ALL SELECT backend_xmin FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                UNION ALL SELECT backend_xmin FROM pg_stat_replication
                UNION ALL SELECT xmin FROM pg_replication_slots
            ) AS session WHERE age(xmin) >= age(CAST(CAST('\(now)' AS xid8) AS xid))
            """
        let end = ContinuousClock.now + .seconds(Self.patienceWithReaders)
        try wait(for: others, until: end)
        // A session may take its snapshot after it was looked at, while an older transaction writes. Now that none
        // does, snapshots that are taken are later ones, and whoever has an earlier one is waited for, too. A session
        // that starts has a snapshot before it is among the activities, but its transaction is among the locks.
        let starting = try writer.text(
            """
            SELECT coalesce(string_agg(virtualtransaction, ','), '') FROM pg_locks
            WHERE locktype = 'virtualxid' AND pid IS NOT NULL AND NOT EXISTS (
                SELECT FROM pg_stat_activity AS known WHERE known.pid = pg_locks.pid AND datname IS NOT NULL)
            """)
        try wait(
            for: """
                SELECT count(*) FROM pg_locks
                WHERE locktype = 'virtualxid' AND virtualtransaction = ANY (string_to_array('\(starting)', ','))
                """,
            until: end)
        try wait(for: others, until: end)
    }

    private func wait(for transactions: String, until end: ContinuousClock.Instant) throws {
        while try writer.number(transactions) > 0 {
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .busy,
                    """
                    a transaction in the database, or on a standby, has been open for \(Self.patienceWithReaders) s; \
                    pg_stat_activity lists those with a backend_xmin or backend_xid
                    """)
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// In seconds. Transactions of servers and imports end sooner.
    private static var patienceWithReaders: Int { 60 }

    package func openExistingPictures() throws -> (any StoreConnection)? { try openPictures() }

    package func openPictures() throws -> any StoreConnection {
        let connection = PostgresStoreConnection(address, .writer)
        _ = try waiting.first { try connection.client() }
        return connection
    }

    package func overwriteRemovedPictures(_ pictures: any StoreConnection, within seconds: Int?) throws -> Bool {
        // Rewriting gigabytes of pictures is worth it for those that must be gone, and not for every collection of
        // garbage.
        guard seconds == nil else { return true }
        try rewrite(["picture", "fetched"])
        return true
    }

    public func size() throws -> StoreSize {
        try reading { connection in
            // Indexes and large values count as part of their tables.
            var size = StoreSize()
            try connection.forEach(
                """
                SELECT CAST(sum(pg_total_relation_size(oid)) AS int8),
                    CAST(coalesce(sum(pg_total_relation_size(oid)) FILTER (WHERE relname IN ('picture', 'fetched')), 0)
                        AS int8)
                FROM pg_class WHERE relnamespace = '\(address.schema)'::regnamespace AND relkind = 'r'
                """
            ) { (size.database, size.pictures) = ($0.number(0) - $0.number(1), $0.number(1)) }
            return size
        }
    }

    public func pictureTotals() throws -> PictureTotals {
        try reading { try $0.pictureTotals() }
    }
}

extension PostgresStore: SharedWriter {
    /// Waits for a primary.
    package func begin() throws {
        try waiting.first {
            if try writer.isNew { try Timeline.note(on: writer) }
            try writer.begin()
        }
    }

    package func commit() throws { try writer.commit() }

    package func rollback() { writer.rollback() }

    package func perform<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result { try body(writer) }
}

/// The transactions of one writer. PostgreSQL needs no preparation for them.
final class PostgresSession: WritingSession {
    /// Writers of other directories do not wait. Fewer transactions rewrite fewer blobs of the indexes.
    let maxDuration = Duration.seconds(4)

    func keepUp() {}
    func noteCommit() {}
    func pause(after duration: Duration) {}
    func end(_ connection: any StoreConnection) {}
}

extension PostgresStore {
    package func withWholeSnapshot<Result>(
        _ body: (_ database: any StoreConnection, _ pictures: (any StoreConnection)?) throws -> Result
    ) throws -> Result {
        // The settings of readers would end statements and pauses that take long.
        let connection = makeNewestConnection()
        return try connection.reading { try body(connection, connection) }
    }

    package func continueNumbers(after generation: Int64, on connection: any StoreConnection) throws {
        try connection.execute(
            """
            SELECT setval('generation', greatest((SELECT last_value FROM generation), \(generation)));
            SELECT setval(pg_get_serial_sequence('directory', 'id'), greatest(
                (SELECT coalesce(max(id), 1) FROM directory), (SELECT last_value FROM directory_id_seq)))
            """)
    }
}
