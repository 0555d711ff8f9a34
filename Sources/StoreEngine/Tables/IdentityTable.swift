import Base
import People

/// The people of one directory without an id in the source: maps their identities to the ids they got.
///
/// Stores only a hash of 128 bits of the identifying values, under a key of the database. Its lowest bit distinguishes
/// values of key columns (1) from logins and whole rows (0).
final class IdentityTable {
    private let directory: Int64
    private let connection: any StoreConnection
    private let keys: [(UInt64, UInt64)]
    /// The values that were read for a batch: the ids of hashes, and the hashes of ids.
    private var known = Known()
    /// A person who is new and has no identity yet.
    private var newest: Int64?
    private var absence = AbsenceFilter()

    private struct Known {
        var ids: [Hash: Int64?] = [:]
        var hashes: [Int64: [Hash]] = [:]
    }

    /// The hash of an identity.
    struct Hash: Hashable {
        var words: (UInt64, UInt64)

        static func == (hash: Hash, other: Hash) -> Bool { hash.words == other.words }

        func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

        /// Whether the identity consists of values of key columns.
        var isOfKey: Bool { words.0 & 1 == 1 }

        /// The hash in a column.
        fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count == 16 else { return nil }
            let word = { (offset: Int) in
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            words = (word(0), word(8))
        }

