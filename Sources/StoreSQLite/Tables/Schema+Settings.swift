import Directories
import GRDB
import StoreEngine

extension Schema {
    /// Adds settings of directories, identities of people without ids, handles, and filters and orders by any field.
    static func addSettings(_ db: Database) throws {
        try db.execute(
            sql: """
                -- The secret under which values that identify people are hashed.
                ALTER TABLE database ADD COLUMN identityKey BLOB NOT NULL DEFAULT x'';
                UPDATE database SET identityKey = randomblob(16);
                -- The publisher's settings and the inferred ones, as JSON; empty without any.
                ALTER TABLE directory ADD COLUMN settings TEXT NOT NULL DEFAULT '';
                -- The form of searched texts, see SearchedText.form; empty for that of the first versions. A directory
                -- with another form than this version's is rebuilt after the migration.
                ALTER TABLE directory ADD COLUMN textForm TEXT NOT NULL DEFAULT '';
                -- The rules by which the keys of orders by text were made: see CollationStamp. Empty without keys.
                ALTER TABLE directory ADD COLUMN collation TEXT NOT NULL DEFAULT '';
                -- A later migration adds this column to databases that already have the others.
                ALTER TABLE directory ADD COLUMN \(formerSlugs);
                CREATE TABLE logo (
                    directory INTEGER PRIMARY KEY REFERENCES directory (id) ON DELETE CASCADE,
                    name TEXT NOT NULL,
                    type TEXT NOT NULL,
                    bytes BLOB NOT NULL
                ) STRICT;
                -- The people that the source gives no id: see IdentityTable.
                CREATE TABLE identity (
                    directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
                    hash BLOB NOT NULL CHECK (length(hash) = 16),
                    id INTEGER NOT NULL CHECK (id > 0),
                    PRIMARY KEY (directory, hash)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX identityByID ON identity (directory, id);
                -- Generated handles, and former handles and logins: see HandleTable.
                CREATE TABLE handle (
                    directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
                    handle TEXT NOT NULL CHECK (handle <> ''),
                    id INTEGER NOT NULL CHECK (id > 0),
                    isCurrent INTEGER NOT NULL,
                    PRIMARY KEY (directory, handle)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX handleByID ON handle (directory, id);
                """)
        for directory in try Int64.fetchAll(db, sql: "SELECT id FROM directory") {
            try addColumns(directory, in: db)
            guard let handle = db.sqliteConnection else { return }
            let connection = Connection(borrowing: handle)
            try EarlierPeople(of: directory, on: connection) { try SQLiteStore.nextGeneration(on: connection) }
                .migrate()
        }
    }

    /// The slugs that a directory had before, with spaces between them.
    private static let formerSlugs = "formerSlugs TEXT NOT NULL DEFAULT ''"

    static func addFormerSlugs(_ db: Database) throws {
        if try db.columns(in: "directory").contains(where: { $0.name == "formerSlugs" }) { return }
        try db.execute(sql: "ALTER TABLE directory ADD COLUMN \(formerSlugs)")
    }

    private static func addColumns(_ directory: Int64, in db: Database) throws {
        for column in laterUserColumns {
            try db.execute(sql: "ALTER TABLE user\(directory) ADD COLUMN \(column)")
        }
        for column in textColumns {
            try db.execute(sql: "ALTER TABLE userText\(directory) ADD COLUMN \(column)")
        }
        try db.execute(sql: "CREATE TABLE userHidden\(directory) (\(userColumns)) STRICT")
        let convert = DatabaseFunction("filtersOfFacets", argumentCount: 1, pure: true) { values in
            Int64.fromDatabaseValue(values[0]).map { FilterValues(facets: $0).data }
        }
        db.add(function: convert)
        defer { db.remove(function: convert) }
        try db.execute(
            sql: """
                UPDATE user\(directory) SET filters = filtersOfFacets(facets) WHERE facets <> 0;
                ALTER TABLE user\(directory) DROP COLUMN facets
                """)
    }
}
