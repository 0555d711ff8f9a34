import Base

/// The keys of the rows so far, to report rows with the same key.
///
/// Holds the first 786,432: as many as a dictionary keeps in 12 MiB.
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
