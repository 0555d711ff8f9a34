import Base
import People
import StoreEngine

/// The engine's connection to PostgreSQL. It connects when it is first used, and again, between transactions, after it
/// was lost.
///
/// Rows of users and blobs of indexes are collected and written together. Every statement that may read or write them
/// comes after that.
final class PostgresStoreConnection: StoreConnection, StoredPictureReader {
    private let connect: () throws -> PostgresConnection
    private var connected: PostgresConnection?
    private var transaction = Transaction.none
    private var sessions = 0
    private var statements: [StatementName: PostgresStatement] = [:]
    private var userRows: [Int64: PostgresUserRows] = [:]
    private var blobs: [BlobKey: PostgresBlobs] = [:]
    private var hasWritten = false
    /// Called with the id and the generation of a directory that is about to be read, or with `nil` if it does not
    /// exist. Throws if this process has shown a later state.
    private let checkGeneration: (Int64, Int64?) throws -> Void
    /// `nil` for connections that write.
    let cache: BlobCache?
    /// The directory whose snapshot is open for reading, and its generation.
    private(set) var snapshot: (directory: Int64, generation: Int64)?
    /// There are few kinds of statements, but each directory has its own tables.
    private let maxStatements = 1200

    private enum Transaction { case none, reading, writing }

    private struct BlobKey: Hashable {
        let table: BlobTable
        let directory: Int64
    }

    init(
        cache: BlobCache? = nil, checkGeneration: @escaping (Int64, Int64?) throws -> Void = { _, _ in },
        _ connect: @escaping () throws -> PostgresConnection
    ) {
        self.connect = connect
        self.cache = cache
        self.checkGeneration = checkGeneration
    }

    convenience init(_ address: DatabaseAddress, _ role: ConnectionRole) {
        self.init { try PostgresConnection(address, role) }
    }

    /// Connects if necessary.
    func client() throws -> PostgresConnection {
        if let connected, transaction != .none || !connected.isLost { return connected }
        close()
        let connection = try connect()
        connected = connection
        sessions += 1
        return connection
    }

    /// The tables with pictures are in the same database.
    func current() -> (any StoreConnection)? { self }

    /// Whether there is a connection that is not known to be lost.
    var isOpen: Bool { connected?.isLost == false }

    /// Whether nothing was written on the connection yet. Connects if necessary.
    var isNew: Bool {
        get throws {
            _ = try client()
            return !hasWritten
        }
    }

    var session: Int {
        get throws {
            _ = try client()
            return sessions
        }
    }

    /// The next use makes another connection.
    func close() {
        discardCollected()
        // Statements are of no use without their connection.
        statements = [:]
        (transaction, hasWritten) = (.none, false)
        connected = nil
    }
}

// MARK: - Statements

extension PostgresStoreConnection {
    func statement(_ name: StatementName, _ sql: @autoclosure () -> String) throws -> any StoreStatement {
        try prepared(name, sql())
    }

    /// Returns a statement that writes the collected rows before, if it may read or change them.
    private func prepared(_ name: StatementName, _ sql: @autoclosure () -> String) throws -> PostgresStatement {
        let client = try client()
        if let statement = statements[name] { return statement }
        if statements.count >= maxStatements { statements = [:] }
        let sql = sql()
        let statement =
            Self.touchesCollected(sql)
            ? PostgresStatement(sql, on: client) { [unowned self] in try writeCollected() } : client.statement(sql)
        statements[name] = statement
        return statement
    }

    /// Returns a statement of whoever collects rows: it goes past what is collected.
    func ownStatement(_ sql: String) throws -> PostgresStatement { try client().statement(sql) }

    func execute(_ sql: String) throws {
        let client = try client()
        if Self.touchesCollected(sql) { try writeCollected() }
        try client.execute(sql)
    }

    /// Returns a statement that looks up one value after the other. Without statistics of a directory, the planner
    /// expects only a few rows in it; for a list of values, it then compares every row of the directory with every
    /// value.
    func selection(of columns: String, from table: String, in directory: Int64, by key: String, count: Int) -> String {
        let rows = Array(repeating: "(\(directory), ?)", count: count).joined(separator: ", ")
        return """
            SELECT found.* FROM (SELECT DISTINCT * FROM (VALUES \(rows)) AS list (inDirectory, value)) AS wanted,
            LATERAL (
                SELECT \(columns) FROM \(table) WHERE directory = wanted.inDirectory AND \(key) = wanted.value OFFSET 0
            ) AS found
            """
    }

    /// PostgreSQL drops tables that prepared statements use.
    func removeStatements() {}

    var changes: Int { get throws { try client().changes } }

    func exists(table: String) -> String { "(to_regclass('\(table)') IS NOT NULL)" }

