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
        try connection.run(
            "UPDATE picture SET savedAt = ?, isOwn = CASE WHEN ? = 1 THEN 1 ELSE isOwn END WHERE key = ?", now, isOwn,
            key.number)
        if try connection.changes > 0 { return false }
        try picture.small.withUnsafeBytes { small in
            try picture.medium.withUnsafeBytes { medium in
                try picture.large.withUnsafeBytes { large in
                    try insert(key.number, savedAt: now, isOwn: isOwn, [small, medium, large])
                }
            }
        }
        return true
    }

    private func insert(_ key: Int64, savedAt: Int64, isOwn: Bool, _ sizes: [UnsafeRawBufferPointer]) throws {
        try connection.run(
            "INSERT INTO picture (key, savedAt, isOwn, small, medium, large) VALUES (?, ?, ?, ?, ?, ?)", key, savedAt,
            isOwn, SQLValue.blob(sizes[0]), SQLValue.blob(sizes[1]), SQLValue.blob(sizes[2]))
    }

    func has(_ key: PictureKey) throws -> Bool {
        try connection.number("SELECT 1 FROM picture WHERE key = ?", key.number) != 0
    }

    /// Removes a picture. Returns `false` if no picture has that key.
    @discardableResult func remove(_ key: PictureKey) throws -> Bool {
        try connection.run("DELETE FROM picture WHERE key = ?", key.number)
        return try connection.changes > 0
    }

    func keys(savedBefore time: Int64) throws -> [PictureKey] {
        try connection.all("SELECT key FROM picture WHERE savedAt < ?", time) { PictureKey($0.number(0)) }
            .compactMap(\.self)
    }

    /// Returns the keys of the publisher's own photos, including those that were replaced within a day.
    package func ownKeys() throws -> [PictureKey] {
        try connection.all("SELECT key FROM picture WHERE isOwn = 1") { PictureKey($0.number(0)) }.compactMap(\.self)
    }

    package func copy(_ key: PictureKey, from other: any StoreConnection) throws {
        let columns = "savedAt, isOwn, small, medium, large"
        try other.forEach("SELECT \(columns) FROM picture WHERE key = ?", key.number) { row in
            try insert(
                key.number, savedAt: row.number(0), isOwn: row.number(1) != 0, (2...4).map { row.blob($0) })
        }
    }

    // MARK: - Addresses

    /// Returns what is known of the address with a hash, or `nil` if it was never asked for.
    func fetched(_ address: Int64) throws -> Fetched? {
        try connection.first(
            """
            SELECT fetched.key, etag, lastModified, failures, dueAt, picture.key
            FROM fetched LEFT JOIN picture ON picture.key = fetched.key WHERE address = ?
            """, address
        ) { row in
            // A picture that is lost is due, and its validators would make the host say that it is unchanged.
            if !row.isNull(0), row.isNull(5) { return Fetched() }
            return Fetched(
                key: PictureKey(row.number(0)), etag: row.text(1), lastModified: row.text(2),
                failures: Int(truncatingIfNeeded: row.number(3)), dueAt: row.number(4))
        }
    }

    func save(_ fetched: Fetched, _ address: Int64, at now: Int64) throws {
        try connection.run(
            """
            INSERT INTO fetched (address, key, etag, lastModified, failures, fetchedAt, dueAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (address) DO UPDATE SET key = excluded.key, etag = excluded.etag,
                lastModified = excluded.lastModified, failures = excluded.failures, fetchedAt = excluded.fetchedAt,
                dueAt = excluded.dueAt
            """, address, fetched.key?.number, fetched.etag, fetched.lastModified, Int64(fetched.failures), now,
            fetched.dueAt)
    }

    func removeFetched(_ address: Int64) throws {
        try connection.run("DELETE FROM fetched WHERE address = ?", address)
    }

    func addresses(fetchedBefore time: Int64) throws -> [Int64] {
        try connection.all("SELECT address FROM fetched WHERE fetchedAt < ?", time) { $0.number(0) }
    }
}

extension StoreConnection {
    package func pictureTotals() throws -> PictureTotals {
        try first("SELECT pictures, bytes FROM total") {
            PictureTotals(
                pictures: try $0.count(0, "the number of pictures"),
                bytes: try $0.number(1, "the bytes of pictures", in: 0...(1 << 60)))
        } ?? PictureTotals()
    }
}

/// The secret of a database under which pictures and their addresses are hashed.
struct PictureSecret {
    private let words: (UInt64, UInt64)

    init(from connection: any StoreConnection) throws {
        words = try connection.secret("pictureKey")
    }

    func key(of picture: MadePicture) -> PictureKey { PictureKey(of: picture, secret: words) }

    /// Returns the hash of an address. The key differs from that of pictures.
    func hash(_ address: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: SipHash.hash(address, key: (~words.0, ~words.1)))
    }

    func hash(_ address: String) -> Int64 { address.withBytes { hash($0) } }
}
