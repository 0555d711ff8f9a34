import Base
import Foundation

/// The loose form of texts, in which searches look: without case, accents, apostrophes and invisible characters, with
/// `ß` as `ss`, `ø` as `o` and so on, katakana as hiragana, on one line, and with single spaces between words.
///
/// It depends on no language. Digits, punctuation and the marks of Indic scripts and Thai stay.
///
/// Most texts are converted scalar by scalar by a table; only a text with a scalar that may combine with its neighbour
/// takes Foundation's normalization.
public enum LooseForm {
    /// Changes whenever the loose form of any text changes, or the layout of ``SearchedText``, of the orders that every
    /// directory has, or of the search index. Stores then derive all of these again.
    public static let version = 4

    /// Latin letters without a decomposition.
    static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "þ": "th",
        "ŋ": "n", "ŧ": "t",
    ]
}

extension String {
    public var loose: String {
        let buffer = ByteBuffer(capacity: utf8.count * 4 + 8)
        let slice = buffer.append(loose: self)
        return buffer.bytes.text(slice)
    }
}

extension ByteBuffer {
    public func append(loose text: String) -> ByteSlice { text.withBytes { append(loose: $0) } }

    /// Appends the loose form of UTF-8 text, which must not be in this buffer unless there is room for the result:
    /// four times its length, and 8 bytes more.
    public func append(loose text: UnsafeRawBufferPointer) -> ByteSlice {
        let start = count
        if !append(looseScalars: text) {
            let loose = LooseForm.normalized(String(decoding: text, as: UTF8.self))
            truncate(to: start)
            appendWords(of: loose)
        }
        if count == start, text.count > 0 {
            // Only apostrophes or invisible characters: they are all there is to find.
            appendWords(of: String(decoding: text, as: UTF8.self).folded)
        }
        return ByteSlice(offset: start, count: count - start)
    }

    /// Appends `text` with single spaces instead of white space and control characters.
    private func appendWords(of text: String) {
        let words = text.unicodeScalars.split(whereSeparator: LooseForm.isSpace)
        append(utf8: words.map { String($0) }.joined(separator: " "))
    }

    /// Appends the loose form of `text`, scalar by scalar. Returns `false`, with a part of it appended, if the result
    /// may be wrong.
    private func append(looseScalars text: UnsafeRawBufferPointer) -> Bool {
        var isLoose = false
        append(upTo: text.count * 4 + 8) { room in
            var written = 0
            var index = 0
            while index < text.count {
                let byte = text[index]
                if byte &- 0x21 < 0x5E {
                    // Visible ASCII.
                    index += 1
                    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") { continue }
                    room[written] = byte.lowercased
                    written += 1
                    continue
                }
                if byte < 0x80 {
                    index += 1
                    if written > 0, room[written - 1] != 0x20 {
                        room[written] = 0x20
                        written += 1
                    }
                    continue
                }
                let (value, length) = text.shortScalar(at: index)
                if LooseForm.isItself(value) {
                    for offset in 0..<3 { room[written + offset] = text[index + offset] }
                    written += 3
                } else {
                    let entry = LooseForm.entry(value)
                    if entry == 0 { break }
                    if entry == LooseForm.space {
                        if written > 0, room[written - 1] != 0x20 {
                            room[written] = 0x20
                            written += 1
                        }
                    } else {
                        room.storeBytes(of: entry.littleEndian, toByteOffset: written, as: UInt64.self)
                        written += Int(entry >> 56) - 1
                    }
                }
                index += length
            }
            isLoose = index == text.count
            if written > 0, room[written - 1] == 0x20 { written -= 1 }
            return written
        }
        return isLoose
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the scalar of two or three bytes at `index`; 0 for any other.
    @inline(__always) func shortScalar(at index: Int) -> (value: Int, length: Int) {
        let isShort = self[index] < 0xE0
        let length = isShort ? 2 : 3
        guard index + length <= count, self[index] < 0xF0 else { return (0, length) }
        let value = Int(self[index] & (isShort ? 0x1F : 0x0F)) << 6 | Int(self[index + 1] & 0x3F)
        return (isShort ? value : value << 6 | Int(self[index + 2] & 0x3F), length)
    }
}

extension LooseForm {
    /// The entry of white space and control characters.
    static let space: UInt64 = 2 << 56 | 0x20

    /// The scalars of ``table``, in ascending order: those with two bytes in UTF-8 (Latin, Greek, Cyrillic, Armenian,
    /// Hebrew, Arabic), further ones of Latin and Greek, punctuation, kana, and wide and narrow forms.
    private static let blocks = [0..<0x800, 0x1E00..<0x2070, 0x3000..<0x3100, 0xFF00..<0xFFA0]
    /// For each scalar, the UTF-8 of the loose form in the low bytes and its length plus 1 in the highest; 0 if the
    /// result depends on the neighbours.
    private static let table: [UInt64] = makeTable()

