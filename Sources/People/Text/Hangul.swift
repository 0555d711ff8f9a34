/// The letters and syllables of Hangul.
///
/// Each of the 11,172 syllables consists of one of 19 initial consonants, one of 21 vowels, and one of 27 final
/// consonants or none. Letters on their own, as keyboards produce them, are other scalars: `ㄱ` is U+3131.
enum Hangul {
    static let firstSyllable: UInt32 = 0xAC00
    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
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

    /// Whether `scalar` is a letter on its own.
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
    static func initials(of text: UnsafeRawBufferPointer) -> String? {
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
