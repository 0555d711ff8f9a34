import Base
import People

/// The handles of one directory, other than current logins of the source: those that Rollcall made, and all former
/// ones, which redirect. All are folded.
final class HandleTable {
    private let directory: Int64
    private let connection: any StoreConnection
    private var known = KnownRows<Row>()

    struct Row: PersonRow {
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
    }

    func row(_ handle: String) throws -> Row? {
        if let known = known.rows(handle) { return known.first }
        return try connection.first(
            "SELECT id, isCurrent FROM handle WHERE directory = ? AND handle = ?", directory, handle
        ) { Row(handle: handle, id: $0.number(0), isCurrent: $0.number(1) != 0) }
    }

    /// The condition for the current handle of a user: the directory twice, then the id.
    ///
    /// The inner query needs no column besides those of the index `handleByID`. For `directory = ? AND id = ?` with
    /// other columns, SQLite without statistics prefers the primary key, and reads all handles of the directory.
    static let isCurrentOfUser = """
        directory = ? AND isCurrent = 1 AND handle IN (SELECT handle FROM handle WHERE directory = ? AND id = ?)
        """

    /// Returns the handle that was made for a user and is in use, or `nil`.
    func current(of id: Int64) throws -> String? {
        if let known = known.rows(of: id) { return known.first(where: \.isCurrent)?.handle }
        return try connection.first(
            "SELECT handle FROM handle WHERE \(Self.isCurrentOfUser)", directory, directory, id
        ) { $0.text(0) }
    }

    /// Returns all handles of a user, in use or not.
    func all(of id: Int64) throws -> [String] {
        if let known = known.rows(of: id) { return known.map(\.handle).sorted() }
        return try connection.all("SELECT handle FROM handle WHERE directory = ? AND id = ?", directory, id) {
            $0.text(0)
        }
    }

    /// Makes `handle` the current one of a user, and the previous one a former handle.
    func setCurrent(_ handle: String, of id: Int64) throws {
        try endCurrent(of: id)
        try save(handle, of: id, isCurrent: true)
    }

    /// Makes the current handle of a user a former one.
    func endCurrent(of id: Int64) throws {
        if let rows = known.rows(of: id) {
            guard var current = rows.first(where: \.isCurrent) else { return }
            current.isCurrent = false
            known.noteSaved(current)
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
        known.noteSaved(Row(handle: handle, id: id, isCurrent: isCurrent))
    }

    /// Gives the person with these handles another id.
    func move(_ id: Int64, to new: Int64) throws {
        known.forget()
        known.noteRows(of: new)
        try connection.run("UPDATE handle SET id = ? WHERE directory = ? AND id = ?", new, directory, id)
    }

    func remove(_ id: Int64) throws {
        known.forget()
        try connection.run("DELETE FROM handle WHERE directory = ? AND id = ?", directory, id)
    }

    func remove(_ handle: String) throws {
        known.forget()
        try connection.run("DELETE FROM handle WHERE directory = ? AND handle = ?", directory, handle)
    }

    // MARK: - Preparing

    /// Forgets what was prepared: it belongs to one transaction. `isUnchanged` says whether the directory is as this
    /// writer's last one left it.
    func begin(isUnchanged: Bool) throws {
        let isAnyThere = "SELECT EXISTS (SELECT 1 FROM handle WHERE directory = ?)"
        try known.begin(isUnchanged: isUnchanged, isEmpty: try connection.number(isAnyThere, directory) == 0)
    }

    /// Reads the rows of `handles` together. Returns the ids of their people.
    func prepare(_ handles: Set<String>) throws -> [Int64] {
        known.forget()
        known.expect(handles)
        var ids: [Int64] = []
        try connection.forEachRow(
            ValueLookup(columns: "handle, id, isCurrent", table: "handle", directory: directory, key: "handle"),
            handles.map { .text(Array($0.utf8)) }
        ) { row in
            known.noteRead(byValue: Row(handle: row.text(0), id: row.number(1), isCurrent: row.number(2) != 0))
            ids.append(row.number(1))
        }
        return ids
    }

    /// Reads the handles of people together.
    func prepare(of ids: Set<Int64>) throws {
        known.expect(of: ids)
        try connection.forEachRow(
            ValueLookup(columns: "id, handle, isCurrent", table: "handle", directory: directory, key: "id"),
            ids.map { .number($0) }
        ) { known.noteRead(byPerson: Row(handle: $0.text(1), id: $0.number(0), isCurrent: $0.number(2) != 0)) }
    }

    /// Notes that a person is new and has no handle.
    func noteNew(_ id: Int64) { known.noteNew(id) }

    /// Returns the number of users whose handles were made.
    func currentCount() throws -> Int {
        Int(try connection.number("SELECT count(*) FROM handle WHERE directory = ? AND isCurrent = 1", directory))
    }
}