        init(words: (UInt64, UInt64)) { self.words = words }

        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try withUnsafeBytes(of: (words.0.littleEndian, words.1.littleEndian), body)
        }
    }

    init(of directory: Int64, on connection: any StoreConnection) throws {
        self.directory = directory
        self.connection = connection
        let statement = try connection.statement("SELECT identityKey FROM database")
        defer { statement.reset() }
        guard try statement.step(), statement.blob(0).count == 16 else {
            throw StoreError.damage("it has no key for identities")
        }
        let bytes = statement.blob(0)
        let key = (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        keys = [key, (~key.0, ~key.1)]
    }

    /// Returns the hash of ``UserBatch/Entry/identity``.
    func hash(_ identity: UnsafeRawBufferPointer) -> Hash {
        let isOfKey = identity.first == IdentityKind.key.rawValue
        let first = SipHash.hash(identity, key: keys[0]) & ~1 | (isOfKey ? 1 : 0)
        return Hash(words: (first, SipHash.hash(identity, key: keys[1])))
    }

    /// The least id of people who have been hidden since they came. They take no id of the others' sequence, from whose
    /// gaps readers could infer them.
    static let firstHiddenID: Int64 = 1 << 62

    /// Returns the id of a person who has been hidden since the first import, and whom `hash` identifies.
    static func hiddenID(of hash: Hash) -> Int64 { firstHiddenID | Int64(hash.words.1 >> 2) }

    /// Returns the id of a hidden person to whom the source gives `id`.
    func hiddenID(ofGiven id: Int64) -> Int64 { Self.hiddenID(of: hash(of: .id, "\(id)")) }

    /// Returns the hash of a value of a key that has one column.
    func hash(key value: String) -> Hash { hash(of: .key, value) }

    /// Returns the hash of the login of a person without an id and a key.
    func hash(login: String) -> Hash { hash(of: .login, login) }

    private func hash(of kind: IdentityKind, _ value: String) -> Hash {
        var value = value
        let buffer = ByteBuffer()
        let identity = value.withUTF8 { buffer.append(identityOf: kind, [UnsafeRawBufferPointer($0)]) }
        return hash(buffer.bytes[identity])
    }

    func id(_ hash: Hash) throws -> Int64? {
        if let id = known.ids[hash] { return id }
        if absence.rulesOut(hash.words.1) { return nil }
        let statement = try connection.statement("SELECT id FROM identity WHERE directory = ? AND hash = ?")
        return try hash.withBytes { bytes in
            statement.bind(directory, at: 1)
            statement.bind(blob: bytes, at: 2)
            defer { statement.reset() }
            return try statement.step() ? statement.number(0) : nil
        }
    }

    /// Makes `hash` identify the person with `id`, and no other person.
    ///
    /// A key replaces all earlier identities of the person. A login or a row is added to the earlier ones, because the
    /// same person may come from a file and from an edited export of it; it does not replace a key.
    func add(_ hash: Hash, of id: Int64) throws {
        if hash.isOfKey {
            if id != newest, known.hashes[id]?.isEmpty != true { try remove(id) }
        } else if try hashes(of: id).contains(where: \.isOfKey) {
            return
        }
        try save(hash, of: id)
    }

    private func save(_ hash: Hash, of id: Int64) throws {
        let statement = try connection.statement(
            """
            INSERT INTO identity (directory, hash, id) VALUES (?, ?, ?)
            ON CONFLICT (directory, hash) DO UPDATE SET id = excluded.id
            """)
        try hash.withBytes { bytes in
            statement.bind(directory, at: 1)
            statement.bind(blob: bytes, at: 2)
            statement.bind(id, at: 3)
            try statement.run()
        }
        if id == newest { newest = nil }
        absence.insert(hash.words.1)
        if let owner = known.ids[hash] ?? nil { known.hashes[owner]?.removeAll { $0 == hash } }
        if known.ids[hash] != nil { known.ids[hash] = .some(id) }
        known.hashes[id]?.append(hash)
    }

    /// Whether the directory has people without ids.
    func hasAny() throws -> Bool {
        try connection.number("SELECT EXISTS (SELECT 1 FROM identity WHERE directory = \(directory))") != 0
    }

    /// Whether an identity is not that of a key.
    func hasAnyWithoutKey() throws -> Bool {
        try connection.number(
            """
            SELECT EXISTS (SELECT 1 FROM identity
                WHERE directory = \(directory) AND NOT \(connection.isOdd(firstByteOf: "hash")))
            """) != 0
    }

    /// Gives a person another id.
    func move(_ id: Int64, to new: Int64) throws {
        known = Known()
        if new == newest { newest = nil }
        let statement = try connection.statement("UPDATE identity SET id = ? WHERE directory = ? AND id = ?")
        statement.bind(new, at: 1)
        statement.bind(directory, at: 2)
        statement.bind(id, at: 3)
        try statement.run()
    }

    func hashes(of id: Int64) throws -> [Hash] {
        if id == newest { return [] }
        if let hashes = known.hashes[id] { return hashes }
        let statement = try connection.statement("SELECT hash FROM identity WHERE directory = ? AND id = ?")
        statement.bind(directory, at: 1)
        statement.bind(id, at: 2)
        defer { statement.reset() }
        var hashes: [Hash] = []
        while try statement.step() {
            if let hash = Hash(statement.blob(0)) { hashes.append(hash) }
        }
        return hashes
    }

    /// Removes the identities by key columns of all people, because another key never equals them. Their names can then
    /// identify the people (``UserBatch/adoptsByName``).
    func removeKeys() throws {
        known = Known()
        // The first byte of a stored hash has the lowest bit of the hash: see ``Hash/isOfKey``.
        let statement = try connection.statement(
            "DELETE FROM identity WHERE directory = ? AND \(connection.isOdd(firstByteOf: "hash"))")
        statement.bind(directory, at: 1)
        try statement.run()
    }

    func remove(_ id: Int64) throws {
        for hash in known.hashes[id] ?? [] { known.ids[hash] = .some(nil) }
        if known.hashes[id] == nil { known = Known() } else { known.hashes[id] = [] }
        let statement = try connection.statement("DELETE FROM identity WHERE directory = ? AND id = ?")
        statement.bind(directory, at: 1)
        statement.bind(id, at: 2)
        try statement.run()
    }

    // MARK: - Preparing

    /// Forgets what was prepared: it belongs to one transaction. `isUnchanged` says whether the directory is as this
    /// writer's last one left it.
    func begin(isUnchanged: Bool) throws {
        known = Known()
        newest = nil
        try absence.begin(isUnchanged: isUnchanged, isEmpty: try !hasAny())
    }

    /// Reads the ids of people with `hashes` together. Returns them.
    func prepare(_ hashes: [Hash]) throws -> [Int64] {
        known = Known()
        for hash in hashes { known.ids[hash] = .some(nil) }
        var ids: [Int64] = []
        try connection.forEachRow(
            ValueLookup(columns: "hash, id", table: "identity", directory: directory, key: "hash"),
            known.ids.keys.map { .blob($0.withBytes(Array.init)) }
        ) { row in
            guard let hash = Hash(row.blob(0)) else { return }
            known.ids[hash] = .some(row.number(1))
            ids.append(row.number(1))
        }
        return ids
    }

    /// Reads the hashes of people together.
    func prepare(of ids: Set<Int64>) throws {
        for id in ids { known.hashes[id] = [] }
        try connection.forEachRow(
            ValueLookup(columns: "id, hash", table: "identity", directory: directory, key: "id"),
            ids.map { .number($0) }
        ) { row in
            if let hash = Hash(row.blob(1)) { known.hashes[row.number(0), default: []].append(hash) }
        }
    }

    /// Notes that a person is new and has no identity.
    func noteNew(_ id: Int64) { newest = id }

    /// Returns the greatest id of a person with an identity.
    func maxID(below limit: Int64) throws -> Int64 {
        let statement = try connection.statement("SELECT max(id) FROM identity WHERE directory = ? AND id < ?")
        statement.bind(directory, at: 1)
        statement.bind(limit, at: 2)
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : 0
    }
}
