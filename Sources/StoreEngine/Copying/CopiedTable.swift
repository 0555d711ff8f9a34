import People

/// A table whose rows are copied as they are, indexes included, so that nothing is derived again.
struct CopiedTable {
    enum Kind {
        case number, text, blob
        /// The column `key` of `userRank`, which each store encodes in a way of its own.
        case rankKey
    }

    struct Column {
        let name: String
        let kind: Kind

        init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    let name: String
    /// The columns of the primary key come first.
    let columns: [Column]
    let keyCount: Int
    /// How many rows are read and saved together.
    var batchSize = 10_000
    var isOfPictures = false
    /// The orders of the directory whose blocks the table lists.
    var orders: [IndexedOrder]?

    init(_ name: String, key: [Column], _ others: [Column] = []) {
        self.name = name
        columns = key + others
        keyCount = key.count
    }

    var key: ArraySlice<Column> { columns.prefix(keyCount) }

    static let directory = CopiedTable(
        "directory", key: [number("id")],
        [
            text("slug"), text("title"), text("source"), number("total"), number("generation"), text("description"),
            text("licence"), text("licenceURL"), text("attribution"), text("attributionURL"), number("hasOwnTerms"),
            number("isDefault"), number("importedAt"), text("settings"), text("textForm"), text("\"collation\""),
            text("formerSlugs"),
        ])

    /// The tables of a database, in the sequence in which they are copied. The table `database` is not among them:
    /// except for the ``secrets``, each store has its own values there.
    static func all(of directories: [Directory], hasPictures: Bool) -> [CopiedTable] {
        [directory] + ofDatabase + directories.flatMap(tables) + (hasPictures ? ofPictures : [])
    }

    /// The columns of `database` with the secrets under which hashes are made.
    static let secrets = ["forgettingKey", "identityKey", "pictureKey"]

    static let ofDatabase = [
        CopiedTable("logo", key: [number("directory")], [text("name"), text("type"), blob("bytes")]),
        CopiedTable("forgotten", key: [number("login"), number("id")]),
        CopiedTable("forgottenName", key: [text("slug")], [text("name")]),
        CopiedTable("pictureObjection", key: [number("hash"), number("id")]),
        CopiedTable(
            "checkpoint", key: [number("directory")],
            [
                text("source"), number("pass"), text("frontier"), number("startedAt"), number("users"),
                number("added"), number("changed"), number("unchanged"), number("repeated"), number("rejected"),
                number("requests"), number("bytes"), number("heldUntil"), text("heldBecause"), number("isIdentified"),
            ]),
        CopiedTable(
            "visitedPage", key: [number("directory"), text("address")],
            [number("pass"), text("validator"), text("next"), number("users")]),
        CopiedTable(
            "facet", key: [number("directory"), number("facet"), number("number")], [text("value"), number("count")]),
        CopiedTable("identity", key: [number("directory"), blob("hash")], [number("id")]),
        CopiedTable("handle", key: [number("directory"), text("handle")], [number("id"), number("isCurrent")]),
        CopiedTable(
            "lastImport", key: [number("directory")],
            [
                number("endedAt"), number("milliseconds"), number("status"), number("added"), number("changed"),
                number("removed"), number("rejected"),
            ]),
        CopiedTable("addition", key: [number("directory"), number("generation")], [number("count"), blob("ids")]),
    ]

    /// Pictures take up to some hundred kilobytes each.
    static let ofPictures = {
        var pictures = CopiedTable(
            "picture", key: [number("key")],
            [number("savedAt"), number("isOwn"), blob("small"), blob("medium"), blob("large")])
        pictures.batchSize = 100
        pictures.isOfPictures = true
        var fetched = CopiedTable(
            "fetched", key: [number("address")],
            [
                number("key"), text("etag"), text("lastModified"), number("failures"), number("fetchedAt"),
                number("dueAt"),
            ])
        fetched.isOfPictures = true
        return [pictures, fetched]
    }()

    private static func tables(of directory: Directory) -> [CopiedTable] {
        let user = [
            text("login"), text("name"), text("avatarURL"), text("htmlURL"), text("type"), text("more"),
            number("reputation"), blob("filters"), number("flags"), number("addedAt"), number("picture"),
            number("hasOwnPicture"), number("changedAt"),
        ]
        var rank = CopiedTable(
            "userRank\(directory.id)", key: [number("sort"), Column("key", .rankKey), number("id")],
            [number("count"), number("run")])
        rank.orders = IndexedOrder.all(directory.plan)
        return [
            CopiedTable("user\(directory.id)", key: [number("id")], user),
            CopiedTable("userHidden\(directory.id)", key: [number("id")], user),
            CopiedTable(
                "userText\(directory.id)", key: [number("id")],
                [text("text"), number("reputation"), text("exact"), blob("keys")]),
            CopiedTable("userGram\(directory.id)", key: [number("id")], [blob("entries")]),
            CopiedTable("userRun\(directory.id)", key: [number("id")], [blob("entries")]),
            rank,
        ]
    }

    private static func number(_ name: String) -> Column { Column(name, .number) }
    private static func text(_ name: String) -> Column { Column(name, .text) }
    private static func blob(_ name: String) -> Column { Column(name, .blob) }
}

// MARK: - Statements

extension CopiedTable {
    /// Returns the statement that selects the next rows after a key, or the first rows.
    func selection(isAfterKey: Bool) -> String {
        var conditions: [String] = []
        // Leaves out blocks of orders that the directory no longer has: nobody reads them.
        if let orders { conditions.append("sort >= 0 AND sort < \(orders.count)") }
        if isAfterKey { conditions.append(isAfter) }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return """
            SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)\(condition)
            ORDER BY \(key.map(\.name).joined(separator: ", ")) LIMIT \(batchSize)
            """
    }

    /// Returns the statement that deletes the rows after a key, or all rows.
    func deletion(isAfterKey: Bool) -> String { "DELETE FROM \(name)\(isAfterKey ? " WHERE \(isAfter)" : "")" }

    /// The condition that a row comes after a key, whose values are parameters.
    private var isAfter: String {
        "(\(key.map(\.name).joined(separator: ", "))) > (\(key.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// The kind of the column `key` in a row of `userRank`.
    func order(of row: any StoreRow) -> IndexedOrder? {
        guard let orders, let index = Int(exactly: row.number(0)), orders.indices.contains(index) else { return nil }
        return orders[index]
    }
}
