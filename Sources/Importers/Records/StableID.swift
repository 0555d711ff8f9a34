import Bytes

/// Ids for people whose source has none: 53 bits of a hash, so that they are exact in JavaScript, too.
///
/// Among a million people, two share one with a chance of 1 in 18,000.
enum StableID {
    /// An id from `bytes`, the same on every machine and every day.
    static func make(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        id(SipHash.hash(bytes, key: (0x726F_6C6C, 0x6361_6C6C)))
    }

    /// An id from `text`, another one for another `salt`.
    static func make(_ text: String, salt: String) -> Int64 {
        let key = Array(salt.utf8).withUnsafeBytes { SipHash.hash($0, key: (0, 0)) }
        return Array(text.utf8).withUnsafeBytes { id(SipHash.hash($0, key: (key, ~key))) }
    }

    private static func id(_ hash: UInt64) -> Int64 { max(1, Int64(hash >> 11)) }
}
