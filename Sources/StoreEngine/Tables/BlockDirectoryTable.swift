import People
import Publishing
import Indexes

/// The block directories of a directory's sort indexes, as rows of `userBlockDirectory`: for each block of an order the
/// key it starts with, how many users it has, and the number of its blob in `userBlock`.
///
/// A server keeps these rows in memory (``SortIndexSnapshot``). It reads the table itself only while its copy is of
/// another generation.
struct BlockDirectoryTable {
    private let directory: Int64
    private let connection: any StoreConnection

    init(of directory: Int64, on connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    /// Returns the block directories of `orders`, which must be all orders of a directory with `total` users.
    func load(_ orders: [IndexedOrder], total: Int) throws -> [BlockDirectory] {
        var directories = orders.map { _ in BlockDirectory() }
        try connection.forEach(
            "SELECT sort, key, id, count, block FROM userBlockDirectory\(directory) ORDER BY sort, key, id"
        ) { rows in
            let number = rows.number(0)
            guard number >= 0, number < Int64(orders.count) else { return }
            let order = orders[Int(number)]
            let id = try rows.number(2, "the id that a block starts with", in: 0...(.max))
            let count = Int32(try rows.number(3, "the length of a block", in: 0...Int64(Int32.max)))
            directories[order.index].append(
                SortKey(value: rows.blob(1), id: id), rows.blob(1), kind: order.kind, count: count,
                number: rows.number(4))
        }
        guard directories.allSatisfy({ $0.isConsistent(total: total) }) else { throw StoreError.damagedOrder }
        return directories
    }
}

// MARK: - Blocks of an order

extension BlockDirectoryTable {
    /// Returns the number of the block that `key` belongs to, and where the block starts. The text of `key` is in
    /// `text`.
    func block(
        of key: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder
    ) throws -> (number: Int64, start: SeekKey) {
        let row = try connection.statement(
            """
            SELECT block, key, id FROM userBlockDirectory\(directory) WHERE sort = ?1 AND (key, id) <= (?2, ?3)
            ORDER BY key DESC, id DESC LIMIT 1
            """)
        return try bind(key, text, in: order, at: 1, to: row) {
            guard try row.step() else { throw StoreError.damagedOrder }
            return (row.number(0), SeekKey(value: row.blob(1), kind: order.kind, id: row.number(2)))
        }
    }

    /// Returns the number of users in the blocks before the one that starts with `start`.
    func count(before start: SeekKey, in order: IndexedOrder) throws -> Int {
        let sum = try connection.statement(
            "SELECT CAST(sum(count) AS bigint) FROM userBlockDirectory\(directory) WHERE sort = ? AND (key, id) < (?, ?)"
        )
        return try start.text.withUnsafeBytes { text in
            try bind(start.key, text, in: order, at: 1, to: sum) {
                try sum.step() ? try sum.count(0, "the length of an order") : 0
            }
        }
    }

    /// Returns the number of the block that has the user with `rank`, and the number of users before that one in the
    /// block.
    func block(ofRank rank: Int, in order: IndexedOrder) throws -> (number: Int64, offset: Int) {
        let rows = try connection.statement(
            "SELECT block, count FROM userBlockDirectory\(directory) WHERE sort = ? ORDER BY key, id")
        defer { rows.reset() }
        rows.bind(order.number, at: 1)
        var remaining = rank
        while try rows.step() {
            let count = try rows.count(1, "the length of a block")
            if remaining < count { return (rows.number(0), remaining) }
            remaining -= count
        }
        throw StoreError.damagedOrder
    }

    /// Calls `body` with a function that returns the numbers of the blocks of a scan, one by one, from the block that
    /// its start belongs to.
    func withBlocks<Result>(
        of scan: IndexScan, _ body: (_ next: () throws -> Int64?) throws -> Result
    ) throws -> Result {
        var first = scan.start
        if let seek = scan.start, !scan.isDescending {
            // An ascending scan starts with the block that starts before the key.
            first = try seek.text.withUnsafeBytes { try block(of: seek.key, $0, in: scan.order).start }
        }
        let rows = try connection.statement(Self.blocks(of: scan, in: directory))
        let next = { try rows.step() ? rows.number(0) : nil }
        guard let first else {
            rows.bind(scan.order.number, at: 1)
            defer { rows.reset() }
            return try body(next)
        }
        return try first.text.withUnsafeBytes { text in
            try bind(first.key, text, in: scan.order, at: 1, to: rows) { try body(next) }
        }
    }

