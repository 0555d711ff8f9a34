import Base
import People

/// The ids generated from logins, to detect two users with the same one, who would silently become one user.
///
/// Holds the first 786,432 ids, as many as a dictionary keeps in 12 MiB. Later collisions are as improbable, and go
/// unnoticed.
struct GeneratedIDs {
    private static let limit = 786_432
    private var hashes: [Int64: UInt32] = [:]
    /// The last logins, up to a thousand, for messages.
    private var logins: [Int64: String] = [:]

    /// Adds a user's id. Returns the login of another user that has the same id, or `nil`.
    mutating func insert(_ user: UserBatch.Entry, in bytes: UnsafeRawBufferPointer) -> String? {
        let hash = UInt32(truncatingIfNeeded: SipHash.hash(bytes[user.foldedLogin], key: (1, 1)))
        if let known = hashes[user.id] { return known == hash ? nil : logins[user.id] ?? "another one" }
        if hashes.count < Self.limit {
            hashes[user.id] = hash
            if logins.count >= 1000 { logins.removeAll(keepingCapacity: true) }
            logins[user.id] = String(decoding: bytes[user.login], as: UTF8.self)
        }
        return nil
    }
}

/// The keys of the rows so far, to report rows with the same key.
///
/// Holds the first 786,432, like ``GeneratedIDs``.
struct SeenIdentities {
    private static let limit = 786_432
    /// The numbers of the lines or records, by hash.
    private var places: [UInt64: UInt32] = [:]
    private var unit = ""

    /// Adds the key of a row at `place`. Returns the location of an earlier row with the same key, or `nil`.
    mutating func insert(_ key: UnsafeRawBufferPointer, at place: String) -> String? {
        let hash = SipHash.hash(key, key: (1, 2))
        let parts = place.split(separator: " ")
        guard parts.count == 2, let number = UInt32(parts[1]) else { return nil }
        unit = String(parts[0])
        if let earlier = places[hash] {
            places[hash] = number
            return "\(unit) \(earlier)"
        }
        if places.count < Self.limit { places[hash] = number }
        return nil
    }
}
