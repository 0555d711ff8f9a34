import Base
import Publishing

/// The people who object to their picture, as imports into one directory recognize them: by hashes of logins, ids and
/// identities under the keys of the ``SuppressionList``.
struct PictureObjections {
    private let hashes: Set<Int64>
    private let keys: SuppressionList.Keys
    private let identities: IdentityTable

    /// Reads all objections. Returns `nil` if nobody objects.
    init?(of directory: Int64, _ identities: IdentityTable, on connection: any StoreConnection) throws {
        var hashes: Set<Int64> = []
        try connection.forEach("SELECT hash, id FROM pictureObjection") {
            hashes.formUnion([$0.number(0), $0.number(1)])
        }
        guard !hashes.isEmpty, let slug = try connection.directory(directory)?.slug else { return nil }
        self.hashes = hashes
        keys = try SuppressionList.Keys(slug, from: connection)
        self.identities = identities
    }

    func has(_ record: UserToWrite, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let login = bytes[record.foldedLogin]
        return hashes.contains(keys.login(login, everywhere: true))
            || hashes.contains(keys.login(login, everywhere: false)) || hashes.contains(keys.id(record.id))
            || !record.identity.isEmpty
                && hashes.contains(keys.identity(identities.hash(bytes[record.identity], apart: bytes[record.apart])))
    }
}
