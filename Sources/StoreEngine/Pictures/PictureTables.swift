import Base
import People

/// The tables with pictures, as a writer changes them. They may be in a database of their own.
package struct PictureTables {
    let connection: any StoreConnection

    package init(_ connection: any StoreConnection) { self.connection = connection }

    /// The state of an address: its picture, and when to ask for it again.
    struct Fetched {
        /// `nil` if the picture is not stored (any more), too.
        var key: PictureKey?
        var etag = ""
        var lastModified = ""
        var failures = 0
        var dueAt: Int64 = 0
    }

    // MARK: - Pictures

    /// Adds a picture. Returns `false` if it is stored already; then it counts as saved now.
    func add(_ picture: MadePicture, _ key: PictureKey, isOwn: Bool, at now: Int64) throws -> Bool {
        let update = try connection.statement(
            "UPDATE picture SET savedAt = ?, isOwn = CASE WHEN ? = 1 THEN 1 ELSE isOwn END WHERE key = ?")
        update.bind(now, at: 1)
        update.bind(isOwn ? 1 : 0, at: 2)
        update.bind(key.number, at: 3)
        try update.run()
        if try connection.changes > 0 { return false }
        let insert = try connection.statement(
            "INSERT INTO picture (key, savedAt, isOwn, small, medium, large) VALUES (?, ?, ?, ?, ?, ?)")
        insert.bind(key.number, at: 1)
        insert.bind(now, at: 2)
        insert.bind(isOwn ? 1 : 0, at: 3)
        try picture.small.withUnsafeBytes { small in
            try picture.medium.withUnsafeBytes { medium in
                try picture.large.withUnsafeBytes { large in
                    insert.bind(blob: small, at: 4)
                    insert.bind(blob: medium, at: 5)
                    insert.bind(blob: large, at: 6)
                    try insert.run()
                }
            }
        }
        return true
    }

    func has(_ key: PictureKey) throws -> Bool {
        let statement = try connection.statement("SELECT 1 FROM picture WHERE key = ?")
        statement.bind(key.number, at: 1)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Removes a picture. Returns `false` if no picture has that key.
    @discardableResult func remove(_ key: PictureKey) throws -> Bool {
        let delete = try connection.statement("DELETE FROM picture WHERE key = ?")
        delete.bind(key.number, at: 1)
        try delete.run()
        return try connection.changes > 0
    }

    /// Returns the keys of all pictures that were saved before `time`.
    func keys(savedBefore time: Int64) throws -> [PictureKey] {
        let rows = try connection.statement("SELECT key FROM picture WHERE savedAt < ?")
        rows.bind(time, at: 1)
        defer { rows.reset() }
        var keys: [PictureKey] = []
        while try rows.step() { if let key = PictureKey(rows.number(0)) { keys.append(key) } }
        return keys
    }

    /// Returns the keys of the publisher's own photos, including those that were replaced within a day.
    package func ownKeys() throws -> [PictureKey] {
        let rows = try connection.statement("SELECT key FROM picture WHERE isOwn = 1")
        defer { rows.reset() }
        var keys: [PictureKey] = []
        while try rows.step() { if let key = PictureKey(rows.number(0)) { keys.append(key) } }
        return keys
    }

    /// Copies a picture from another file.
    package func copy(_ key: PictureKey, from other: any StoreConnection) throws {
        let row = try other.statement("SELECT savedAt, isOwn, small, medium, large FROM picture WHERE key = ?")
        row.bind(key.number, at: 1)
        defer { row.reset() }
        guard try row.step() else { return }
        let insert = try connection.statement(
            "INSERT INTO picture (key, savedAt, isOwn, small, medium, large) VALUES (?, ?, ?, ?, ?, ?)")
        insert.bind(key.number, at: 1)
        for column: Int32 in 0...1 { insert.bind(row.number(column), at: column + 2) }
        for column: Int32 in 2...4 { insert.bind(blob: row.blob(column), at: column + 2) }
        try insert.run()
    }

    // MARK: - Addresses

    /// Returns what is known of the address with a hash, or `nil` if it was never asked for.
    func fetched(_ address: Int64) throws -> Fetched? {
        let statement = try connection.statement(
            """
            SELECT fetched.key, etag, lastModified, failures, dueAt, picture.key
            FROM fetched LEFT JOIN picture ON picture.key = fetched.key WHERE address = ?
            """)
        statement.bind(address, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        // A picture that is lost is due, and its validators would make the host say that it is unchanged.
        if !statement.isNull(0), statement.isNull(5) { return Fetched() }
        return Fetched(
            key: PictureKey(statement.number(0)), etag: statement.text(1), lastModified: statement.text(2),
            failures: Int(truncatingIfNeeded: statement.number(3)), dueAt: statement.number(4))
    }

    func save(_ fetched: Fetched, _ address: Int64, at now: Int64) throws {
        let statement = try connection.statement(
            """
            INSERT INTO fetched (address, key, etag, lastModified, failures, fetchedAt, dueAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (address) DO UPDATE SET key = excluded.key, etag = excluded.etag,
                lastModified = excluded.lastModified, failures = excluded.failures, fetchedAt = excluded.fetchedAt,
                dueAt = excluded.dueAt
            """)
        statement.bind(address, at: 1)
        if let key = fetched.key { statement.bind(key.number, at: 2) } else { statement.bindNull(at: 2) }
        statement.bind(fetched.etag, at: 3)
        statement.bind(fetched.lastModified, at: 4)
        statement.bind(Int64(fetched.failures), at: 5)
        statement.bind(now, at: 6)
        statement.bind(fetched.dueAt, at: 7)
        try statement.run()
    }

    /// Forgets an address. Returns the picture that it had.
    @discardableResult func removeFetched(_ address: Int64) throws -> PictureKey? {
        let delete = try connection.statement("DELETE FROM fetched WHERE address = ? RETURNING key")
        delete.bind(address, at: 1)
        defer { delete.reset() }
        return try delete.step() ? PictureKey(delete.number(0)) : nil
    }

    /// Returns the hashes of all addresses that were asked for before `time`, with their pictures.
    func addresses(fetchedBefore time: Int64) throws -> [Int64] {
        let rows = try connection.statement("SELECT address FROM fetched WHERE fetchedAt < ?")
        rows.bind(time, at: 1)
        defer { rows.reset() }
        var addresses: [Int64] = []
        while try rows.step() { addresses.append(rows.number(0)) }
        return addresses
    }

}

/// The secret of a database under which pictures and their addresses are hashed.
struct PictureSecret {
    private let words: (UInt64, UInt64)

    init(from connection: any StoreConnection) throws {
        let statement = try connection.statement("SELECT pictureKey FROM database")
        defer { statement.reset() }
        guard try statement.step(), statement.blob(0).count == 16 else {
            throw StoreError.damage("it has no key for pictures")
        }
        let bytes = statement.blob(0)
        words = (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    func key(of picture: MadePicture) -> PictureKey { PictureKey(of: picture, secret: words) }

    /// Returns the hash of an address. The key differs from that of pictures.
    func hash(_ address: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: SipHash.hash(address, key: (~words.0, ~words.1)))
    }

    func hash(_ address: String) -> Int64 {
        var address = address
        return address.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }
}
