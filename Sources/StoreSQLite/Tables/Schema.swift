import StoreEngine

/// The tables in the file: ``Table`` describes them.
///
/// `directory` has a row for each directory, and each directory has tables of its own whose names end in its id. So the
/// order by id is the order of the table, and a directory is removed by dropping its tables.
enum Schema {
    /// "Roll": distinguishes the file from databases of other programs.
    static let applicationID: Int64 = 0x526F_6C6C

    /// Creates the tables of a new database, unless they exist.
    static func create(on connection: SQLiteConnection) throws {
        try connection.transaction {
            if try connection.hasTables { return }
            try connection.execute(creation)
        }
    }

    private static let creation = """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(TableFormat.current);
        -- One row. The instance distinguishes this database's generations from those of any other.
        CREATE TABLE database (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            instance TEXT NOT NULL CHECK (instance <> ''),
            generation INTEGER NOT NULL CHECK (generation >= 0),
            -- Secrets for hashes: of forgotten people, of values that identify people, of pictures.
            forgettingKey BLOB NOT NULL,
            identityKey BLOB NOT NULL,
            pictureKey BLOB NOT NULL
        ) STRICT;
        INSERT INTO database
        VALUES (1, lower(hex(randomblob(8))), 0, randomblob(16), randomblob(16), randomblob(16));
        \(([.directory] + Table.ofDatabase).map { $0.creation(in: dialect) }.joined())
        """

    /// Numbers of directories are never used again.
    static let dialect = Table.Dialect(
        types: [.number: "INTEGER", .text: "TEXT", .blob: "BLOB", .blockKey: "ANY"], numbering: "AUTOINCREMENT"
    ) { $0.hasNumberAsKey ? " STRICT" : " WITHOUT ROWID, STRICT" }
}