    @inline(__always) static func entry(_ scalar: Int) -> UInt64 {
        if scalar < 0x800 { return table[scalar] }
        switch scalar {
        case 0x1E00..<0x2070: return table[scalar - 0x1E00 + 0x800]
        case 0x3000..<0x3100: return table[scalar - 0x3000 + 0xA70]
        case 0xFF00..<0xFFA0: return table[scalar - 0xFF00 + 0xB70]
        default: return 0
        }
    }

    /// Whether a scalar is its own loose form: Han and Hangul syllables.
    @inline(__always) static func isItself(_ scalar: Int) -> Bool {
        (0x3400...0x4DBF).contains(scalar) || (0x4E00...0x9FFF).contains(scalar) || (0xAC00...0xD7A3).contains(scalar)
    }

    private static func makeTable() -> [UInt64] {
        let scalars = blocks.joined().map { value in Unicode.Scalar(value).flatMap { value < 0x80 ? nil : $0 } }
        // All at once, because Foundation takes a microsecond for a scalar of its own. Line feeds keep them apart.
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            if let scalar { text.append(scalar) }
            text.append("\n")
        }
        let lines = lettersOnly(String(text)).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return zip(scalars, lines).map { scalar, loose in
            guard let scalar else { return 0 }
            if isSpace(scalar) { return space }
            guard loose.allSatisfy(isAlone) else { return 0 }
            let bytes = Array(String(loose).utf8)
            guard bytes.count < 8 else { return 0 }
            return bytes.enumerated().reduce(UInt64(bytes.count + 1) << 56) {
                $0 | UInt64($1.element) << (8 * UInt64($1.offset))
            }
        }
    }

    /// Whether a scalar of a loose form neither combines with its neighbours nor is a space. A loose form must
    /// not have two spaces in a row.
    private static func isAlone(_ scalar: Unicode.Scalar) -> Bool {
        scalar != " " && scalar.properties.canonicalCombiningClass == .notReordered
            && !(0x1100..<0x1200).contains(scalar.value)
    }
}

// MARK: - Any text

extension LooseForm {
    /// Returns the loose form of `text`, except that white space and control characters stay as they are.
    static func normalized(_ text: String) -> String {
        // Letters of Hangul may be no part of a syllable.
        String(scalars: lettersOnly(text).precomposedStringWithCanonicalMapping.unicodeScalars.map(Hangul.separate))
    }

    /// Returns the decomposed text without case, accents and invisible characters.
    private static func lettersOnly(_ text: String) -> String {
        let decomposed = protected(text).decomposedStringWithCompatibilityMapping.unicodeScalars
        let kept = decomposed.filter { !isDropped($0) }.map(Hangul.unprotected)
        let cased = String(scalars: kept).lowercased().uppercased().lowercased()
        var result = String.UnicodeScalarView()
        for scalar in cased.unicodeScalars {
            if let letters = letters[scalar] {
                result.append(contentsOf: letters.unicodeScalars)
            } else if !isDropped(scalar) {
                result.append(hiragana(scalar))
            }
        }
        return String(result)
    }

    /// Replaces scalars whose compatibility decomposition is of no use to searches: letters of Hangul would combine
    /// with their neighbours, and acute accents, which stand for apostrophes, would become spaces.
    private static func protected(_ text: String) -> String {
        String(scalars: text.unicodeScalars.filter { !isAcute($0) }.map(Hangul.protected))
    }

    /// U+1FFD is canonically equivalent to U+00B4.
    private static func isAcute(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0xB4 || scalar.value == 0x1FFD }

    private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x30A1...0x30F6, 0x30FD...0x30FE: Unicode.Scalar(scalar.value - 0x60) ?? scalar
        default: scalar
        }
    }

    /// Whether a text loses `scalar`: apostrophes, invisible characters, and the marks on Latin, Greek, Cyrillic,
    /// Hebrew and Arabic letters. U+0345 is not one of them: case folding makes it an iota.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // ' ` ´ ‘ ’ ‛ ′ and the modifier letters that look like them; Hebrew geresh.
        case 0x27, 0x60, 0xB4, 0x2B9, 0x2BB...0x2BF, 0x5F3, 0x2018, 0x2019, 0x201B, 0x2032, 0xA78B, 0xA78C: true
        case 0x300...0x344, 0x346...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7,
            0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8, 0x6EA...0x6ED,
            0x8D3...0x8E1, 0x8E3...0x8FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0x2DE0...0x2DFF,
            0xA66F, 0xA674...0xA67D, 0xA69E...0xA69F, 0xFB1E, 0xFE20...0xFE2F:
            true
        // Kashida, which only makes Arabic words longer.
        case 0x640: true
        case 0x0...0x7F: false
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.isWhitespace
    }
}

