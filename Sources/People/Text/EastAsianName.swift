/// Names in the scripts of East Asia, where the last name comes first.
public enum EastAsianName {
    /// Whether a first or last name has letters of Han, Hangul and Kana alone.
    public static func isPart(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy { isLetter($0.value) }
    }

    /// Returns the spellings of a whole name with the last name `last` by which it is found as well: without a space,
    /// and with the first name first.
    static func variants(of name: String, last: String) -> [String] {
        let joined = name.filter { $0 != " " }
        guard isPart(joined), !last.isEmpty, joined.hasPrefix(last), joined.count > last.count else { return [] }
        return [joined, joined.dropFirst(last.count) + last].filter { $0 != name }
    }

    private static func isLetter(_ scalar: UInt32) -> Bool {
        switch scalar {
        // Hangul: Jamo, compatible Jamo, extended Jamo, syllables.
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
        // Hiragana and Katakana with the mark of a long vowel and the middle dot; half-width Katakana.
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: true
        // Han: the marks of repetition and zero, ideographs.
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
