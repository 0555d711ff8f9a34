/// The values that a table has got since it had no rows of a directory, as a
/// [Bloom filter](https://en.wikipedia.org/wiki/Bloom_filter). An import that fills a new directory looks for no value
/// that cannot be there.
///
/// 4 MiB, two bits a value: of a million values that are not there, 3,500 are looked up.
struct AbsenceFilter {
    private static let bits: UInt64 = 25
    /// `nil` if nothing is known.
    private var words: [UInt64]?

    /// Begins a transaction. The filter keeps what it knows if the table `isUnchanged` since this writer's last one.
    mutating func begin(isUnchanged: Bool, isEmpty: @autoclosure () throws -> Bool) rethrows {
        if isUnchanged { return }
        words = try isEmpty() ? [UInt64](repeating: 0, count: 1 << Int(Self.bits - 6)) : nil
    }

    /// Whether no value with `hash` is there.
    func rulesOut(_ hash: UInt64) -> Bool {
        guard let words else { return false }
        let (first, second) = Self.places(hash)
        return words[first.word] & first.bit == 0 || words[second.word] & second.bit == 0
    }

    mutating func insert(_ hash: UInt64) {
        let (first, second) = Self.places(hash)
        words?[first.word] |= first.bit
        words?[second.word] |= second.bit
    }

    private static func places(_ hash: UInt64) -> (first: (word: Int, bit: UInt64), second: (word: Int, bit: UInt64)) {
        (place(hash >> (64 - bits)), place((hash << bits) >> (64 - bits)))
    }

    private static func place(_ bit: UInt64) -> (word: Int, bit: UInt64) { (Int(bit >> 6), 1 << (bit & 63)) }
}
