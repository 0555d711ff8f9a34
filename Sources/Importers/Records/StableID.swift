import Base

/// Generates ids for users whose source has none: 53 bits of a hash, so that they are exact in JavaScript as well.
///
/// Two of a million users share an id with a probability of 1 in 18,000.
enum StableID {
    /// Returns an id made from `bytes`, the same on every machine.
    static func make(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        id(SipHash.hash(bytes, key: (0x726F_6C6C, 0x6361_6C6C)))
    }

    /// Returns an id made from `text` and `salt`.
    static func make(_ text: String, salt: String) -> Int64 {
        let key = Array(salt.utf8).withUnsafeBytes { SipHash.hash($0, key: (0, 0)) }
        return Array(text.utf8).withUnsafeBytes { id(SipHash.hash($0, key: (key, ~key))) }
    }

    private static func id(_ hash: UInt64) -> Int64 { max(1, Int64(hash >> 11)) }
}
