import Publishing

// Copies the rows of tables as they are, indexes included, so that nothing is derived again.

extension Table {
    /// The tables of a database, in the sequence in which they are copied. The table `database` is not among them:
    /// except for the ``secrets``, each store has its own values there.
    static func all(of directories: [StoredDirectory], hasPictures: Bool) -> [Table] {
        [directory] + ofDatabase + directories.flatMap(tables) + (hasPictures ? ofPictures : [])
    }

    /// The columns of `database` with the secrets under which hashes are made.
    static let secrets = ["forgettingKey", "identityKey", "pictureKey"]

    private static func tables(of directory: StoredDirectory) -> [Table] {
        ofDirectory(directory.id).map { table in
            var table = table
            if table.columns.contains(where: { $0.kind == .blockKey }) {
                table.orders = IndexedOrder.all(directory.settings.shown)
            }
            return table
        }
    }

    var isOfPictures: Bool { Self.ofPictures.contains { $0.name == name } }

    /// How many rows are read and saved together. Pictures take up to some hundred kilobytes each.
    var rowsAtOnce: Int { kind == "picture" ? 100 : 10_000 }
}

// MARK: - Statements

extension Table {
    /// Returns the statement that selects the next rows after a key, or the first rows.
    func selection(after position: CopiedKey) -> String {
        var conditions: [String] = []
        // Leaves out blocks of orders that the directory no longer has: nobody reads them.
        if let orders { conditions.append("sort >= 0 AND sort < \(orders.count)") }
        if !position.isStart { conditions.append(isAfter) }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return """
            SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)\(condition)
            ORDER BY \(key.map(\.name).joined(separator: ", ")) LIMIT \(rowsAtOnce)
            """
    }

    /// Returns the statement that deletes the rows after a key, or all rows.
    func deletion(after position: CopiedKey) -> String {
        "DELETE FROM \(name)\(position.isStart ? "" : " WHERE \(isAfter)")"
    }

    /// The condition that a row comes after a key, whose values are parameters.
    private var isAfter: String {
        "(\(key.map(\.name).joined(separator: ", "))) > (\(key.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// The kind of the column `key` in a row of `userBlockDirectory`.
    func order(of row: any StoreRow) -> IndexedOrder? {
        guard let orders, let index = Int(exactly: row.number(0)), orders.indices.contains(index) else { return nil }
        return orders[index]
    }
}
