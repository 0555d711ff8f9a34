import People

/// The people whom an import has lost while it added somebody of the same name. Until the publisher has decided whether
/// the two are one, both stay.
struct GoneNamesakeTable {
    private let directory: Int64
    private let connection: any StoreConnection

    init(of directory: Int64, on connection: any StoreConnection) {
        (self.directory, self.connection) = (directory, connection)
    }

    func all() throws -> [(gone: Int64, new: Int64)] {
        let rows = try connection.statement("SELECT id, other FROM goneNamesake WHERE directory = ? ORDER BY id")
        rows.bind(directory, at: 1)
        defer { rows.reset() }
        var people: [(Int64, Int64)] = []
        while try rows.step() { people.append((rows.number(0), rows.number(1))) }
        return people
    }

    func add(_ gone: Int64, new: Int64) throws {
        let insert = try connection.statement(
            "INSERT INTO goneNamesake (directory, id, other) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
        insert.bind(directory, at: 1)
        insert.bind(gone, at: 2)
        insert.bind(new, at: 3)
        try insert.run()
    }

    func remove(_ gone: Int64) throws {
        let delete = try connection.statement("DELETE FROM goneNamesake WHERE directory = ? AND id = ?")
        delete.bind(directory, at: 1)
        delete.bind(gone, at: 2)
        try delete.run()
    }
}
