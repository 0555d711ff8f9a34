import People

/// A table of the database. Each store creates it from this description, and `rollcall copy` copies its rows as they
/// are: see ``Table/ofDatabase``, ``Table/ofDirectory(_:)`` and ``Table/ofPictures``.
package struct Table: Sendable {
    package struct Column: Sendable {
        package enum Kind: Hashable, Sendable {
            /// 64 bits, also for truth values.
            case number
            /// In UTF-8, ordered by its bytes.
            case text
            case blob
        }

        let name: String
        let kind: Kind
        var allowsNull = false
        /// The default and the conditions, which all databases write alike.
        var rules = ""
    }

    /// An index beside that of the primary key.
    struct Index {
        /// The end of the index's name, after the name of the table.
        let name: String
        let columns: String
        /// Which rows it has, if not all.
        var condition: String?
    }

    /// The name without the id of the directory.
    package let kind: String
    /// The directory that the table is for, whose id is the end of the name.
    package let directory: Int64?
    /// The columns of the primary key come first.
    let columns: [Column]
    let keyCount: Int
    var indexes: [Index] = []

    init(_ kind: String, of directory: Int64? = nil, key: [Column], _ others: [Column] = []) {
        (self.kind, self.directory) = (kind, directory)
        columns = key + others
        keyCount = key.count
    }

    package var name: String { kind + (directory.map(String.init) ?? "") }

    var key: ArraySlice<Column> { columns.prefix(keyCount) }

    /// Whether rows are found by one number.
    package var hasNumberAsKey: Bool { keyCount == 1 && columns[0].kind == .number }

    package var blobs: [String] { columns.filter { $0.kind == .blob }.map(\.name) }
}

extension Table {
    /// How a database writes what databases write differently.
    package struct Dialect: Sendable {
        let types: [Column.Kind: String]
        /// The words after the type of a number that the database gives to new rows.
        let numbering: String
        /// The words after the columns of a table.
        let options: @Sendable (Table) -> String

        package init(
            types: [Column.Kind: String], numbering: String, options: @escaping @Sendable (Table) -> String
        ) {
            (self.types, self.numbering, self.options) = (types, numbering, options)
        }
    }

    package func creation(in dialect: Dialect) -> String {
        var parts = columns.map { column in definition(of: column, dialect) }
        if keyCount > 1 { parts.append("PRIMARY KEY (\(key.map(\.name).joined(separator: ", ")))") }
        let table = "CREATE TABLE \(name) (\n    \(parts.joined(separator: ",\n    "))\n)\(dialect.options(self))"
        return ([table] + indexes.map(creation)).map { $0 + ";\n" }.joined()
    }

