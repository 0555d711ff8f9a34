import Base

/// One, two or three adjacent characters of a text, none of them white space: the key by which the index finds texts.
///
/// A name has about as many n-grams of each length, and three characters are enough to make most n-grams rare, so
/// longer ones would gain little. Lengths one and two are there because whole names in Hangul and Han are that short.
package struct NGram: Hashable {
    /// The length of the longest n-gram, in characters (Unicode scalars).
    package static let maxLength = 3
    /// The scalars, 21 bits each, the first one in the lowest bits. Absent ones are 0.
    package let code: UInt64

    package init(code: UInt64) { self.code = code }

    /// The n-gram of one to ``maxLength`` characters.
    package init(_ scalars: some Collection<Unicode.Scalar>) {
        code = scalars.reversed().reduce(0) { $0 << 21 | UInt64($1.value) }
    }

    /// Whether the n-gram has only one character.
    package var isCharacter: Bool { code < 1 << 21 }

    /// Whether postings of this n-gram carry its offset in the text. Only n-grams of three characters do: longer words
    /// are put together from them.
    package var hasOffset: Bool { code >> 42 != 0 && !isTag }

    /// The number of the bucket that holds the posting lists of this n-gram (Fibonacci hashing).
    ///
    /// 64 values of a kind have one bucket, so that a range of thousands of values is read from some hundred buckets.
    package var bucket: Int {
        let key = isTag ? code & ~63 : code
        return Int((key &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(Self.bucketBits)))
    }

    /// The hash for tables in memory.
    ///
    /// The lower bits of a product do not depend on the upper bits of its factors, which are the third character. So
    /// the upper bits are mixed into the lower ones before the multiplication, and those of the product after it.
    var hash: UInt64 {
        let product = (code ^ code >> 32) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }

    /// 4,096 buckets: with a million texts each holds about 20 KB, so that a rare n-gram costs five blobs to read, and
    /// a batch of some thousand texts changes each bucket once.
    static let bucketBits = 12
    static let bucketCount = 1 << bucketBits
}

// MARK: - Marks

extension NGram {
    /// A code that stands for a position instead of a character. No text contains it.
    package enum Mark: UInt64 {
        /// Before the first character of a title.
        case title = 1
        /// Before the first character of every other word.
        case word = 2
    }

    /// The lines of a text that are titles: the first two. Later ones are titles if they begin with ``titleVariant``.
    static let titleLines = 2
    static let titleVariant: UInt64 = 1

    /// The n-gram of a mark and the one or two characters after it.
    package init(_ mark: Mark, before scalars: some Collection<Unicode.Scalar>) {
        code = NGram(scalars).code << 21 | mark.rawValue
    }
}

// MARK: - Tags

extension NGram {
    /// The third character of a tag: a code that no text contains.
    private static let tagScalar: UInt64 = 0x1F_FFFF

    /// The greatest kind, and the greatest value of a kind: 21 bits.
    package static let maxTag: Int64 = 1 << 21 - 1

    /// The n-gram that stands for value `value` of kind `kind`, so that the index finds a tag as it finds a word.
    /// Values are from 1 to ``maxTag``, kinds from 0.
    package init(tag value: Int64, ofKind kind: Int64) {
        let (value, kind) = (UInt64(bitPattern: value & Self.maxTag), UInt64(bitPattern: kind & Self.maxTag))
        self.init(code: Self.tagScalar << 42 | kind << 21 | value)
    }

    /// The tag of the texts that have `title` as a whole title. Rarely, other texts have it, too: it is a hash.
    package init(title: UnsafeRawBufferPointer) {
        var hash = TitleHash()
        var index = 0
        while index < title.count { hash.add(UInt64(title.scalar(at: &index))) }
        self = hash.tag
    }

    package var isTag: Bool { code >> 42 == Self.tagScalar }
}

/// The hash of a title (FNV-1a over its characters), as a tag.
struct TitleHash {
    /// No filter has this kind.
    private static let kind = NGram.maxTag - 1

    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always) mutating func add(_ scalar: UInt64) { value = (value ^ scalar) &* 0x100_0000_01B3 }

    var tag: NGram {
        NGram(tag: Int64((value ^ value >> 32) % UInt64(NGram.maxTag)) + 1, ofKind: Self.kind)
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with every n-gram of this UTF-8 text, those with a ``NGram/Mark`` and the tags of its titles
    /// included, and the number of the character that it ends at. N-grams that occur more than once are passed more
    /// than once.
    @inline(__always) package func forEachNGram(_ body: (NGram, _ end: Int) -> Void) {
        var previous: UInt64 = 0
        var beforePrevious: UInt64 = 0
        var index = 0
        var number = -1
        var line = 0
        var isTitle = true
        var isLineStart = true
        // The mark before the previous character, or 0.
        var mark: UInt64 = 0
        var isAfterWord = false
        var title = TitleHash()
        while index < count {
            let scalar = UInt64(self.scalar(at: &index))
            number += 1
            if scalar <= 0x20 {
                if scalar == 0x0A {
                    if isTitle, !isLineStart { body(title.tag, number) }
                    line += 1
                    isTitle = line < NGram.titleLines
                    isLineStart = true
                    title = TitleHash()
                } else if scalar == NGram.titleVariant, isLineStart {
                    isTitle = true
                } else if isTitle {
                    title.add(scalar)
                }
                (previous, beforePrevious, mark, isAfterWord) = (0, 0, 0, false)
                continue
            }
            if isTitle { title.add(scalar) }
            body(NGram(code: scalar), number)
            if previous != 0 {
                body(NGram(code: previous | scalar << 21), number)
                if beforePrevious != 0 {
                    body(NGram(code: beforePrevious | previous << 21 | scalar << 42), number)
                }
                if mark != 0 { body(NGram(code: mark | previous << 21 | scalar << 42), number) }
            }
            let isWord = UInt32(truncatingIfNeeded: scalar).isWordScalar
            let isTitleStart = isLineStart && isTitle
            mark = isTitleStart ? NGram.Mark.title.rawValue : isWord && !isAfterWord ? NGram.Mark.word.rawValue : 0
            if mark != 0 { body(NGram(code: mark | scalar << 21), number) }
            (isAfterWord, isLineStart) = (isWord, false)
            (previous, beforePrevious) = (scalar, previous)
        }
        if isTitle, !isLineStart { body(title.tag, number) }
    }
}
