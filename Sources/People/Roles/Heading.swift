import Foundation

/// Normalizes headings for comparison: letters and digits, in lower case, without accents.
package enum Heading {
    /// Returns the letters and digits of `heading`, so that `Job title`, `job_title` and `jobTitle` are the same.
    package static func normalized(_ heading: String) -> String {
        // Looking up Unicode properties takes ten times as long, and a record may have very many member names.
        if heading.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(
                decoding: heading.utf8.compactMap { byte in
                    byte &- 48 < 10 ? byte : (byte | 0x20) &- 97 < 26 ? byte | 0x20 : nil
                }, as: UTF8.self)
        }
        var normalized = ""
        for scalar in heading.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            if let letters = plain[scalar] {
                normalized += letters
            } else if isLetterOrDigit(scalar) {
                normalized.unicodeScalars.append(base(of: scalar))
            }
        }
        return normalized
    }

    /// Returns the words of `heading` in the same form: `Tel. privat`, `homePhone` and `HOME_PHONE` have two.
    static func words(_ heading: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        for scalar in heading.precomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.properties.generalCategory == .nonspacingMark { continue }
            let isWordPart = isLetterOrDigit(scalar)
            if !isWordPart || (wasLower && scalar.properties.isUppercase) {
                if !word.isEmpty { words.append(normalized(word)) }
                word = ""
            }
            if isWordPart { word.unicodeScalars.append(scalar) }
            wasLower = scalar.properties.isLowercase
        }
        if !word.isEmpty { words.append(normalized(word)) }
        return words
    }

    /// Whether the values of a column called `heading` name something, such as `Member no.`: the heading ends in such a
    /// word. German and the languages without spaces join it to others.
    package static func isOfIdentifiers(_ heading: String) -> Bool {
        if let last = words(heading).last, ["number", "no", "nr", "id", "code", "numero"].contains(last) {
            return true
        }
        let name = normalized(heading)
        return ["nummer", "nr", "code", "번호", "番号", "编号"].contains { name.hasSuffix(normalized($0)) }
    }

    /// Returns the ASCII letter of a letter with any accents, and every other scalar unchanged.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard let base = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first, base.isASCII else {
            return scalar
        }
        return base
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Latin letters with accents, as in the headings of the seven languages, and what they become.
    private static let plain: [Unicode.Scalar: String] = {
        var plain: [Unicode.Scalar: String] = ["ß": "ss", "œ": "oe", "æ": "ae"]
        for (letter, accented) in [
            ("a", "àáâãäå"), ("c", "ç"), ("e", "èéêë"), ("i", "ìíîï"), ("n", "ñ"), ("o", "òóôõöø"), ("u", "ùúûü"),
            ("y", "ýÿ"),
        ] {
            for scalar in accented.unicodeScalars { plain[scalar] = letter }
        }
        return plain
    }()
}
