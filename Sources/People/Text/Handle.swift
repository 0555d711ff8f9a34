import Base

/// Makes handles from names, for users without a login in the source.
public enum Handle {
    /// Returns the letters and digits of `name` in lower case, with single hyphens between the words; empty without
    /// letters and digits. Latin letters lose their diacritics or are transliterated by the rules of `language`; other
    /// scripts stay.
    public static func slug(_ name: String, language: String = "und") -> String {
        let special = lettersByLanguage[language.primaryLanguage]
        let (buffer, slug) = (ByteBuffer(), ByteBuffer())
        let folded = buffer.append(folding: name)
        var (needsHyphen, isAfterLatin) = (false, false)
        for scalar in buffer.bytes.text(folded).unicodeScalars {
            // A combining mark that does not compose with the letter before it.
            if isAfterLatin, scalar.value >= 0x300, scalar.properties.generalCategory == .nonspacingMark { continue }
            guard isPartOfWord(scalar) else {
                if scalar != "'", scalar != "’" { needsHyphen = true }
                isAfterLatin = false
                continue
            }
            if needsHyphen, !slug.isEmpty { slug.append(UInt8(ascii: "-")) }
            needsHyphen = false
            isAfterLatin = isLatin(scalar)
            if scalar.isASCII {
                slug.append(UInt8(scalar.value))
            } else {
                slug.append(utf8: isAfterLatin ? special?[scalar] ?? plain(scalar) : String(scalar))
            }
            // 100: room for the longest names, and far below the 255 that a login may have. A letter may add a hyphen
            // or become two, so the count can skip 100.
            if slug.count >= 100, String(slug).unicodeScalars.count >= 100 { break }
        }
        return String(slug)
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return (97...122).contains(scalar.value) || (48...57).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    /// Whether `scalar` is in a block of Latin letters.
    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 97...122, 0xAA, 0xBA, 0xC0...0x24F, 0x250...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF: true
        default: false
        }
    }
}

// MARK: - The transliteration of Latin letters

extension Handle {
    /// Returns the letters of a–z that stand for `scalar`, a Latin letter in lower case beyond ASCII.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        let index = Int(scalar.value) - 0x80
        return index < common.count ? common[index] : decomposed(scalar)
    }

    private static func decomposed(_ scalar: Unicode.Scalar) -> String {
        if let letters = LooseForm.letters[scalar] { return letters }
        return String(scalar).withoutMarks.unicodeScalars.map { LooseForm.letters[$0] ?? String($0) }.joined()
    }

    /// The letters for the scalars from U+0080 to U+024F: decomposing one takes as long as all else in a name.
    private static let common = (0x80...0x24F as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).map(decomposed)

    private static let german: [Unicode.Scalar: String] = ["ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"]
    private static let danish: [Unicode.Scalar: String] = ["å": "aa", "ø": "oe", "æ": "ae"]
    /// Swedish and all other languages have no rules of their own: `å` becomes `a`.
    private static let lettersByLanguage = ["de": german, "da": danish, "nb": danish, "nn": danish, "no": danish]
}
