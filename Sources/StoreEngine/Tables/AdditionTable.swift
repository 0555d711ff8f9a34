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

    func note(_ ids: [Int64], at generation: Int64) throws {
        if ids.isEmpty { return }
        guard ids.count <= Self.maxIDs else { return try forget(upTo: generation) }
        try Self.encode(ids).withUnsafeBytes { bytes in
            try connection.run(
                "INSERT INTO addition (directory, generation, count, ids) VALUES (?, ?, ?, ?)", directory, generation,
                Int64(ids.count), SQLValue.blob(bytes))
        }
        try shorten()
    }

    /// Drops all rows up to `generation`, and notes that they are missing.
    func forget(upTo generation: Int64) throws {
        try connection.run("DELETE FROM addition WHERE directory = ? AND generation <= ?", directory, generation)
        try connection.run(
            "INSERT INTO addition (directory, generation, count) VALUES (?, ?, 0)", directory, generation)
    }

    /// Calls `body` with the generation and the ids of each transaction after `start`, the newest one first, and at
    /// last, if some are not known, with `nil`.
    func forEach(after start: Int64 = 0, _ body: (_ generation: Int64, _ ids: [Int64]?) throws -> Void) throws {
        try connection.forEach(
            "SELECT generation, ids FROM addition WHERE directory = ? AND generation > ? ORDER BY generation DESC",
            directory, start
        ) { row in
            if row.isNull(1) { return try body(row.number(0), nil) }
            guard let ids = Self.decode(row.blob(1)) else {
                throw StoreError.damage("its list of additions is broken")
            }
            try body(row.number(0), ids)
        }
    }

    private func shorten() throws {
        let rows = try connection.all(
            "SELECT generation, count FROM addition WHERE directory = ? ORDER BY generation DESC", directory
        ) { (generation: $0.number(0), count: try $0.count(1, "a number of additions")) }
        guard rows.count > Self.maxRows || rows.reduce(0, { $0 + $1.count }) > Self.maxTotal else { return }
        var total = 0
        let last = rows.enumerated().first { index, row in
            total += row.count
            return index >= Self.maxRows / 2 || total > Self.maxTotal / 2
        }
        try forget(upTo: last?.element.generation ?? 0)
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
