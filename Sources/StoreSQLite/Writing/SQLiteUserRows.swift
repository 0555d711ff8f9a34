import Base
import StoreEngine

/// Rows whose ids come after all others, as in the first import of a directory, are collected and written many at a
/// time: SQLite takes a third of its time for a statement, and not for the row.
final class SQLiteUserRows: UserRowStorage {
    let directory: Int64
    private let connection: SQLiteConnection
    /// Whether the ids of the batch come after all others, so that no row has one of them.
    private var appends = false
    private var newUsers: [(user: SavedUser, filters: ByteSlice)] = []
    private var newTexts: [(id: Int64, text: ByteSlice)] = []
    private let kept = ByteBuffer(capacity: 1 << 13)

    /// More would gain little.
    private static let rowsAtOnce = 32

    init(of directory: Int64, on connection: SQLiteConnection) {
        self.directory = directory
        self.connection = connection
    }

    func prepare(_ ids: [Int64]) throws {
        let last = try connection.number("SELECT max(id) FROM user\(directory)")
        appends = last < ids.first ?? 0 && zip(ids, ids.dropFirst()).allSatisfy(<)
    }

    func finish() throws {
        try write()
        appends = false
    }

    func discard() {
        newUsers.removeAll(keepingCapacity: true)
        newTexts.removeAll(keepingCapacity: true)
        kept.removeAll()
        appends = false
    }

    // MARK: - Inserting

    func insert(_ user: SavedUser) throws -> Bool {
        if appends {
            newUsers.append((user, kept.keep(user.filters)))
            return true
        }
        let insert = try userInsertion(rows: 1)
        insert.bind(new: user, row: 0)
        try insert.run()
        return connection.changes == 1
    }

    func insert(text: UnsafeRawBufferPointer, of id: Int64) throws {
        if appends {
            newTexts.append((id, kept.keep(text)))
            if newTexts.count == Self.rowsAtOnce { try write() }
            return
        }
        let insert = try textInsertion(rows: 1)
        insert.bind(text: text, of: id, row: 0)
        try insert.run()
    }

    private func write() throws {
        defer {
            newUsers.removeAll(keepingCapacity: true)
            newTexts.removeAll(keepingCapacity: true)
            kept.removeAll()
        }
        let bytes = kept.bytes
        try run(newUsers.count, userInsertion) { insert, index, row in
            var (user, filters) = newUsers[index]
            user.filters = bytes[filters]
            insert.bind(new: user, row: row)
        }
        try run(newTexts.count, textInsertion) { insert, index, row in
            insert.bind(text: bytes[newTexts[index].text], of: newTexts[index].id, row: row)
        }
    }

    /// Inserts `count` rows: as many as possible at once, and each that is left by itself.
    private func run(
        _ count: Int, _ insertion: (_ rows: Int) throws -> any StoreStatement,
        _ bind: (_ insert: any StoreStatement, _ index: Int, _ row: Int) -> Void
    ) throws {
        var next = 0
        while next < count {
            let rows = count - next >= Self.rowsAtOnce ? Self.rowsAtOnce : 1
            let insert = try insertion(rows)
            for row in 0..<rows { bind(insert, next + row, row) }
            try insert.run()
            next += rows
        }
    }

    private func userInsertion(rows: Int) throws -> any StoreStatement {
        // OR IGNORE would also skip rows that violate a constraint.
        try connection.statement(
            .insertUsers(rows: rows, of: directory),
            """
            INSERT INTO user\(directory) (\(SavedUser.newColumnNames), hasOwnPicture, changedAt)
            VALUES \(Self.list("(\(SavedUser.newParameters), 0, 0)", rows)) ON CONFLICT (id) DO NOTHING
            """)
    }

    private func textInsertion(rows: Int) throws -> any StoreStatement {
        try connection.statement(
            .insertTexts(rows: rows, of: directory),
            "INSERT INTO userText\(directory) (content, id) VALUES \(Self.list("(?, ?)", rows))")
    }

    private static func list(_ row: String, _ count: Int) -> String {
        Array(repeating: row, count: count).joined(separator: ", ")
    }

    func statement(
        _ operation: StatementName.RowOperation, _ rows: KeyedRows, _ id: Int64, _ sql: @autoclosure () -> String
    ) throws -> any StoreStatement {
        if !newUsers.isEmpty { try write() }
        return try connection.statement(.row(rows, operation, of: directory), sql())
    }
}

extension StoreStatement {
    fileprivate func bind(text: UnsafeRawBufferPointer, of id: Int64, row: Int) {
        bind(blob: text, at: Int32(row) * 2 + 1)
        bind(id, at: Int32(row) * 2 + 2)
    }
}
