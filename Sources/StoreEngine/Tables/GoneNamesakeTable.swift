import People

/// The people who were not in an import that added somebody of the same name. Until the publisher has decided whether
/// the two are one, both stay.
struct GoneNamesakeTable {
    private let directory: Int64
    private let connection: any StoreConnection

    init(of directory: Int64, on connection: any StoreConnection) {
        (self.directory, self.connection) = (directory, connection)
    }

    func all() throws -> [(gone: Int64, new: Int64)] {
        try connection.all("SELECT id, other FROM goneNamesake WHERE directory = ? ORDER BY id", directory) {
            ($0.number(0), $0.number(1))
        }
    }

    func add(_ gone: Int64, new: Int64) throws {
        try connection.run(
            "INSERT INTO goneNamesake (directory, id, other) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", directory, gone,
            new)
    }

    func remove(_ gone: Int64) throws {
        try connection.run("DELETE FROM goneNamesake WHERE directory = ? AND id = ?", directory, gone)
    }
}