    /// The statement that lists the blocks of a scan. Parameters: the order, and the key that the first block is at or
    /// after, or at or before for a descending scan.
    static func blocks(of scan: IndexScan, in directory: Int64) -> String {
        let condition = scan.start == nil ? "" : "AND (key, id) \(scan.isDescending ? "<=" : ">=") (?2, ?3)"
        let direction = scan.isDescending ? " DESC" : ""
        return """
            SELECT block FROM userBlockDirectory\(directory) WHERE sort = ?1 \(condition) ORDER BY key\(direction), id\(direction)
            """
    }
}

// MARK: - Changes

extension BlockDirectoryTable {
    /// Saves a change of an order's block directory. The texts of its keys are in `text`.
    func save(_ change: BlockDirectory.Change, _ text: UnsafeRawBufferPointer, in order: IndexedOrder) throws {
        switch change {
        case .insert(let start, let count, let number):
            let insert = try connection.statement(
                "INSERT INTO userBlockDirectory\(directory) (count, block, sort, key, id) VALUES (?, ?, ?, ?, ?)")
            insert.bind(Int64(count), at: 1)
            insert.bind(number, at: 2)
            try run(insert, start, text, in: order, at: 3)
        case .setCount(let count, let start):
            let update = try connection.statement(
                .updateRank(of: directory),
                "UPDATE userBlockDirectory\(directory) SET count = ? WHERE sort = ? AND key = ? AND id = ?")
            update.bind(Int64(count), at: 1)
            try run(update, start, text, in: order, at: 2)
        case .move(let start, let new):
            let update = try connection.statement(
                "UPDATE userBlockDirectory\(directory) SET key = ?4, id = ?5 WHERE sort = ?1 AND key = ?2 AND id = ?3")
            try new.withValue(order.kind, text) { value in
                update.bind(blob: value, at: 4)
                update.bind(new.id, at: 5)
                try run(update, start, text, in: order, at: 1)
            }
        case .delete(let start):
            let delete = try connection.statement(
                "DELETE FROM userBlockDirectory\(directory) WHERE sort = ? AND key = ? AND id = ?")
            try run(delete, start, text, in: order, at: 1)
        }
    }

    func insertFirstBlock(_ number: Int64, of order: IndexedOrder) throws {
        let first = order.isText ? SortKey(text: .empty, in: .empty, id: 0) : SortKey(number: .min, id: 0)
        try save(.insert(start: first, count: 0, number: number), .empty, in: order)
    }

    private func run(
        _ statement: any StoreStatement, _ key: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder,
        at index: Int32
    ) throws {
        try bind(key, text, in: order, at: index, to: statement) { try statement.run() }
    }

    /// Calls `body` after it has bound the order and a key to the parameters of `statement` from `index` on. Resets the
    /// statement.
    private func bind<Result>(
        _ key: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder, at index: Int32,
        to statement: any StoreStatement, _ body: () throws -> Result
    ) throws -> Result {
        try key.withValue(order.kind, text) { value in
            defer { statement.reset() }
            statement.bind(order.number, at: index)
            statement.bind(blob: value, at: index + 1)
            statement.bind(key.id, at: index + 2)
            return try body()
        }
    }
}

extension StoreConnection {
    package func sortIndexSnapshot(of id: Int64) throws -> SortIndexSnapshot? {
        try withSnapshot(of: id) { _ in
            let found = try first("SELECT \(StoredDirectory.columns) FROM directory WHERE id = ?", id) {
                try StoredDirectory($0)
            }
            return try found.map { directory in
                SortIndexSnapshot(
                    version: directory.generation,
                    try BlockDirectoryTable(of: id, on: self)
                        .load(IndexedOrder.all(directory.settings.shown), total: directory.total))
            }
        }
    }
}
