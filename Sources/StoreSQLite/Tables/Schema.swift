import Directories
import Foundation
import GRDB
import SortIndex
import StoreEngine

/// The tables of the database and their migrations.
///
/// `directory` has a row for each directory, and each directory has tables of its own whose names end in its id. So the
/// order by id is the order of the table, and a directory is removed by dropping its tables.
enum Schema {
    /// "Roll": distinguishes the file from databases of other programs.
    static let applicationID: Int32 = 0x526F_6C6C

    /// The migration of databases from before the first release, whose orders were B-tree indexes.
    static let unreleasedMigration = "createDirectory"

    /// The migration that hides columns that earlier versions published.
    static let settingsMigration = "addSettings"

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("createDatabase") { db in
            try db.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);
                    -- One row. The instance distinguishes this database's generations from those of any other.
                    CREATE TABLE database (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        instance TEXT NOT NULL CHECK (instance <> ''),
                        generation INTEGER NOT NULL CHECK (generation >= 0)
                    ) STRICT;
                    INSERT INTO database VALUES (1, lower(hex(randomblob(8))), 0);
                    CREATE TABLE directory (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        slug TEXT NOT NULL UNIQUE CHECK (slug <> ''),
                        title TEXT NOT NULL,
                        source TEXT NOT NULL,
                        total INTEGER NOT NULL DEFAULT 0 CHECK (total >= 0),
                        generation INTEGER NOT NULL UNIQUE CHECK (generation > 0)
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("addForgotten") { db in
            try db.execute(
                sql: """
                    -- The users that imports skip: see SuppressionList. Each database has a key of its own for the
                    -- hashes.
                    ALTER TABLE database ADD COLUMN forgettingKey BLOB NOT NULL DEFAULT x'';
                    UPDATE database SET forgettingKey = randomblob(16);
                    CREATE TABLE forgotten (
                        login INTEGER NOT NULL,
                        id INTEGER NOT NULL,
                        PRIMARY KEY (login, id)
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("addCheckpointToDirectory") { db in
            try db.execute(
                sql: """
                    -- The progress of a directory's import from a service: see Checkpoint.
                    CREATE TABLE checkpoint (
                        directory INTEGER PRIMARY KEY REFERENCES directory (id) ON DELETE CASCADE,
                        source TEXT NOT NULL,
                        pass INTEGER NOT NULL,
                        -- Addresses, a line each.
                        frontier TEXT NOT NULL,
                        startedAt INTEGER NOT NULL,
                        users INTEGER NOT NULL,
                        added INTEGER NOT NULL,
                        changed INTEGER NOT NULL,
                        unchanged INTEGER NOT NULL,
                        repeated INTEGER NOT NULL,
                        rejected INTEGER NOT NULL,
                        requests INTEGER NOT NULL,
                        bytes INTEGER NOT NULL,
                        heldUntil INTEGER NOT NULL,
                        heldBecause TEXT NOT NULL,
                        isIdentified INTEGER NOT NULL
                    ) STRICT;
                    -- Pages that a service need not send again while they are unchanged.
                    CREATE TABLE visitedPage (
                        directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
                        address TEXT NOT NULL,
                        pass INTEGER NOT NULL,
                        validator TEXT NOT NULL,
                        next TEXT NOT NULL,
                        users INTEGER NOT NULL,
                        PRIMARY KEY (directory, address)
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("describeDirectory") { db in
            try db.execute(
                sql: """
                    ALTER TABLE directory ADD COLUMN description TEXT NOT NULL DEFAULT '';
                    ALTER TABLE directory ADD COLUMN licence TEXT NOT NULL DEFAULT '';
                    ALTER TABLE directory ADD COLUMN licenceURL TEXT NOT NULL DEFAULT '';
                    ALTER TABLE directory ADD COLUMN attribution TEXT NOT NULL DEFAULT '';
                    ALTER TABLE directory ADD COLUMN attributionURL TEXT NOT NULL DEFAULT '';
                    -- Whether a person has written the last four columns, and not an import.
                    ALTER TABLE directory ADD COLUMN hasOwnTerms INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE directory ADD COLUMN isDefault INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE directory ADD COLUMN importedAt INTEGER;
                    -- The name under which a directory's forgotten users were hashed, if it is not the slug: see
                    -- SuppressionList.
                    CREATE TABLE forgottenName (
                        slug TEXT PRIMARY KEY,
                        name TEXT NOT NULL UNIQUE
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("addFacets") { db in
            try db.execute(
                sql: """
                    -- The values of facets, and the number of users with each: see FacetTable.
                    CREATE TABLE facet (
                        directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
                        facet INTEGER NOT NULL,
                        number INTEGER NOT NULL CHECK (number > 0),
                        value TEXT NOT NULL CHECK (value <> ''),
                        count INTEGER NOT NULL CHECK (count >= 0),
                        PRIMARY KEY (directory, facet, number)
                    ) WITHOUT ROWID, STRICT;
                    -- The next import reads all users again, and notes their values.
                    DELETE FROM visitedPage;
                    """)
            for directory in try Int64.fetchAll(db, sql: "SELECT id FROM directory") {
                // A byte for each facet, the first one lowest: the number of the user's value, or 0.
                try db.execute(sql: "ALTER TABLE user\(directory) ADD COLUMN facets INTEGER NOT NULL DEFAULT 0")
            }
        }
        migrator.registerMigration("placeGrams") { db in
            // Since this migration postings have offsets: see PostingList. The empty tables are filled when the
            // directory is rebuilt: see `textForm`.
            for directory in try Int64.fetchAll(db, sql: "SELECT id FROM directory") {
                try db.execute(sql: "DELETE FROM userGram\(directory)")
            }
        }
        migrator.registerMigration(settingsMigration, migrate: addSettings)
        migrator.registerMigration("addAdditions") { db in
            try db.execute(
                sql: """
                    -- The people that recent transactions added: see AdditionTable.
                    CREATE TABLE addition (
                        directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
                        generation INTEGER NOT NULL CHECK (generation > 0),
                        count INTEGER NOT NULL CHECK (count >= 0),
                        ids BLOB,
                        PRIMARY KEY (directory, generation)
                    ) WITHOUT ROWID, STRICT;
                    INSERT INTO addition SELECT id, generation, 0, NULL FROM directory;
                    """)
        }
        migrator.registerMigration("addPictureToUser", migrate: addPictureToUser)
        migrator.registerMigration("addFormerSlugsToDirectory", migrate: addFormerSlugs)
        migrator.registerMigration("addLastImport", migrate: addLastImport)
        return migrator
    }

    /// The reputation of users that have none. It is less than any other and has a place in the order, which NULL would
    /// not have in comparisons of rows.
    static let noReputation = UserBatch.noReputation

    /// The columns of users, as "addSettings" left them.
    static let userColumns = """
        id INTEGER PRIMARY KEY CHECK (id > 0),
        login TEXT NOT NULL CHECK (login <> ''),
        name TEXT CHECK (name <> ''),
        avatarURL TEXT CHECK (avatarURL <> ''),
        htmlURL TEXT CHECK (htmlURL <> ''),
        type TEXT NOT NULL,
        more TEXT CHECK (more <> ''),
        -- None is the least 64-bit number.
        reputation INTEGER NOT NULL,
        \(laterUserColumns.joined(separator: ", "))
        """

    /// The columns of users that "addSettings" added: the values of filters, see ``FilterValues``; ``UserFlags``; and
    /// when the user was added, in seconds since 1970, or 0 if that is not known.
    static let laterUserColumns = [
        "filters BLOB", "flags INTEGER NOT NULL DEFAULT 0", "addedAt INTEGER NOT NULL DEFAULT 0",
    ]

    /// The columns of searched texts that "addSettings" added: the folded login and name, where they differ from the
    /// loose ones, see ``SearchedText/exact``; and the keys of the directory's own orders, see ``OrderKeys``.
    static let textColumns = ["exact TEXT", "keys BLOB"]

    /// The tables of a directory, each with its id at the end of its name.
    static let partitionTables = ["user", "userHidden", "userText", "userGram", "userRun", "userRank"]

    /// The statements that create the tables of a directory.
    static func partition(_ directory: Int64) -> String {
        """
        CREATE TABLE user\(directory) (
            \(userColumns), \(pictureColumns.joined(separator: ", ")), \(changedAt) DEFAULT 0
        ) STRICT;
        \(pictureIndex(directory));
        -- The people who are in the source and on no page: in no index and in no total.
        CREATE TABLE userHidden\(directory) (
            \(userColumns), \(pictureColumns.joined(separator: ", ")), \(changedAt) DEFAULT 0
        ) STRICT;
        -- The text that searches look at: see SearchedText. A table of its own because it has a tenth of the
        -- bytes: verifying candidates, sorting matches and counting ids then read few pages.
        CREATE TABLE userText\(directory) (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL,
            reputation INTEGER NOT NULL,
            \(textColumns.joined(separator: ", "))
        ) STRICT;
        -- The n-gram index: see Sources/NGramIndex/README.md.
        CREATE TABLE userGram\(directory) (
            id INTEGER PRIMARY KEY,
            entries BLOB NOT NULL
        ) STRICT;
        -- The blocks of the sort indexes: see Sources/SortIndex/README.md. B-tree indexes would take a random
        -- insert for each user of a batch.
        CREATE TABLE userRun\(directory) (
            id INTEGER PRIMARY KEY,
            entries BLOB NOT NULL
        ) STRICT;
        -- The block directories: the key that each block starts with, the number of its users, and its row in
        -- userRun.
        CREATE TABLE userRank\(directory) (
            sort INTEGER NOT NULL,
            key ANY NOT NULL,
            id INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0),
            run INTEGER NOT NULL,
            PRIMARY KEY (sort, key, id)
        ) WITHOUT ROWID, STRICT;
        """
    }
}
