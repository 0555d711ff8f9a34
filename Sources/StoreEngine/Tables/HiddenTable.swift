import People

/// The people of one directory who are in the source and on no page.
final class HiddenTable {
    private let directory: Int64
    private let connection: any StoreConnection
    private let identities: IdentityTable
    private(set) var isEmpty = true
    /// The ids of those who have been hidden since they came: see ``IdentityTable/firstHiddenID``.
    private(set) var neverShown: Set<Int64> = []

    init(of directory: Int64, _ identities: IdentityTable, on connection: any StoreConnection) {
        (self.directory, self.identities, self.connection) = (directory, identities, connection)
    }

    /// Reads the state for a new transaction.
    func begin() throws {
        isEmpty = try connection.number("SELECT EXISTS (SELECT 1 FROM userHidden\(directory))") == 0
        // Most directories hide nobody, and a round trip to a server is saved.
        if isEmpty { return neverShown = [] }
        neverShown = Set(
            try connection.all(
                "SELECT id FROM userHidden\(directory) WHERE id >= ?", IdentityTable.firstHiddenID
            ) { $0.number(0) })
    }

    func count() throws -> Int { Int(try connection.number("SELECT count(*) FROM userHidden\(directory)")) }

    func names() throws -> [(id: Int64, name: String)] {
        try connection.all("SELECT id, name FROM userHidden\(directory)") { ($0.number(0), $0.text(1)) }
    }

    /// Returns the ids of those with `login`, in any case.
    func ids(login: String) throws -> [Int64] {
        try connection.all("SELECT id, login FROM userHidden\(directory)") { (id: $0.number(0), login: $0.text(1)) }
            .filter { $0.login.folded == login.folded }.map(\.id)
    }

    /// Returns the id of the person whose id at the source is `id`, if that person has always been hidden.
    func id(ofNeverShown id: Int64) -> Int64? {
        if neverShown.isEmpty { return nil }
        let hidden = identities.hiddenID(ofGiven: id)
        return neverShown.contains(hidden) ? hidden : nil
    }

    /// Calls `body` with ``SavedUser/columnNamesOfHidden`` and `filters` of a person. Returns `nil` if there is none.
    func withPerson<Result>(_ id: Int64, _ body: (any StoreRow) throws -> Result) throws -> Result? {
        if isEmpty { return nil }
        return try connection.first(
            "SELECT \(SavedUser.columnNamesOfHidden), filters FROM userHidden\(directory) WHERE id = ?", id,
            read: body)
    }

    func insert(_ user: SavedUser) throws {
        isEmpty = false
        if user.columns.id >= IdentityTable.firstHiddenID { neverShown.insert(user.columns.id) }
        let insert = try connection.statement(
            """
            INSERT INTO userHidden\(directory) (\(SavedUser.newColumnNames))
            VALUES (\(SavedUser.newParameters))
            """)
        insert.bind(new: user)
        try insert.run()
    }

    /// Removes a person, or returns `nil` if there is none with this id.
    func remove(_ id: Int64) throws -> RemovedUser? {
        if isEmpty { return nil }
        let removed = try connection.first(
            "DELETE FROM userHidden\(directory) WHERE id = ? RETURNING \(RemovedUser.columns)", id,
            read: RemovedUser.init)
        if removed != nil { neverShown.remove(id) }
        return removed
    }

    /// Gives a person who has been hidden since the first import the id of somebody who is shown.
    func show(_ hidden: Int64, as id: Int64) throws {
        try connection.run("UPDATE userHidden\(directory) SET id = ? WHERE id = ?", id, hidden)
        try identities.rows.move(hidden, to: id)
        neverShown.remove(hidden)
    }
}
