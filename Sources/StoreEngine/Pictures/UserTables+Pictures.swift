import Base
import Publishing

// Values that do not come from the source: when people came, and pictures that do not depend on addresses.

/// The values that stay when a person is hidden, shown again or gets another id: the time of the first import, and a
/// photo of the publisher's own, or none because the person objects.
struct LastingValues {
    var addedAt: Int64
    /// 0 for an objection; `nil` for a picture that was fetched, and without one.
    var picture: Int64?

    static let columns = "addedAt, picture, hasOwnPicture"

    /// The values in the current row of `statement`, which has the ``columns``.
    fileprivate init(_ statement: any StoreRow) {
        addedAt = statement.number(0)
        let key = statement.number(1)
        if !statement.isNull(1), key == 0 || statement.number(2) != 0 { picture = key }
    }
}

extension UserTables {
    /// Returns the lasting values of a user, hidden or not; `nil` if the user does not exist.
    func lastingValues(of id: Int64) throws -> LastingValues? {
        try connection.first(
            """
            SELECT \(LastingValues.columns) FROM user\(directory) WHERE id = ?1
            UNION ALL SELECT \(LastingValues.columns) FROM userHidden\(directory) WHERE id = ?1
            """, id, read: LastingValues.init)
    }

    func lastingValues(ofHidden id: Int64) throws -> LastingValues? {
        try connection.first(
            "SELECT \(LastingValues.columns) FROM userHidden\(directory) WHERE id = ?", id, read: LastingValues.init)
    }

    /// Sets the lasting values of a user, hidden or not, who has just been written again.
    func set(_ lasting: LastingValues, of id: Int64) throws {
        let picture = lasting.picture == nil ? "" : ", picture = ?4, hasOwnPicture = ?5"
        for table in ["user", "userHidden"] {
            try connection.run(
                "UPDATE \(table)\(directory) SET addedAt = ?1, changedAt = ?2\(picture) WHERE id = ?3", lasting.addedAt,
                now, id, lasting.picture, lasting.picture.map { $0 > 0 })
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
        var hashes: Set<Int64> = []
        try connection.forEach("SELECT hash, id FROM pictureObjection") {
            hashes.formUnion([$0.number(0), $0.number(1)])
        }
        guard !hashes.isEmpty, let slug = try connection.directory(directory)?.slug else { return nil }
        self.hashes = hashes
        keys = try SuppressionList.Keys(slug, from: connection)
        identities = try IdentityTable(of: directory, on: connection)
    }

    func has(_ record: UserToWrite, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let login = bytes[record.foldedLogin]
        return hashes.contains(keys.login(login, everywhere: true))
            || hashes.contains(keys.login(login, everywhere: false)) || hashes.contains(keys.id(record.id))
            || !record.identity.isEmpty
                && hashes.contains(keys.identity(identities.hash(bytes[record.identity], apart: bytes[record.apart])))
    }
}
