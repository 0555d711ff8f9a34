import Bytes
import Directories

// The pictures of people that do not depend on their addresses.

/// A picture that stays when a person is hidden or gets another id: a photo of the publisher's own, or none because the
/// person objects.
struct LastingPicture {
    /// 0 for an objection.
    var key: Int64

    /// The picture in the current row of `statement`, which has the columns `picture` and `hasOwnPicture`; `nil` for a
    /// picture that was fetched.
    fileprivate init?(_ statement: any StoreRow) {
        let key = statement.number(0)
        guard !statement.isNull(0), key == 0 || statement.number(1) != 0 else { return nil }
        self.key = key
    }
}

extension UserTables {
    /// Returns the lasting picture of a user, hidden or not.
    func lastingPicture(of id: Int64) throws -> LastingPicture? {
        try value("picture, hasOwnPicture", of: id) { LastingPicture($0) } ?? nil
    }

    func lastingPicture(ofHidden id: Int64) throws -> LastingPicture? {
        let statement = try connection.statement(
            "SELECT picture, hasOwnPicture FROM userHidden\(directory) WHERE id = ?")
        statement.bind(id, at: 1)
        defer { statement.reset() }
        return try statement.step() ? LastingPicture(statement) : nil
    }

    /// Sets the picture of a user, hidden or not.
    func set(_ picture: LastingPicture, of id: Int64) throws {
        for table in ["user", "userHidden"] {
            let update = try connection.statement(
                "UPDATE \(table)\(directory) SET picture = ?, hasOwnPicture = ? WHERE id = ?")
            update.bind(picture.key, at: 1)
            update.bind(picture.key > 0 ? 1 : 0, at: 2)
            update.bind(id, at: 3)
            try update.run()
        }
    }
}

/// The people who object to their picture, as imports into one directory recognize them: by hashes of logins, ids and
/// identities under the keys of the ``SuppressionList``.
struct PictureObjections {
    private let hashes: Set<Int64>
    private let keys: SuppressionList.Keys
    private let identities: IdentityTable

    /// Reads all objections. Returns `nil` if nobody objects.
    init?(of directory: Int64, on connection: any StoreConnection) throws {
        let rows = try connection.statement("SELECT hash, id FROM pictureObjection")
        defer { rows.reset() }
        var hashes: Set<Int64> = []
        while try rows.step() { hashes.formUnion([rows.number(0), rows.number(1)]) }
        guard !hashes.isEmpty, let slug = try connection.directory(directory)?.slug else { return nil }
        self.hashes = hashes
        keys = try SuppressionList.Keys(slug, from: connection)
        identities = try IdentityTable(of: directory, on: connection)
    }

    func has(_ record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let login = bytes[record.foldedLogin]
        return hashes.contains(keys.login(login, everywhere: true))
            || hashes.contains(keys.login(login, everywhere: false)) || hashes.contains(keys.id(record.id))
            || !record.identity.isEmpty
                && hashes.contains(keys.identity(identities.hash(bytes[record.identity])))
    }
}
