import Base
import People

/// The identities of one directory's people, and the ids that they lead to.
///
/// Stores only two hashes under a key of the database: of what identifies a person (the e-mail address), and of what
/// tells those apart who share it (the name). So two people may have one address, and somebody with another name is
/// still the same person, as long as nobody else has the address.
final class IdentityTable {
    private let directory: Int64
    private let connection: any StoreConnection
    private let keys: [(UInt64, UInt64)]
    var rows: PersonRows<Row>

    struct Row: PersonRow {
        static let table = "identity"
        static let columns = "hash, apart, id"
        static let key = "hash"

        var hash: Hash
        var id: Int64

        var value: Int64 { hash.value }
        func isSame(as other: Row) -> Bool { hash == other.hash }
        static func hash(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
    }

    /// The hashes of an identity. The lowest bit of the first one says whether it is that of a key.
    struct Hash: Hashable {
        var value: Int64
        /// The hash of the value that distinguishes those who share an identity.
        var apart: Int64

        var isOfKey: Bool { value & 1 == 1 }

        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try withUnsafeBytes(of: (value.littleEndian, apart.littleEndian), body)
        }
    }

    init(of directory: Int64, on connection: any StoreConnection) throws {
        self.directory = directory
        self.connection = connection
        rows = PersonRows(of: directory, on: connection)
        let key = try connection.secret("identityKey")
        keys = [key, (~key.0, ~key.1)]
    }

    /// Returns the hashes of ``UserToWrite/identity`` and of what tells apart those who share it.
    func hash(_ identity: UnsafeRawBufferPointer, apart: UnsafeRawBufferPointer) -> Hash {
        let isOfKey = identity.first == IdentityKind.key.rawValue
        let value = SipHash.hash(identity, key: keys[0]) & ~1 | (isOfKey ? 1 : 0)
        return Hash(
            value: Int64(bitPattern: value), apart: Int64(bitPattern: SipHash.hash(apart, key: keys[1])))
    }

    /// The least id of people who have been hidden since they came. They take no id of the others' sequence, from whose
    /// gaps readers could infer them.
    static let firstHiddenID: Int64 = 1 << 62

    /// Returns the id of a person who has been hidden since the first import and has the identity `hash`.
    static func hiddenID(of hash: Hash) -> Int64 {
        let mixed = UInt64(bitPattern: hash.value) ^ UInt64(bitPattern: hash.apart) << 1
        return firstHiddenID | Int64(mixed >> 2)
    }

    /// Returns the id of a hidden person whose id at the source is `id`.
    func hiddenID(ofGiven id: Int64) -> Int64 { Self.hiddenID(of: hash(of: .id, "\(id)")) }

    /// Returns the hash of a value of a key that has one column. It says nothing of the name.
    func hash(key value: String) -> Hash { hash(of: .key, value) }

    func hash(login: String) -> Hash { hash(of: .login, login) }

    private func hash(of kind: IdentityKind, _ value: String) -> Hash {
        let buffer = ByteBuffer()
        let identity = value.withBytes { buffer.append(identityOf: kind, [$0]) }
        return hash(buffer.bytes[identity], apart: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    func owners(_ hash: Hash) throws -> [Row] { try rows.rows(hash.value) }

    func id(_ hash: Hash) throws -> Int64? { try owners(hash).first { $0.hash == hash }?.id }

    /// Makes `hash` identify the person with `id`, and nobody else. A key replaces all earlier identities of a person.
    /// Another identity replaces the one with the same values, but no key, and is added to others, because the same
    /// person may come from a file and from an edited export of it.
    func add(_ hash: Hash, of id: Int64) throws {
        if hash.isOfKey {
            if rows.known(of: id)?.isEmpty != true { try rows.remove(of: id) }
        } else {
            let others = try hashes(of: id)
            if others.contains(where: \.isOfKey) { return }
            for other in others where other.value == hash.value && other != hash { try remove(other, of: id) }
        }
        try save(hash, of: id)
    }

    private func save(_ hash: Hash, of id: Int64) throws {
        try connection.run(
            """
            INSERT INTO identity (directory, hash, apart, id) VALUES (?, ?, ?, ?)
            ON CONFLICT (directory, hash, apart) DO UPDATE SET id = excluded.id
            """, directory, hash.value, hash.apart, id)
        rows.noteSaved(Row(hash: hash, id: id))
    }

    private func remove(_ hash: Hash, of id: Int64) throws {
        rows.noteRemoved(Row(hash: hash, id: id))
        try connection.run(
            "DELETE FROM identity WHERE directory = ? AND hash = ? AND apart = ?", directory, hash.value, hash.apart)
    }

    func hasAnyWithoutKey() throws -> Bool {
        try connection.number(
            "SELECT EXISTS (SELECT 1 FROM identity WHERE directory = ? AND hash & 1 = 0)", directory) != 0
    }

    func hashes(of id: Int64) throws -> [Hash] {
        if let known = rows.known(of: id) { return known.map(\.hash) }
        return try connection.all("SELECT hash, apart FROM identity WHERE directory = ? AND id = ?", directory, id) {
            Hash(value: $0.number(0), apart: $0.number(1))
        }
    }

    /// Removes the identities by key columns of all people, because another key never equals them. Their names can then
    /// identify the people (``UserBatch/adoptsByName``).
    func removeKeys() throws {
        rows.forget()
        try connection.run("DELETE FROM identity WHERE directory = ? AND hash & 1 = 1", directory)
    }
}

extension IdentityTable.Row {
    init(_ statement: any StoreRow) {
        self.init(
            hash: IdentityTable.Hash(value: statement.number(0), apart: statement.number(1)), id: statement.number(2))
    }
}
