import Bytes

/// The rows of one order's runs, as its writer changes them.
struct BlockStorage {
    let order: IndexedOrder
    let directory: Int64
    let connection: Connection

    /// Calls `body` with the bytes of a run.
    func read(_ row: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let statement = try connection.run(row, of: directory)
        defer { statement.reset() }
        try body(statement.blob(0))
    }

    func update(_ row: Int64, _ bytes: UnsafeRawBufferPointer) throws {
        let statement = try connection.statement(
            .updateRun, "UPDATE userRun\(directory) SET entries = ? WHERE id = ?")
        statement.bind(blob: bytes, at: 1)
        statement.bind(row, at: 2)
        try statement.run()
    }

    /// Answers the row that is new.
    func insert(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let statement = try connection.statement("INSERT INTO userRun\(directory) (entries) VALUES (?)")
        statement.bind(blob: bytes, at: 1)
        try statement.run()
        return connection.lastRow
    }

    func insert(_ start: SortKey, _ text: [UInt8], count: Int, row: Int64) throws {
        let statement = try connection.statement(
            "INSERT INTO userRank\(directory) (count, run, sort, key, id) VALUES (?, ?, ?, ?, ?)")
        statement.bind(Int64(count), at: 1)
        statement.bind(row, at: 2)
        try run(statement, start, text, at: 3)
    }

    func update(count: Int, _ start: SortKey, _ text: [UInt8]) throws {
        let statement = try connection.statement(
            .updateRank, "UPDATE userRank\(directory) SET count = ? WHERE sort = ? AND key = ? AND id = ?")
        statement.bind(Int64(count), at: 1)
        try run(statement, start, text, at: 2)
    }

    func move(_ start: SortKey, to other: SortKey, _ text: [UInt8]) throws {
        let statement = try connection.statement(
            "UPDATE userRank\(directory) SET key = ?4, id = ?5 WHERE sort = ?1 AND key = ?2 AND id = ?3")
        statement.bind(other.id, at: 5)
        try text.withUnsafeBytes { bytes in
            if order.isText { statement.bind(bytes[other.text], at: 4) } else { statement.bind(other.number, at: 4) }
            try run(statement, start, text, at: 1)
        }
    }

    /// Deletes a run and where it began.
    func delete(_ row: Int64, _ start: SortKey, _ text: [UInt8]) throws {
        let run = try connection.statement("DELETE FROM userRun\(directory) WHERE id = ?")
        run.bind(row, at: 1)
        try run.run()
        let rank = try connection.statement("DELETE FROM userRank\(directory) WHERE sort = ? AND key = ? AND id = ?")
        try self.run(rank, start, text, at: 1)
    }

    /// Runs `statement` with the order and a start from `index` on.
    private func run(_ statement: Statement, _ start: SortKey, _ text: [UInt8], at index: Int32) throws {
        statement.bind(order.rawValue, at: index)
        statement.bind(start.id, at: index + 2)
        try text.withUnsafeBytes { text in
            if order.isText {
                statement.bind(text[start.text], at: index + 1)
            } else {
                statement.bind(start.number, at: index + 1)
            }
            try statement.run()
        }
    }
}

extension Connection {
    /// The statement that stands on the bytes of a run; to be reset.
    func run(_ row: Int64, of directory: Int64) throws -> Statement {
        let statement = try statement(.run(of: directory), "SELECT entries FROM userRun\(directory) WHERE id = ?")
        statement.bind(row, at: 1)
        guard try statement.step() else {
            statement.reset()
            throw BlockDecoder.damage
        }
        return statement
    }
}
