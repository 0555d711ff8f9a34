/// Judges whether the decoded text of a cell looks natural.
struct Plausibility {
    private let languages: [Set<Unicode.Scalar>]
    private let common: Set<Unicode.Scalar>

    init(of encoding: TextEncoding) {
        languages = (Self.languages[encoding] ?? []).map { Set($0.unicodeScalars) }
        common = Self.common[encoding] ?? []
    }

    /// The cost of a cell that hardly any text contains.
    static let odd = 4

    /// Returns 0 for a cell that looks right; 1 or 2 if some or most of its letters are rare or outside a single
    /// alphabet; ``odd`` if hardly any text contains such a sequence of characters.
    func cost(of text: String) -> Int {
        var scan = Scan()
        for scalar in text.unicodeScalars where !scan.isOdd { scan.take(scalar) }
        if scan.isOdd { return Self.odd }
        let letters = Self.letters(of: text)
        if !languages.isEmpty { return isOneLanguage(letters) ? 0 : 2 }
        if common.isEmpty || letters.isEmpty { return 0 }
        let rare = letters.count { !common.contains($0) }
        return rare == 0 ? 0 : rare * 2 <= letters.count ? 1 : 2
    }

    /// Returns 2 if no single language has all letters of `texts`.
    func cost(ofAll texts: [String]) -> Int {
        languages.isEmpty || isOneLanguage(Set(texts.lazy.flatMap(Self.letters))) ? 0 : 2
    }

    private func isOneLanguage(_ letters: some Collection<Unicode.Scalar>) -> Bool {
        letters.isEmpty || languages.contains { $0.isSuperset(of: letters) }
    }

    private static func letters(of text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0.value >= 0x80 && $0.properties.isAlphabetic }
    }

    /// One pass over the characters of a cell.
    private struct Scan {
        private(set) var isOdd = false
        private var last: Kind = .space
        /// The number of letters other than ASCII in a row, in a word of Latin letters.
        private var accented = 0

        private enum Kind {
            case space, digit
            case mark(isSign: Bool)
            case letter(Script, isUpper: Bool, isLower: Bool, isASCII: Bool)
        }

        mutating func take(_ scalar: Unicode.Scalar) {
            guard let kind = Self.kind(of: scalar) else { return isOdd = true }
            switch (last, kind) {
            case (.letter(let script, _, let wasLower, let wasASCII), .letter(let next, let isUpper, _, let isASCII)):
                // Names such as McDonald have a capital letter inside, but both letters are then ASCII.
                let hasLowerASCII = wasLower && wasASCII || isASCII && !isUpper
                if !script.joins(next, hasLowerASCII) || wasLower && isUpper && !(wasASCII && isASCII) { isOdd = true }
            // A sign such as ¼ or ¶ beside a letter is a letter in the wrong encoding.
            case (.letter, .mark(isSign: true)), (.mark(isSign: true), .letter): isOdd = true
            default: break
            }
            if case .letter(.latin, _, _, isASCII: false) = kind { accented += 1 } else { accented = 0 }
            // No language of Latin letters has four accents in a row, and hardly any word three.
            if accented > 2 { isOdd = true }
            last = kind
        }
        /// Returns `nil` for a character that no list of people contains.
        private static func kind(of scalar: Unicode.Scalar) -> Kind? {
            if scalar.value < 0x80 {
                switch scalar.value {
                case 65...90: return .letter(.latin, isUpper: true, isLower: false, isASCII: true)
                case 97...122: return .letter(.latin, isUpper: false, isLower: true, isASCII: true)
                case 48...57: return .digit
                case 32: return .space
                default: return scalar.value < 32 || scalar.value == 127 ? nil : .mark(isSign: false)
                }
            }
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control, .privateUse, .unassigned, .surrogate: return nil
            case .spaceSeparator: return .space
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                return Script(scalar).map {
                    .letter($0, isUpper: properties.isUppercase, isLower: properties.isLowercase, isASCII: false)
                }
            // Vowel points of Hebrew and Arabic, which are hardly ever written.
            case .nonspacingMark, .spacingMark: return nil
            default: return .mark(isSign: scalar.isSign)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a sign that stands apart from letters in texts: a currency, a fraction, a mathematical or
    /// typographical sign.
    fileprivate var isSign: Bool {
        switch (self, properties.generalCategory) {
        case ("°", _), ("®", _): false
        case ("¡", _), ("§", _), ("¶", _), ("¿", _): true
        case (_, .mathSymbol), (_, .currencySymbol), (_, .modifierSymbol), (_, .otherSymbol), (_, .otherNumber): true
        default: false
        }
    }
}

/// A script that the encodings have letters of.
private enum Script {
    case latin, cyrillic, greek, hebrew, arabic, han, kana, halfwidthKana, hangul

    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0xAA, 0xBA: self = .latin
        case 0xC0...0x24F, 0x1E00...0x1EFF, 0xFF21...0xFF5A: self = .latin
        case 0x370...0x3FF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF: self = .arabic
        case 0x3005, 0x3400...0x9FFF, 0xF900...0xFAFF: self = .han
        case 0x3041...0x30FF: self = .kana
        case 0xFF66...0xFF9F: self = .halfwidthKana
        case 0xAC00...0xD7A3: self = .hangul
        default: return nil
        }
    }

    /// Whether a word may contain letters of both scripts side by side. Abbreviations such as IT join ideographs and
    /// syllables; `hasLowerASCII` means that one of the two letters is a lower-case ASCII letter.
    func joins(_ other: Script, _ hasLowerASCII: Bool) -> Bool {
        switch (self, other) {
        case (.han, .kana), (.kana, .han): true
        case (.latin, .han), (.latin, .kana), (.latin, .hangul), (.han, .latin), (.kana, .latin), (.hangul, .latin):
            !hasLowerASCII
        default: self == other
        }
    }
}
