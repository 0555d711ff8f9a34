import Publishing

// Copies the rows of tables as they are, indexes included, so that nothing is derived again.

extension Table {
    /// The tables of a database, in the sequence in which they are copied. The table `database` is not among them:
    /// except for the ``secrets``, each store has its own values there.
    static func all(of directories: [StoredDirectory], hasPictures: Bool) -> [Table] {
        [directory] + ofDatabase + directories.flatMap { ofDirectory($0.id) } + (hasPictures ? ofPictures : [])
    }

    /// The columns of `database` with the secrets under which hashes are made.
    static let secrets = ["forgettingKey", "identityKey", "pictureKey"]

    var isOfPictures: Bool { Self.ofPictures.contains { $0.name == name } }

    /// How many rows are read and saved together. Pictures take up to some hundred kilobytes each.
    var rowsAtOnce: Int { kind == "picture" ? 100 : 10_000 }
}

// MARK: - Statements

extension Table {
    /// Returns the statement that selects the next rows after a key, or the first rows.
    func selection(after position: CopiedKey) -> String {
        """
        SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)\(position.isEmpty ? "" : " WHERE \(isAfter)")
        ORDER BY \(key.map(\.name).joined(separator: ", ")) LIMIT \(rowsAtOnce)
        """
    }

    private var isAfter: String {
        "(\(key.map(\.name).joined(separator: ", "))) > (\(key.map { _ in "?" }.joined(separator: ", ")))"
    }
}
