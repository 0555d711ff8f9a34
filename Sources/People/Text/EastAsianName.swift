/// A name in the scripts of East Asia, where the last name comes first: `김민수` is 김 and 민수.
public struct EastAsianName {
    public let last: String
    /// The given name, which follows it.
    public let first: String

    /// Family names of two letters. Most of them are family names only if two more letters follow: 남궁민 may
    /// also be 남 궁민.
    static let longFamilyNames: Set = [
        "남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방", "欧阳", "歐陽", "司马", "司馬", "上官", "诸葛", "諸葛", "东方", "東方",
    ]

    /// Takes apart a name of Hangul or Han without a space. Returns `nil` for other names, and for a single letter.
    public init?(_ name: String) {
        guard name.count > 1, name.unicodeScalars.allSatisfy({ Self.isHangulOrHan($0.value) }) else { return nil }
        let isLong = name.count > 3 && Self.longFamilyNames.contains(String(name.prefix(2)))
        last = String(name.prefix(isLong ? 2 : 1))
        first = String(name.dropFirst(isLong ? 2 : 1))
    }

    private static func isHangulOrHan(_ scalar: UInt32) -> Bool {
        isLetter(scalar) && !(0x3041...0x31FF).contains(scalar) && !(0xFF66...0xFF9F).contains(scalar)
    }

    /// Whether a first or last name has letters of Han, Hangul and Kana alone.
    public static func isPart(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy { isLetter($0.value) }
    }

    /// Returns the spellings of a whole name with the last name `last` by which it is found as well: without a space,
    /// and with the first name first.
    package static func variants(of name: String, last: String) -> [String] {
        let joined = name.filter { $0 != " " }
        guard isPart(joined), !last.isEmpty, joined.hasPrefix(last), joined.count > last.count else { return [] }
        return [joined, joined.dropFirst(last.count) + last].filter { $0 != name }
    }

    /// Whether a scalar is an ideograph or one of the marks of repetition and zero.
    static func isHan(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// Whether a scalar is a letter of Han, Hangul or Kana.
    package static func isLetter(_ scalar: UInt32) -> Bool {
        switch scalar {
        // Hangul: Jamo, compatible Jamo, extended Jamo, syllables.
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
        // Hiragana and Katakana with the mark of a long vowel and the middle dot; half-width Katakana.
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: true
        default: isHan(scalar)
        }
    }
}