/// The letters and syllables of Hangul.
///
/// Each of the 11,172 syllables consists of one of 19 initial consonants, one of 21 vowels, and one of 27 final
/// consonants or none. Letters on their own, as keyboards produce them, are other scalars: `ㄱ` is U+3131.
package enum Hangul {
    static let firstSyllable: UInt32 = 0xAC00
    package static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// The number of syllables with the same initial consonant and vowel.
    static let finals: UInt32 = 28
    /// The number of syllables with the same initial consonant.
    static let syllablesOfInitial: UInt32 = 588

    /// The initial consonants as letters on their own.
    private static let initials: [UInt32] = [
        0x3131, 0x3132, 0x3134, 0x3137, 0x3138, 0x3139, 0x3141, 0x3142, 0x3143, 0x3145, 0x3146, 0x3147, 0x3148, 0x3149,
        0x314A, 0x314B, 0x314C, 0x314D, 0x314E,
    ]
    /// The pairs of consonants that a keyboard joins, because some syllables end with them.
    private static let pairs: [UInt32: [UInt32]] = [
        0x3133: [0x3131, 0x3145], 0x3135: [0x3134, 0x3148], 0x3136: [0x3134, 0x314E], 0x313A: [0x3139, 0x3131],
        0x313B: [0x3139, 0x3141], 0x313C: [0x3139, 0x3142], 0x313D: [0x3139, 0x3145], 0x313E: [0x3139, 0x314C],
        0x313F: [0x3139, 0x314D], 0x3140: [0x3139, 0x314E], 0x3144: [0x3142, 0x3145],
    ]

    static func isCompatibilityLetter(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x318E).contains(scalar.value) }

    /// Returns the index of the initial consonant that `scalar`, a letter on its own, stands for.
    static func initial(ofLetter scalar: UInt32) -> UInt32? {
        initials.firstIndex(of: scalar).map { UInt32($0) }
    }

    /// Returns the indexes of the initial consonants that `scalar` stands for: one, or two joined by a keyboard; empty
    /// for other scalars.
    static func initials(ofLetter scalar: UInt32) -> [UInt32] {
        (pairs[scalar] ?? [scalar]).compactMap { initial(ofLetter: $0) }
    }

    /// Returns the index of the initial consonant of a syllable, or what a letter on its own stands for; empty for
    /// other scalars.
    static func initials(of scalar: UInt32) -> [UInt32] {
        syllables.contains(scalar) ? [(scalar - firstSyllable) / syllablesOfInitial] : initials(ofLetter: scalar)
    }

    /// The scalars that stand for initial consonants in searched texts. No other text in loose form has them.
    static func mark(ofInitial index: UInt32) -> UInt32 { marks.lowerBound + index }
    static let marks: ClosedRange<UInt32> = 0x1100...0x1112

    /// Returns the syllables that `scalar` at the end of a word may become while the user goes on typing: a syllable
    /// without a final consonant gets one, and an initial consonant becomes a syllable.
    static func completions(of scalar: UInt32) -> ClosedRange<UInt32>? {
        if syllables.contains(scalar) {
            return (scalar - firstSyllable) % finals == 0 ? scalar...(scalar + finals - 1) : nil
        }
        return initial(ofLetter: scalar).map {
            let first = firstSyllable + $0 * syllablesOfInitial
            return first...(first + syllablesOfInitial - 1)
        }
    }
}

// MARK: - Initials

extension Hangul {
    /// Returns the initial consonants of the syllables in `text`, which is in loose form, joined over spaces, as they
    /// are in a ``SearchedText``. Other characters separate them. Returns `nil` without any.
    package static func initials(of text: UnsafeRawBufferPointer) -> String? {
        // No other text has bytes like those of U+3131 and higher scalars.
        guard text.contains(where: { (0xE3...0xED).contains($0) }) else { return nil }
        var initials = String.UnicodeScalarView()
        var isSeparated = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar != " " {
            let marks = Self.initials(of: scalar.value).compactMap { Unicode.Scalar(mark(ofInitial: $0)) }
            if marks.isEmpty {
                isSeparated = !initials.isEmpty
                continue
            }
            if isSeparated { initials.append(" ") }
            isSeparated = false
            initials.append(contentsOf: marks)
        }
        return initials.isEmpty ? nil : String(initials)
    }
}

// MARK: - Loose form

extension Hangul {
    /// A private-use scalar for each letter on its own, which no decomposition changes.
    private static let protectedLetters: UInt32 = 0x10_0000

    static func protected(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        isCompatibilityLetter(scalar) ? Unicode.Scalar(scalar.value + protectedLetters) ?? scalar : scalar
    }

    static func unprotected(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        (0x10_3131...0x10_318E).contains(scalar.value)
            ? Unicode.Scalar(scalar.value - protectedLetters) ?? scalar : scalar
    }

    /// Returns the letter on its own instead of an initial consonant or vowel that is not part of a syllable.
    static func separate(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case marks: Unicode.Scalar(initials[Int(scalar.value - marks.lowerBound)]) ?? scalar
        case 0x1161...0x1175: Unicode.Scalar(0x314F + scalar.value - 0x1161) ?? scalar
        default: scalar
        }
    }
}
