import Base

/// Generates ids for authors of a repository: 53 bits of a hash, so that they are exact in JavaScript as well.
///
/// Two of a million users share an id with a probability of 1 in 18,000.
enum StableID {
    /// Returns an id made from `text` and `salt`, the same on every machine.
    static func make(_ text: String, salt: String) -> Int64 {
        let key = Array(salt.utf8).withUnsafeBytes { SipHash.hash($0, key: (0, 0)) }
        return Array(text.utf8).withUnsafeBytes { max(1, Int64(SipHash.hash($0, key: (key, ~key)) >> 11)) }
    }
}
