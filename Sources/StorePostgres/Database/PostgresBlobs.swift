import Base
import StoreEngine

/// The blobs of a directory's index, as rows of a table with the columns `id` and `entries`.
///
/// Blobs that are put are collected, and written with one statement. They are seen by all methods here, and by other
/// statements, because ``PostgresStoreConnection`` writes them before. Blobs that were prepared are read from memory
/// until the transaction ends.
final class PostgresBlobs: BlobStorage {
    private let table: String
    private let kind: BlobTable
    private let directory: Int64
    private unowned let connection: PostgresStoreConnection
    /// Blobs that are not written yet.
    private var collected: [Int64: [UInt8]] = [:]
    private var collectedBytes = 0
    private var prepared = PreparedBlobs()
    private var lastNumber: Int64?
    private let (numbers, entries) = (PostgresArray.ofNumbers(), PostgresArray.ofBlobs())

    private static let maxCollectedBytes = 8 << 20
    /// A page reads few blobs; a search reads many.
    private static let batches = [2, 8, 32, 64]

    init(_ table: BlobTable, of directory: Int64, on connection: PostgresStoreConnection) {
        self.table = "\(table.rawValue)\(directory)"
        self.connection = connection
        kind = table
        self.directory = directory
    }

    /// The key of the blobs with `numbers` in the process's cache, if blobs are read for a snapshot that they belong
    /// to.
    private func key(_ numbers: Range<Int64>) -> BlobCache.Key? {
        guard connection.cache != nil, let snapshot = connection.snapshot, snapshot.directory == directory else {
            return nil
        }
        return BlobCache.Key(table: kind, directory: directory, generation: snapshot.generation, numbers: numbers)
    }

    private func key(_ number: Int64) -> BlobCache.Key? { key(number..<(number + 1)) }

    private func cached(_ key: BlobCache.Key?) -> [PreparedBlobs.Blob]? { key.flatMap { connection.cache?[$0] } }

    private func keep(_ bytes: UnsafeRawBufferPointer, _ number: Int64) {
        if let key = key(number) { connection.cache?[key] = [(number, Array(bytes))] }
    }

    func discard() {
        collected.removeAll()
        collectedBytes = 0
        prepared.removeAll()
        lastNumber = nil
    }

    /// Returns a statement of the database itself, past what is collected.
    private func statement(_ sql: String) throws -> PostgresStatement { try connection.ownStatement(sql) }

    // MARK: - Reading

    /// Returns the blob with a number if it is known without asking, `.some(nil)` if there is none.
    private func known(_ number: Int64) -> [UInt8]?? {
        collected[number].map(Optional.some) ?? prepared[number] ?? cached(key(number)).map { $0.first?.bytes }
    }

