import Base
import People

/// The people that recent transactions added to a directory, so that open pages can offer new people.
///
/// A row has the generation that a transaction made, and the ids that it added. A row without ids says only that up to
/// its generation nobody knows who was added. There is at most one such row, the oldest.
struct AdditionTable {
    /// A transaction that adds more people has no ids: those who look at the directory get the change of its total.
    static let maxIDs = 10_000
    /// With more rows or ids, the older half of them is dropped.
    static let maxRows = 1000
    static let maxTotal = 20_000

    private let directory: Int64
    private let connection: any StoreConnection

    init(of directory: Int64, on connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    /// Notes the people that the transaction which made `generation` has added.
    func note(_ ids: [Int64], at generation: Int64) throws {
        if ids.isEmpty { return }
        guard ids.count <= Self.maxIDs else { return try forget(upTo: generation) }
        let insert = try connection.statement(
            "INSERT INTO addition (directory, generation, count, ids) VALUES (?, ?, ?, ?)")
        defer { insert.reset() }
        insert.bind(directory, at: 1)
        insert.bind(generation, at: 2)
        insert.bind(Int64(ids.count), at: 3)
        let bytes = Self.encode(ids)
        try bytes.withUnsafeBytes { bytes in
            insert.bind(blob: bytes, at: 4)
            try insert.run()
        }
        try shorten()
    }

    /// Drops all rows up to `generation`, and notes that they are missing.
    func forget(upTo generation: Int64) throws {
        try run("DELETE FROM addition WHERE directory = ? AND generation <= ?", generation)
        try run("INSERT INTO addition (directory, generation, count) VALUES (?, ?, 0)", generation)
    }

    /// Calls `body` with the generation and the ids of each transaction after `start`, the newest one first, until it
    /// has been called with `nil` for unknown ids.
    func forEach(after start: Int64 = 0, _ body: (_ generation: Int64, _ ids: [Int64]?) throws -> Void) throws {
        let rows = try connection.statement(
            "SELECT generation, ids FROM addition WHERE directory = ? AND generation > ? ORDER BY generation DESC")
        defer { rows.reset() }
        rows.bind(directory, at: 1)
        rows.bind(start, at: 2)
        while try rows.step() {
            if rows.isNull(1) { return try body(rows.number(0), nil) }
            guard let ids = Self.decode(rows.blob(1)) else {
                throw StoreError.damage("its list of additions is broken")
            }
            try body(rows.number(0), ids)
        }
    }

    private func shorten() throws {
        let sizes = try connection.statement(
            "SELECT count(*), CAST(sum(count) AS bigint) FROM addition WHERE directory = ?")
        sizes.bind(directory, at: 1)
        let isLong = try {
            defer { sizes.reset() }
            return try sizes.step() && (sizes.number(0) > Self.maxRows || sizes.number(1) > Self.maxTotal)
        }()
        guard isLong else { return }
        var (rows, total) = (0, 0)
        let counts = try connection.statement(
            "SELECT generation, count FROM addition WHERE directory = ? ORDER BY generation DESC")
        counts.bind(directory, at: 1)
        let last = try {
            defer { counts.reset() }
            while try counts.step() {
                rows += 1
                total += Int(counts.number(1))
                if rows > Self.maxRows / 2 || total > Self.maxTotal / 2 { return counts.number(0) }
            }
            return 0
        }()
        try forget(upTo: last)
    }

    private func run(_ sql: String, _ generation: Int64) throws {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        statement.bind(directory, at: 1)
        statement.bind(generation, at: 2)
        try statement.run()
    }

    /// Ascending ids as varints of their differences.
    private static func encode(_ ids: [Int64]) -> [UInt8] {
        let buffer = ByteBuffer(capacity: ids.count * 2)
        var last: Int64 = 0
        for id in ids.sorted() {
            buffer.append(varint: UInt64(bitPattern: id &- last))
            last = id
        }
        return Array(buffer.bytes)
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) -> [Int64]? {
        var (ids, last, index): ([Int64], Int64, Int) = ([], 0, 0)
        while index < bytes.count {
            guard let difference = bytes.varint(at: &index) else { return nil }
            last &+= Int64(bitPattern: difference)
            ids.append(last)
        }
        return ids
    }
}
