import Indexes

/// A row of a table that says which values are whose. Its table has the columns `directory` and `id`.
protocol PersonRow {
    associatedtype Value: Hashable, Bindable
    static var table: String { get }
    static var columns: String { get }
    static var key: String { get }

    /// The current row of `statement`, which has the ``columns``.
    init(_ statement: any StoreRow)

    /// The value by which the row is looked up.
    var value: Value { get }
    var id: Int64 { get }
    /// Whether `other` is the same row of the table, maybe of somebody else.
    func isSame(as other: Self) -> Bool
    static func hash(_ value: Value) -> UInt64
}

/// The rows of one directory in such a table, and what is known of them without asking: those that were read for a
/// batch, that a new person has none, and which values cannot be there.
struct PersonRows<Row: PersonRow> {
    private let directory: Int64
    private let connection: any StoreConnection
    private let selection: String
    private var byValue: [Row.Value: [Row]] = [:]
    private var byPerson: [Int64: [Row]] = [:]
    /// A person who is new and has no row yet.
    private var newest: Int64?
    /// The values that the table has got since it had no rows: an import that fills a new directory looks for no value
    /// that cannot be there. `nil` if the table may have had rows before this writer's first one.
    private var present: BloomFilter?

    /// 4 MiB, two bits a value: of a million values that are not there, 3,500 are looked up.
    private static var filterBits: UInt64 { 25 }

    init(of directory: Int64, on connection: any StoreConnection) {
        (self.directory, self.connection) = (directory, connection)
        selection = "SELECT \(Row.columns) FROM \(Row.table) WHERE directory = ? AND \(Row.key) = ?"
    }

    /// Begins a transaction: the rows that were read belong to the one before.
    mutating func begin() {
        forget()
        newest = nil
    }

    /// Notes that others may have changed the table.
    mutating func noteChanges() throws { present = try isEmpty() ? BloomFilter(bits: Self.filterBits) : nil }

    func isEmpty() throws -> Bool {
        try connection.number("SELECT EXISTS (SELECT 1 FROM \(Row.table) WHERE directory = ?)", directory) == 0
    }

    mutating func forget() { (byValue, byPerson) = ([:], [:]) }

    func rows(_ value: Row.Value) throws -> [Row] {
        if let known = byValue[value] { return known }
        if present?.mayContain(hash: Row.hash(value)) == false { return [] }
        return try connection.all(selection, directory, value) { Row($0) }
    }

    /// Returns the rows of a person; `nil` if they are not known.
    func known(of id: Int64) -> [Row]? { id == newest ? [] : byPerson[id] }

    // MARK: - Preparing

    /// Reads the rows with `values` together. Returns the ids of their people.
    mutating func prepare(_ values: Set<Row.Value>) throws -> [Int64] {
        forget()
        for value in values { byValue[value] = [] }
        var ids: [Int64] = []
        for row in try rows(with: Array(values), in: Row.key) {
            byValue[row.value]?.append(row)
            ids.append(row.id)
        }
        return ids
    }

    mutating func prepare(of ids: Set<Int64>) throws {
        for id in ids { byPerson[id] = [] }
        for row in try rows(with: Array(ids), in: "id") { byPerson[row.id]?.append(row) }
    }

    private func rows(with values: [some Bindable], in key: String) throws -> [Row] {
        var rows: [Row] = []
        // Always the same number of parameters, so that there is one statement to prepare.
        let count = 256
        let sql = connection.selection(of: Row.columns, from: Row.table, in: directory, by: key, count: count)
        for start in stride(from: 0, to: values.count, by: count) {
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            for index in 0..<count {
                // The last value fills the rest.
                values[min(start + index, values.count - 1)].bind(to: statement, at: Int32(index + 1))
            }
            while try statement.step() { rows.append(Row(statement)) }
        }
        return rows
    }

    mutating func noteNew(_ id: Int64) { newest = id }

    // MARK: - Changes

    /// Notes a row that was saved, in place of the same row of somebody else.
    mutating func noteSaved(_ row: Row) {
        noteRows(of: row.id)
        present?.insert(hash: Row.hash(row.value))
        noteRemoved(row)
        byValue[row.value]?.append(row)
        byPerson[row.id]?.append(row)
    }

    private mutating func noteRows(of id: Int64) { if id == newest { newest = nil } }

    mutating func noteRemoved(_ row: Row) {
        for other in byValue[row.value]?.filter(row.isSame) ?? [] { byPerson[other.id]?.removeAll(where: row.isSame) }
        byPerson[row.id]?.removeAll(where: row.isSame)
        byValue[row.value]?.removeAll(where: row.isSame)
    }

    mutating func move(_ id: Int64, to new: Int64) throws {
        forget()
        noteRows(of: new)
        try connection.run("UPDATE \(Row.table) SET id = ? WHERE directory = ? AND id = ?", new, directory, id)
    }

    mutating func remove(of id: Int64) throws {
        if let known = byPerson[id] { known.forEach { noteRemoved($0) } } else { forget() }
        try connection.run("DELETE FROM \(Row.table) WHERE directory = ? AND id = ?", directory, id)
    }
}