    func get(_ number: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        if let known = known(number) { return try known?.withUnsafeBytes(body) != nil }
        let statement = try statement("SELECT entries FROM \(table) WHERE id = ?")
        statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return false }
        keep(statement.blob(0), number)
        try body(statement.blob(0))
        return true
    }

    func get(
        _ range: Range<Int64>, isDescending: Bool, _ body: (_ number: Int64, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var range = range
        if let known = prepared.blobs(in: range) {
            guard try Self.pass(known.blobs, isDescending: isDescending, to: body) else { return }
            // Some ranges have only their last blob prepared.
            guard !known.isComplete, let last = known.blobs.last?.number, isDescending else { return }
            range = range.lowerBound..<last
        }
        if let known = cached(key(range)) {
            _ = try Self.pass(known, isDescending: isDescending, to: body)
            return
        }
        try write()
        let order = isDescending ? " DESC" : ""
        let statement = try statement(
            "SELECT id, entries FROM \(table) WHERE id >= ? AND id < ? ORDER BY id\(order)")
        statement.bind(range.lowerBound, at: 1)
        statement.bind(range.upperBound, at: 2)
        defer { statement.reset() }
        while try statement.step(), try body(statement.number(0), statement.blob(1)) {}
    }

    /// Calls `body` with each of `blobs`, which ascend. Returns `false` as soon as `body` does.
    private static func pass(
        _ blobs: [PreparedBlobs.Blob], isDescending: Bool,
        to body: (_ number: Int64, UnsafeRawBufferPointer) throws -> Bool
    ) rethrows -> Bool {
        for blob in isDescending ? blobs.reversed() : blobs {
            guard try blob.bytes.withUnsafeBytes({ try body(blob.number, $0) }) else { return false }
        }
        return true
    }

    func get(_ next: () throws -> Int64?, _ body: (UnsafeRawBufferPointer?) throws -> Bool) throws {
        try write()
        let statement = try statement("SELECT id, entries FROM \(table) WHERE id = ANY(?)")
        defer { statement.reset() }
        try PostgresStoreConnection.forEachBatch(of: Self.batches, next) { wanted in
            let known = wanted.map(known)
            let missing = zip(wanted, known).filter { $1 == nil }.map(\.0)
            let rows = missing.isEmpty ? [:] : try statement.rowNumbers(of: missing)
            for (number, blob) in zip(wanted, known) {
                if let row = rows[number] {
                    statement.move(to: row)
                    keep(statement.blob(1), number)
                    guard try body(statement.blob(1)) else { return false }
                } else {
                    guard try (blob ?? nil)?.withUnsafeBytes({ try body($0) }) ?? body(nil) else { return false }
                }
            }
            return true
        }
    }

    func prepareToRead(_ need: @autoclosure () -> BlobNeed) throws {
        try write()
        switch need() {
        case .numbers(let wanted):
            let statement = try statement("SELECT id, entries FROM \(table) WHERE id = ANY(?)")
            defer { statement.reset() }
            let rows = try statement.rowNumbers(of: wanted)
            for number in wanted {
                if let row = rows[number] { statement.move(to: row) }
                prepared[number] = .some(rows[number].map { _ in Array(statement.blob(1)) })
            }
        case .ranges(let ranges):
            try prepare(
                ranges, areComplete: true,
                """
                SELECT blob.id, entries, first FROM unnest(?::int8[], ?::int8[]) AS range (first, behind)
                JOIN LATERAL (SELECT id, entries FROM \(table) WHERE id >= first AND id < behind ORDER BY id) AS blob
                ON true
                """)
        case .last(let ranges):
            try prepare(
                ranges, areComplete: false,
                """
                SELECT blob.id, entries, first FROM unnest(?::int8[], ?::int8[]) AS range (first, behind)
                JOIN LATERAL (
                    SELECT id, entries FROM \(table) WHERE id >= first AND id < behind ORDER BY id DESC LIMIT 1
                ) AS blob ON true
                """)
        }
    }

    private func prepare(_ ranges: [Range<Int64>], areComplete: Bool, _ sql: String) throws {
        let ranges = areComplete ? ranges.filter { cached(key($0)) == nil } : ranges
        if ranges.isEmpty { return }
        let statement = try statement(sql)
        defer { statement.reset() }
        let (first, behind) = (PostgresArray.ofNumbers(), PostgresArray.ofNumbers())
        for range in ranges {
            first.append(range.lowerBound)
            behind.append(range.upperBound)
        }
        statement.bind(first, at: 1)
        statement.bind(behind, at: 2)
        prepared.add(ranges, areComplete: areComplete)
        while try statement.step() {
            prepared.append(statement.number(0), statement.blob(1), toRangeFrom: statement.number(2))
        }
        guard areComplete else { return }
        for range in ranges {
            guard let key = key(range), let known = prepared.blobs(in: range) else { continue }
            connection.cache?[key] = known.blobs
        }
    }

    // MARK: - Writing

    func put(_ bytes: UnsafeRawBufferPointer, at number: Int64) throws {
        let blob = Array(bytes)
        collectedBytes += blob.count - (collected.updateValue(blob, forKey: number)?.count ?? 0)
        prepared.replace(number, by: blob)
        if let lastNumber, number > lastNumber { self.lastNumber = number }
        if collectedBytes >= Self.maxCollectedBytes { try write() }
    }

    func add(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let number = try (lastNumber ?? connection.number("SELECT max(id) FROM \(table)")) + 1
        lastNumber = number
        try put(bytes, at: number)
        return number
    }

    func delete(_ range: Range<Int64>) throws {
        for number in collected.keys where range.contains(number) {
            collectedBytes -= collected.removeValue(forKey: number)?.count ?? 0
        }
        prepared.removeAll()
        let statement = try statement("DELETE FROM \(table) WHERE id >= ? AND id < ?")
        statement.bind(range.lowerBound, at: 1)
        statement.bind(range.upperBound, at: 2)
        try statement.run()
    }

    func write() throws {
        if collected.isEmpty { return }
        numbers.removeAll()
        entries.removeAll()
        for (number, blob) in collected.sorted(by: { $0.key < $1.key }) {
            numbers.append(number)
            blob.withUnsafeBytes { entries.append($0) }
        }
        collected.removeAll(keepingCapacity: true)
        collectedBytes = 0
        let statement = try statement(
            """
            INSERT INTO \(table) (id, entries) SELECT * FROM unnest(?::int8[], ?::bytea[])
            ON CONFLICT (id) DO UPDATE SET entries = excluded.entries
            """)
        statement.bind(numbers, at: 1)
        statement.bind(entries, at: 2)
        try statement.run()
        entries.removeAll()
    }
}
