import Base
import People

/// The handles of one directory, other than current logins of the source: those that Rollcall made, and all former
/// ones, which redirect. All are folded.
final class HandleTable {
    private let directory: Int64
    private let connection: any StoreConnection
    /// The values that were read for a batch: the rows of handles, and whether each handle of a person is in use.
    private var known = Known()
    /// A person who is new and has no handle yet.
    private var newest: Int64?
    private var absence = AbsenceFilter()

    private struct Known {
        var rows: [String: Row?] = [:]
        var handles: [Int64: [String: Bool]] = [:]
    }

    struct Row {
        var id: Int64
        var isCurrent: Bool
    }

    init(of directory: Int64, on connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    func row(_ handle: String) throws -> Row? {
        if let row = known.rows[handle] { return row }
        if absence.rulesOut(Self.hash(handle)) { return nil }
        return try connection.first(
            "SELECT id, isCurrent FROM handle WHERE directory = ? AND handle = ?", directory, handle
        ) { Row(id: $0.number(0), isCurrent: $0.number(1) != 0) }
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
        if id == newest { return nil }
        if let handles = known.handles[id] { return handles.first { $0.value }?.key }
        return try connection.first(
            "SELECT handle FROM handle WHERE \(Self.isCurrentOfUser)", directory, directory, id
        ) { $0.text(0) }
    }

    /// Returns all handles of a user, in use or not.
    func all(of id: Int64) throws -> [String] {
        if id == newest { return [] }
        if let handles = known.handles[id] { return handles.keys.sorted() }
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
        if id == newest { return }
        if let current = known.handles[id].map({ $0.first { $0.value }?.key }) {
            guard let current else { return }
            known.handles[id]?[current] = false
            known.rows[current] = nil
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
        if id == newest { newest = nil }
        absence.insert(Self.hash(handle))
        if let owner = (known.rows[handle] ?? nil)?.id { known.handles[owner]?[handle] = nil }
        if known.rows[handle] != nil { known.rows[handle] = .some(Row(id: id, isCurrent: isCurrent)) }
        known.handles[id]?[handle] = isCurrent
    }

    /// Gives the person with these handles another id.
    func move(_ id: Int64, to new: Int64) throws {
        known = Known()
        if new == newest { newest = nil }
        try connection.run("UPDATE handle SET id = ? WHERE directory = ? AND id = ?", new, directory, id)
    }

    func remove(_ id: Int64) throws {
        known = Known()
        try connection.run("DELETE FROM handle WHERE directory = ? AND id = ?", directory, id)
    }

    func remove(_ handle: String) throws {
        known = Known()
        try connection.run("DELETE FROM handle WHERE directory = ? AND handle = ?", directory, handle)
    }

    // MARK: - Preparing

    /// Forgets what was prepared: it belongs to one transaction. `isUnchanged` says whether the directory is as this
    /// writer's last one left it.
    func begin(isUnchanged: Bool) throws {
        known = Known()
        newest = nil
        let isAnyThere = "SELECT EXISTS (SELECT 1 FROM handle WHERE directory = ?)"
        try absence.begin(isUnchanged: isUnchanged, isEmpty: try connection.number(isAnyThere, directory) == 0)
    }

    private static func hash(_ handle: String) -> UInt64 {
        var handle = handle
        return handle.withUTF8 { SipHash.hash(UnsafeRawBufferPointer($0), key: (3, 3)) }
    }

    /// Reads the rows of `handles` together. Returns the ids of their people.
    func prepare(_ handles: Set<String>) throws -> [Int64] {
        known = Known()
        for handle in handles { known.rows[handle] = .some(nil) }
        var ids: [Int64] = []
        try connection.forEachRow(
            ValueLookup(columns: "handle, id, isCurrent", table: "handle", directory: directory, key: "handle"),
            handles.map { .text(Array($0.utf8)) }
        ) { row in
            known.rows[row.text(0)] = .some(Row(id: row.number(1), isCurrent: row.number(2) != 0))
            ids.append(row.number(1))
        }
        return ids
    }

    /// Reads the handles of people together.
    func prepare(of ids: Set<Int64>) throws {
        for id in ids { known.handles[id] = [:] }
        try connection.forEachRow(
            ValueLookup(columns: "id, handle, isCurrent", table: "handle", directory: directory, key: "id"),
            ids.map { .number($0) }
        ) { row in known.handles[row.number(0)]?[row.text(1)] = row.number(2) != 0 }
    }

    /// Notes that a person is new and has no handle.
    func noteNew(_ id: Int64) { newest = id }

    /// Returns the number of users whose handles were made.
    func currentCount() throws -> Int {
        Int(try connection.number("SELECT count(*) FROM handle WHERE directory = ? AND isCurrent = 1", directory))
    }
}
