import Base
import People
import Publishing

/// The identities of the people whom an import has had so far, to report rows that share a key or a name.
///
/// Holds the first 786,432: as many as a dictionary keeps in 16 MiB.
struct SeenIdentities {
    private static let limit = 786_432

    /// The number of the line or record of each row, and a part of the hash of what tells people apart who share the
    /// identity.
    private var rows: [UInt64: (place: UInt32, apart: UInt32)] = [:]
    /// The numbers of rows that nothing tells apart, for identities that several rows have.
    private var numbers: [UInt64: Int] = [:]

    /// Adds a row at `place`. Returns the last earlier row with the same identity, or `nil`; whether nothing tells the
    /// two apart; and how many rows with the same identity nothing told apart, the last one included.
    mutating func insert(
        _ identity: UnsafeRawBufferPointer, apart: UnsafeRawBufferPointer, at place: String
    ) -> (place: String, isSame: Bool, number: Int)? {
        let hash = SipHash.hash(identity, key: (1, 2))
        guard let space = place.utf8.firstIndex(of: UInt8(ascii: " ")),
            let number = UInt32(place[place.utf8.index(after: space)...])
        else { return nil }
        let row = (place: number, apart: UInt32(truncatingIfNeeded: SipHash.hash(apart, key: (3, 4))))
        if let earlier = rows[hash] {
            rows[hash] = row
            let numbered = { (apart: UInt32) in hash ^ UInt64(apart) << 32 }
            numbers[numbered(earlier.apart)] = numbers[numbered(earlier.apart)] ?? 1
            let number = (numbers[numbered(row.apart)] ?? 0) + 1
            numbers[numbered(row.apart)] = number
            return ("\(place[..<space]) \(earlier.place)", earlier.apart == row.apart, number)
        }
        if rows.count < Self.limit { rows[hash] = row }
        return nil
    }
}

extension ImportSink {
    /// Reports a user whose key or name an earlier row has, and tells namesakes apart who have the same values in the
    /// columns for that, by their order.
    func noteShared(_ user: UserToWrite, at place: @autoclosure () -> String) {
        let bytes = batch.users.buffer.bytes
        let kind = batch.users.identityKind(of: user)
        guard kind == .key || kind == .name else { return }
        let identity = bytes[user.identity]
        let apart = kind == .key ? SearchedText(bytes[user.text], exact: bytes[user.exact]).name : bytes[user.apart]
        let place = place()
        guard let earlier = identities.insert(identity, apart: apart, at: place) else { return }
        let loss: ImportLosses.Kind = kind == .name ? .sameName : earlier.isSame ? .repeatedKey : .sharedKey
        let columns = kind == .key ? schema?.settings.key : schema?.settings.apart
        let text = (columns ?? []).joined(separator: " and ")
        batch.progress.losses.add(loss, text, at: "\(earlier.place) and \(place)")
        guard kind == .name, earlier.number > 1 else { return }
        // Nothing but the order tells them apart.
        batch.users.tellLastApart(by: Array(apart) + [0] + Array("\(earlier.number)".utf8))
    }
}
