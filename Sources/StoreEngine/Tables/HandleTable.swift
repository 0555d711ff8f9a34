import Base
import People

/// The handles of one directory, other than current logins of the source: those that Rollcall made, and all former
/// ones, which redirect. All are folded.
final class HandleTable {
    private let directory: Int64
    private let connection: any StoreConnection
    var rows: PersonRows<Row>

    struct Row: PersonRow {
        static let table = "handle"
        static let columns = "handle, id, isCurrent"
        static let key = "handle"

        var handle: String
        var id: Int64
        var isCurrent: Bool

        var value: String { handle }
        func isSame(as other: Row) -> Bool { handle == other.handle }

        static func hash(_ handle: String) -> UInt64 {
            handle.withBytes { SipHash.hash($0, key: (3, 3)) }
        }
    }

    init(of directory: Int64, on connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
        rows = PersonRows(of: directory, on: connection)
    }

    func row(_ handle: String) throws -> Row? { try rows.rows(handle).first }

    /// The condition for the current handle of a user: the directory twice, then the id.
    ///
    /// The inner query needs no column besides those of the index `handleByID`. For `directory = ? AND id = ?` with
    /// other columns, SQLite without statistics prefers the primary key, and reads all handles of the directory.
    static let isCurrentOfUser = """
        directory = ? AND isCurrent = 1 AND handle IN (SELECT handle FROM handle WHERE directory = ? AND id = ?)
        """

    /// Returns the handle that was made for a user and is in use, or `nil`.
    func current(of id: Int64) throws -> String? {
        if let known = rows.known(of: id) { return known.first(where: \.isCurrent)?.handle }
        return try connection.first(
            "SELECT handle FROM handle WHERE \(Self.isCurrentOfUser)", directory, directory, id
        ) { $0.text(0) }
    }

    func all(of id: Int64) throws -> [String] {
        if let known = rows.known(of: id) { return known.map(\.handle).sorted() }
        return try connection.all("SELECT handle FROM handle WHERE directory = ? AND id = ?", directory, id) {
            $0.text(0)
        }
    }

    func setCurrent(_ handle: String, of id: Int64) throws {
        try endCurrent(of: id)
        try save(handle, of: id, isCurrent: true)
    }

    func endCurrent(of id: Int64) throws {
        if let known = rows.known(of: id) {
            guard var current = known.first(where: \.isCurrent) else { return }
            current.isCurrent = false
            rows.noteSaved(current)
        }
        try connection.run(
            "UPDATE handle SET isCurrent = 0 WHERE \(Self.isCurrentOfUser)", directory, directory, id)
    }

    /// Notes a former handle of a user, unless it belongs to another user.
    func saveFormer(_ handle: String, of id: Int64) throws {
        if let row = try row(handle), row.isCurrent || row.id == id { return }
        try save(handle, of: id, isCurrent: false)
    }

    private func save(_ handle: String, of id: Int64, isCurrent: Bool) throws {
        try connection.run(
            """
            INSERT INTO handle (directory, handle, id, isCurrent) VALUES (?, ?, ?, ?)
            ON CONFLICT (directory, handle) DO UPDATE SET id = excluded.id, isCurrent = excluded.isCurrent
            """, directory, handle, id, isCurrent)
        rows.noteSaved(Row(handle: handle, id: id, isCurrent: isCurrent))
    }

    func remove(_ handle: String) throws {
        rows.forget()
        try connection.run("DELETE FROM handle WHERE directory = ? AND handle = ?", directory, handle)
    }

    func currentCount() throws -> Int {
        Int(try connection.number("SELECT count(*) FROM handle WHERE directory = ? AND isCurrent = 1", directory))
    }
}

extension HandleTable.Row {
    init(_ statement: any StoreRow) {
        self.init(handle: statement.text(0), id: statement.number(1), isCurrent: statement.number(2) != 0)
    }
}