    func makeRowWriter(into table: String, _ columns: [String]) -> any RowWriter {
        PostgresRowWriter(table, columns, on: self)
    }
}

// MARK: - Transactions

extension PostgresStoreConnection {
    func begin() throws {
        precondition(transaction == .none, "a connection has one transaction at a time")
        let client = try client()
        if client.isInTransaction { client.rollback() }
        try client.begin()
        (transaction, hasWritten) = (.writing, true)
    }

    func commit() throws {
        try writeCollected()
        try client().commit()
        end()
    }

    func rollback() {
        connected?.rollback()
        end()
    }

    private func end() {
        transaction = .none
        discardCollected()
    }

    func withSnapshot<Result>(of directory: Int64, _ body: (_ generation: Int64) throws -> Result?) throws -> Result? {
        try reading {
            let row = try generationStatement(of: directory)
            defer { row.reset() }
            guard try row.step() else {
                try checkGeneration(directory, nil)
                return nil
            }
            let generation = row.number(0)
            try checkGeneration(directory, generation)
            snapshot = (directory, generation)
            defer { snapshot = nil }
            return try body(generation)
        }
    }

    /// Calls `body` in a transaction that reads, unless one is open.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        if transaction != .none { return try body() }
        let client = try client()
        try client.beginReading()
        transaction = .reading
        do {
            let result = try body()
            try client.endReading()
            end()
            return result
        } catch {
            rollback()
            throw error
        }
    }
}

// MARK: - Collected rows

extension PostgresStoreConnection {
    func blobs(_ table: BlobTable, of directory: Int64) -> any BlobStorage {
        let key = BlobKey(table: table, directory: directory)
        if let blobs = blobs[key] { return blobs }
        // Those that are in use keep themselves.
        if blobs.count >= 64, transaction != .writing { blobs = [:] }
        let new = PostgresBlobs(table, of: directory, on: self)
        blobs[key] = new
        return new
    }

    func userRows(of directory: Int64) -> any UserRowStorage {
        let rows = userRows[directory] ?? PostgresUserRows(of: directory, on: self)
        userRows[directory] = rows
        return rows
    }

    static let maxCollectedBytes = 4 << 20

    func writeCollected() throws {
        guard transaction == .writing else { return }
        for rows in userRows.values { try rows.write() }
        for blobs in blobs.values { try blobs.write() }
    }

    private func discardCollected() {
        for rows in userRows.values { rows.discard() }
        for blobs in blobs.values { blobs.discard() }
    }

    /// Returns whether `sql` names a table whose rows or blobs are collected, such as `user1` and `userText1`.
    static func touchesCollected(_ sql: String) -> Bool {
        var rest = Substring(sql)
        while let range = rest.firstRange(of: "user") {
            rest = rest[range.upperBound...]
            let name = rest.prefix(while: \.isLetter)
            if ["", "Text", "NGram", "Block"].contains(name), rest.dropFirst(name.count).first?.isNumber == true {
                return true
            }
        }
        return false
    }
}

// MARK: - Rows by id

extension PostgresStoreConnection {
    /// A page has few rows; a search that looks at many does not stop at the first ones.
    private static let batches = [16, 64, 256]

    var rowsAtOnce: Int { 64 }

    func forEachRow(
        _ rows: KeyedRows, in directory: Int64, _ next: () -> Int64?,
        _ body: (_ id: Int64, _ row: any StoreRow) throws -> Bool
    ) throws {
        let (columns, idColumn, table) =
            switch rows {
            case .users: (UserRowReader.columns, UserRowReader.idColumn, "user")
            case .texts: ("id, content", 0, "userText")
            }
        let statement = try prepared(
            .rows(rows, of: directory), "SELECT \(columns) FROM \(table)\(directory) WHERE id = ANY(?)")
        defer { statement.reset() }
        try Self.forEachBatch(of: Self.batches, next) { ids in
            let numbers = try statement.rowNumbers(of: ids, idColumn: idColumn)
            for id in ids {
                guard let number = numbers[id] else { continue }
                statement.move(to: number)
                if try !body(id, statement) { return false }
            }
            return true
        }
    }

    /// Calls `body` with the numbers that `next` names, in batches of these sizes, and then of the last one, until it
    /// returns `false`.
    static func forEachBatch(of sizes: [Int], _ next: () throws -> Int64?, _ body: ([Int64]) throws -> Bool) throws {
        for round in 0... {
            let limit = sizes[min(round, sizes.count - 1)]
            var batch: [Int64] = []
            while batch.count < limit, let number = try next() { batch.append(number) }
            guard try !batch.isEmpty && body(batch) && batch.count == limit else { return }
        }
    }
}
