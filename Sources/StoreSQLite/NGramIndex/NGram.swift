/// One, two or three characters in a row that stand in a text, none of them white space: what the search index finds users by.
///
/// Three and not more, because a name has as many of each length; three and not fewer, because words of three letters are
/// rare enough. One and two are there because whole names in Hangul and Han are that short.
struct NGram: Hashable {
    /// The longest gram, in characters (Unicode scalars).
    static let maxLength = 3
    /// Scalars take 21 bits each, the first one the lowest; absent ones are 0.
    let code: UInt64

    init(code: UInt64) { self.code = code }

    /// The gram of at most ``maxLength`` characters.
    init(_ scalars: some Collection<Unicode.Scalar>) {
        code = scalars.reversed().reduce(0) { $0 << 21 | UInt64($1.value) }
    }

    /// Whether it is one character alone.
    var isCharacter: Bool { code < 1 << 21 }

    /// Whether the index knows where it stands in a text: of the longest ones, which longer words are put together from.
    var hasPlace: Bool { code >> 42 != 0 && !isFacet }

    /// Which of the index's buckets has it (Fibonacci hashing).
    var bucket: Int { Int((code &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(Self.bucketBits))) }

    /// For tables in memory. A product's lower bits know nothing of the factor's upper ones, the third character's: so these
    /// are brought down before, and its upper bits after.
    var hash: UInt64 {
        let product = (code ^ code >> 32) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }

    /// 4,096 buckets: of a million users each takes some twenty kilobytes, five pages for a rare word to read, and a batch of
    /// some thousand users changes each of them once.
    static let bucketBits = 12
    static let buckets = 1 << bucketBits
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with every gram of this UTF-8 text, some of them more than once, and with the number of the character that
    /// it ends at.
    @inline(__always) func forEachGram(_ body: (NGram, _ end: Int) -> Void) {
        var before: UInt64 = 0
        var beforeThat: UInt64 = 0
        var index = 0
        var number = -1
        while index < count {
            let scalar = self.scalar(at: &index)
            number += 1
            if scalar == 0x20 || scalar &- 9 < 5 {
                (before, beforeThat) = (0, 0)
                continue
            }
            body(NGram(code: scalar), number)
            if before != 0 {
                body(NGram(code: before | scalar << 21), number)
                if beforeThat != 0 { body(NGram(code: beforeThat | before << 21 | scalar << 42), number) }
            }
            (before, beforeThat) = (scalar, before)
        }
    }

    /// The scalar at `index`, which moves past it. Text in the database is UTF-8 unless another program has written there;
    /// then the number is some other one, but never more than 21 bits.
    @inline(__always) private func scalar(at index: inout Int) -> UInt64 {
        let first = UInt64(self[index])
        index += 1
        if first < 0xC0 { return first }
        var scalar = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07
        while index < count, self[index] & 0xC0 == 0x80, scalar < 1 << 15 {
            scalar = scalar << 6 | UInt64(self[index] & 0x3F)
            index += 1
        }
        return scalar
    }
}
