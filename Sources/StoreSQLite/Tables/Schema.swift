import StoreEngine

/// The tables in the file.
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
        CREATE TABLE directory (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            slug TEXT NOT NULL UNIQUE CHECK (slug <> ''),
            title TEXT NOT NULL,
            source TEXT NOT NULL,
            total INTEGER NOT NULL DEFAULT 0 CHECK (total >= 0),
            generation INTEGER NOT NULL UNIQUE CHECK (generation > 0),
            description TEXT NOT NULL DEFAULT '',
            licence TEXT NOT NULL DEFAULT '',
            licenceURL TEXT NOT NULL DEFAULT '',
            attribution TEXT NOT NULL DEFAULT '',
            attributionURL TEXT NOT NULL DEFAULT '',
            -- Whether a person has written the last four columns, and not an import.
            hasOwnTerms INTEGER NOT NULL DEFAULT 0,
            isDefault INTEGER NOT NULL DEFAULT 0,
            importedAt INTEGER,
            -- The publisher's settings and the inferred ones, as JSON; empty without any.
            settings TEXT NOT NULL DEFAULT '',
            -- The form of searched texts, see SearchedText.form. A directory with another form than this version's is
            -- rebuilt when the database is opened.
            textForm TEXT NOT NULL DEFAULT '',
            -- The rules by which the keys of orders by text were made: see CollationStamp. Empty without keys.
            collation TEXT NOT NULL DEFAULT '',
            -- The slugs that the directory had before, with spaces between them.
            formerSlugs TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE TABLE logo (
            directory INTEGER PRIMARY KEY REFERENCES directory (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        -- The users that imports skip: see SuppressionList.
        CREATE TABLE forgotten (
            login INTEGER NOT NULL,
            id INTEGER NOT NULL,
            PRIMARY KEY (login, id)
        ) WITHOUT ROWID, STRICT;
        -- The name under which a directory's forgotten users were hashed, if it is not the slug.
        CREATE TABLE forgottenName (
            slug TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) WITHOUT ROWID, STRICT;
        -- The people who object to their picture: see PictureObjections.
        CREATE TABLE pictureObjection (
            hash INTEGER NOT NULL,
            id INTEGER NOT NULL,
            PRIMARY KEY (hash, id)
        ) WITHOUT ROWID, STRICT;
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
        -- How the last import of each directory ended: see LastImport.
        CREATE TABLE lastImport (
            directory INTEGER PRIMARY KEY REFERENCES directory (id) ON DELETE CASCADE,
            endedAt INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            status INTEGER NOT NULL,
            added INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            removed INTEGER NOT NULL,
            rejected INTEGER NOT NULL
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
        -- The values of facets, and the number of users with each: see FacetTable.
        CREATE TABLE facet (
            directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
            facet INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            value TEXT NOT NULL CHECK (value <> ''),
            count INTEGER NOT NULL CHECK (count >= 0),
            PRIMARY KEY (directory, facet, number)
        ) WITHOUT ROWID, STRICT;
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
        -- The people that recent transactions added: see AdditionTable.
        CREATE TABLE addition (
            directory INTEGER NOT NULL REFERENCES directory (id) ON DELETE CASCADE,
            generation INTEGER NOT NULL CHECK (generation > 0),
            count INTEGER NOT NULL CHECK (count >= 0),
            ids BLOB,
            PRIMARY KEY (directory, generation)
        ) WITHOUT ROWID, STRICT;
        """

    // MARK: - Tables of a directory

    private static let userColumns = """
        id INTEGER PRIMARY KEY CHECK (id > 0),
        login TEXT NOT NULL CHECK (login <> ''),
        name TEXT CHECK (name <> ''),
        avatarURL TEXT CHECK (avatarURL <> ''),
        htmlURL TEXT CHECK (htmlURL <> ''),
        type TEXT NOT NULL,
        more TEXT CHECK (more <> ''),
        -- None is the least 64-bit number: it has a place in the order, which NULL would not have in comparisons.
        reputation INTEGER NOT NULL,
        -- The values of filters: see FilterValues.
        filters BLOB,
        -- See UserFlags.
        flags INTEGER NOT NULL DEFAULT 0,
        -- In seconds since 1970.
        addedAt INTEGER NOT NULL DEFAULT 0,
        -- A PictureKey, NULL without a picture, or 0 for a person who objects to it.
        picture INTEGER CHECK (picture >= 0),
        -- A photo of the publisher's own does not depend on avatarURL.
        hasOwnPicture INTEGER NOT NULL DEFAULT 0 CHECK (hasOwnPicture IN (0, 1)),
        -- When an import last changed the row, in seconds since 1970; 0 if none has.
        changedAt INTEGER NOT NULL DEFAULT 0
        """

    /// The tables of a directory, each with its id at the end of its name.
    static let partitionTables = ["user", "userHidden", "userText", "userGram", "userRun", "userRank"]

    /// The statements that create the tables of a directory.
    static func partition(_ directory: Int64) -> String {
        """
        CREATE TABLE user\(directory) (\(userColumns)) STRICT;
        -- The people with a picture: whether anybody else has it, and how many have any.
        CREATE INDEX user\(directory)Picture ON user\(directory) (picture) WHERE picture > 0;
        -- The people who are in the source and on no page: in no index and in no total.
        CREATE TABLE userHidden\(directory) (\(userColumns)) STRICT;
        -- The text that searches look at: see SearchedText. A table of its own because it has a tenth of the
        -- bytes: verifying candidates, sorting matches and counting ids then read few pages.
        CREATE TABLE userText\(directory) (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL,
            reputation INTEGER NOT NULL,
            -- The folded login and name, where they differ from the loose ones.
            exact TEXT,
            -- The keys of the directory's own orders: see OrderKeys.
            keys BLOB
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
