import Directories

/// Generates handles for users without one.
enum Handle {
    /// Returns the letters and digits of `name`, in any script, in lower case, with single hyphens between the words;
    /// empty if there are none.
    static func slug(_ name: String) -> String {
        var slug = String.UnicodeScalarView()
        var needsHyphen = false
        for scalar in name.folded.unicodeScalars {
            if isPartOfWord(scalar) {
                if needsHyphen, !slug.isEmpty { slug.append("-") }
                needsHyphen = false
                slug.append(scalar)
                // 100: room for the longest names, and far below the 255 that a login may have. A letter may bring a
                // hyphen along, so the count can step over 100.
                if slug.count >= 100 { break }
            } else if scalar != "'", scalar != "’" {
                needsHyphen = true
            }
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
}