    private func definition(of column: Column, _ dialect: Dialect) -> String {
        let isKey = keyCount == 1 && column.name == columns[0].name
        let isNumbered = isKey && kind == Table.directory.kind
        let parts = [
            column.name, dialect.types[column.kind] ?? "",
            isKey ? "PRIMARY KEY" : column.allowsNull ? "" : "NOT NULL",
            isNumbered ? dialect.numbering : "",
            column.name == "directory" ? "REFERENCES directory (id) ON DELETE CASCADE" : "", column.rules,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func creation(of index: Index) -> String {
        "CREATE INDEX \(name)\(index.name) ON \(name) (\(index.columns))"
            + (index.condition.map { " WHERE \($0)" } ?? "")
    }
}

// All tables but `database`, whose row is each store's own, and what a single store needs.

extension Table {
    /// A row for each directory. Its other tables are those of ``ofDirectory(_:)``.
    package static let directory = Table(
        "directory", key: [number("id")],
        [
            text("slug", "UNIQUE CHECK (slug <> '')"), text("title"), text("source"),
            number("total", "DEFAULT 0 CHECK (total >= 0)"), number("generation", "UNIQUE CHECK (generation > 0)"),
            text("description", "DEFAULT ''"), text("licence", "DEFAULT ''"), text("licenceURL", "DEFAULT ''"),
            text("attribution", "DEFAULT ''"), text("attributionURL", "DEFAULT ''"),
            // Whether a person has written the last four columns, and not an import.
            number("hasOwnTerms", "DEFAULT 0"),
            number("isDefault", "DEFAULT 0"), number("importedAt").optional,
            // The publisher's settings and the inferred ones, as JSON; empty without any.
            text("settings", "DEFAULT ''"),
            // The form of searched texts, see SearchedText.form. A directory with another form than this version's is
            // rebuilt when the database is opened.
            text("textForm", "DEFAULT ''"),
            // The rules by which the keys of orders by text were made: see CollationStamp. Empty without keys.
            text("\"collation\"", "DEFAULT ''"),
            // The slugs that the directory had before, with spaces between them.
            text("formerSlugs", "DEFAULT ''"),
        ])

    /// The tables of the whole database that follow ``directory``, which they refer to.
    package static let ofDatabase = [
        Table("logo", key: [number("directory")], [text("name"), text("type"), blob("bytes")]),
        // The users that imports skip: see SuppressionList.
        Table("forgotten", key: [number("login"), number("id")]),
        // The name under which a directory's forgotten users were hashed, if it is not the slug.
        Table("forgottenName", key: [text("slug")], [text("name", "UNIQUE")]),
        // The people who object to their picture: see PictureObjections.
        Table("pictureObjection", key: [number("hash"), number("id")]),
        // The progress of a directory's import from a service: see Checkpoint. The frontier has an address a line.
        Table(
            "checkpoint", key: [number("directory")],
            [
                text("source"), number("pass"), text("frontier"), number("startedAt"), number("users"),
                number("added"), number("changed"), number("unchanged"), number("repeated"), number("rejected"),
                number("requests"), number("bytes"), number("heldUntil"), text("heldBecause"), number("isIdentified"),
            ]),
        // Pages that a service need not send again while they are unchanged.
        Table(
            "visitedPage", key: [number("directory"), text("address")],
            [number("pass"), text("validator"), text("next"), number("users")]),
        // The values of filters, and the number of users with each: see FilterTable. A number that is free has no text.
        Table(
            "filterValue", key: [number("directory"), number("filter"), number("number", "CHECK (number > 0)")],
            [text("value"), number("count", "CHECK (count >= 0)")]),
        // The people that the source gives no id: see IdentityTable.
        Table(
            "identity", key: [number("directory"), number("hash"), number("apart")], [number("id", "CHECK (id > 0)")]
        ).with(Index(name: "ByID", columns: "directory, id")),
        // People who may be others under a new identity: see PeopleFinder.goneNamesakes.
        Table(
            "goneNamesake", key: [number("directory"), number("id", "CHECK (id > 0)")],
            [number("other", "CHECK (other > 0)")]),
        // Generated handles, and former handles and logins: see HandleTable.
        Table(
            "handle", key: [number("directory"), text("handle", "CHECK (handle <> '')")],
            [number("id", "CHECK (id > 0)"), number("isCurrent")]
        ).with(Index(name: "ByID", columns: "directory, id")),
        // How the last import of each directory ended: see LastImport.
        Table(
            "lastImport", key: [number("directory")],
            [
                number("endedAt"), number("milliseconds"), number("status"), number("added"), number("changed"),
                number("removed"), number("rejected"),
            ]),
        // The people that recent transactions added: see AdditionTable.
        Table(
            "addition", key: [number("directory"), number("generation", "CHECK (generation > 0)")],
            [number("count", "CHECK (count >= 0)"), blob("ids").optional]),
    ]

    package static func ofDirectory(_ directory: Int64) -> [Table] {
        [
            // The people with a picture: whether anybody else has it, and how many have any.
            Table("user", of: directory, key: [userID], userColumns)
                .with(Index(name: "Picture", columns: "picture", condition: "picture > 0")),
            // The people who are in the source and on no page: in no index and in no total.
            Table("userHidden", of: directory, key: [userID], userColumns),
            // The part of a user that searches and orders look at: see SavedText. A table of its own because it has a
            // tenth of the bytes: verifying candidates, sorting matches and counting ids then read few pages.
            Table("userText", of: directory, key: [number("id")], [blob("content")]),
            // The n-gram index: see Sources/Indexes/NGrams/README.md.
            Table("userNGram", of: directory, key: [number("id")], [blob("entries")]),
            // The blocks of the sort indexes: see Sources/Indexes/Orders/README.md. B-tree indexes would take a random
            // insert for each user of a batch.
            Table("userBlock", of: directory, key: [number("id")], [blob("entries")]),
            // The block directories: the key that each block starts with, as bytes (see SortKey.withValue), the number
            // of its users, and its row in userBlock.
            Table(
                "userBlockDirectory", of: directory, key: [number("sort"), blob("key"), number("id")],
                [number("count", "CHECK (count >= 0)"), number("block")]),
        ]
    }

    /// The names of the tables with a directory's people: those who are shown, and those who are hidden.
    static func ofPeople(in directory: Int64) -> [String] { ["user\(directory)", "userHidden\(directory)"] }

    private static let userID = number("id", "CHECK (id > 0)")

    private static let userColumns = [
        text("login", "CHECK (login <> '')"), text("name", "CHECK (name <> '')").optional,
        text("avatarURL", "CHECK (avatarURL <> '')").optional,
        text("more", "CHECK (more <> '')").optional,
        // See UserFlags.
        number("flags", "DEFAULT 0"),
        // The values of filters: see FilterValues.
        blob("filters").optional,
        // In seconds since 1970.
        number("addedAt", "DEFAULT 0"),
        // A PictureKey, NULL without a picture, or 0 for a person who objects to it.
        number("picture", "CHECK (picture >= 0)").optional,
        // A photo of the publisher's own does not depend on avatarURL.
        number("hasOwnPicture", "DEFAULT 0 CHECK (hasOwnPicture IN (0, 1))"),
        // When an import last changed the row, in seconds since 1970; 0 if none has.
        number("changedAt", "DEFAULT 0"),
    ]

    /// Pictures, and what is known of their addresses: the hash of each, under the secret of the database. `isOwn` says
    /// that a picture is, or was, a photo of the publisher's own: backups have it then.
    package static let ofPictures = [
        Table(
            "picture", key: [number("key", "CHECK (key > 0)")],
            // The smallest size comes first: SQLite has it in the page of the row, so a list reads one page for each.
            [number("savedAt"), number("isOwn"), blob("small"), blob("medium"), blob("large")]
        ).with(Index(name: "ByAge", columns: "savedAt, isOwn")),
        Table(
            "fetched", key: [number("address")],
            [
                number("key").optional, text("etag"), text("lastModified"), number("failures"), number("fetchedAt"),
                number("dueAt"),
            ]),
    ]

    /// One row, which triggers keep: counting the pictures would read all of them.
    package static let pictureTotal = Table(
        "total", key: [number("id", "CHECK (id = 1)")], [number("pictures"), number("bytes")])

    private static func number(_ name: String, _ rules: String = "") -> Column {
        Column(name: name, kind: .number, rules: rules)
    }

    private static func text(_ name: String, _ rules: String = "") -> Column {
        Column(name: name, kind: .text, rules: rules)
    }

    private static func blob(_ name: String, _ rules: String = "") -> Column {
        Column(name: name, kind: .blob, rules: rules)
    }

    private func with(_ index: Index) -> Table {
        var table = self
        table.indexes.append(index)
        return table
    }
}

extension Table.Column {
    fileprivate var optional: Table.Column {
        var column = self
        column.allowsNull = true
        return column
    }
}
