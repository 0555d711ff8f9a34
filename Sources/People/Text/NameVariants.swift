import Base
import Foundation

/// Other spellings by which people search for a text: `mueller` for Müller, and in German also `muller` for Mueller.
struct NameVariants {
    /// Whether `ae`, `oe` and `ue` may stand for umlauts.
    private let joinsVowels: Bool

    init(language: String) {
        joinsVowels = SearchedText.form(ofLanguage: language) == SearchedText.germanForm
    }

    /// Returns the variants of a text in loose form, which `loose` is, too. Most texts have none.
    func all(of text: UnsafeRawBufferPointer, loose: UnsafeRawBufferPointer) -> [String] {
        guard joinsVowels || text.hasLatinVowels else { return [] }
        var variants: [String] = []
        if text.hasLatinVowels { variants.append(Self.spelledOut(String(decoding: text, as: UTF8.self)).loose) }
        if joinsVowels, let joined = joined(loose) { variants.append(joined) }
        return variants.filter { !$0.utf8.elementsEqual(loose) }
    }

    static func spelledOut(_ text: String) -> String {
        // A letter and its diaeresis or ring may be two scalars.
        let isDecomposed = text.unicodeScalars.contains { $0 == "\u{308}" || $0 == "\u{30A}" }
        var result = String.UnicodeScalarView()
        for scalar in (isDecomposed ? text.precomposedStringWithCanonicalMapping : text).unicodeScalars {
            switch scalar {
            case "ä", "Ä": result.append(contentsOf: "ae".unicodeScalars)
            case "ö", "Ö", "ø", "Ø": result.append(contentsOf: "oe".unicodeScalars)
            case "ü", "Ü": result.append(contentsOf: "ue".unicodeScalars)
            case "å", "Å": result.append(contentsOf: "aa".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns the text with `a`, `o` and `u` instead of `ae`, `oe` and `ue` inside words, or `nil` if it has none.
    /// After another vowel and after `q`, `ue` is not an umlaut: Bauer, Quelle; nor are vowels at the end of a word:
    /// Zoe.
    private func joined(_ text: UnsafeRawBufferPointer) -> String? {
        guard text.indices.contains(where: { isSecondVowel(at: $0, in: text) }) else { return nil }
        let indices = text.indices.filter { !isSecondVowel(at: $0, in: text) }
        return String(decoding: indices.map { text[$0] }, as: UTF8.self)
    }

    /// Whether the byte at `index` is an `e` that may stand for an umlaut together with the vowel before it.
    private func isSecondVowel(at index: Int, in text: UnsafeRawBufferPointer) -> Bool {
        guard text[index] == UInt8(ascii: "e"), index > 0, index + 1 < text.count, text[index + 1] &- 97 < 26 else {
            return false
        }
        switch text[index - 1] {
        case UInt8(ascii: "a"), UInt8(ascii: "o"): return true
        case UInt8(ascii: "u"):
            guard index > 1 else { return true }
            switch text[index - 2] {
            case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "o"), UInt8(ascii: "q"): return false
            default: return true
            }
        default: return false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 text has `ä`, `ö`, `ü`, `ø` or `å`, as one scalar or two; rarely also for other texts.
    fileprivate var hasLatinVowels: Bool {
        var index = 0
        while index + 1 < count {
            switch self[index] {
            case 0xC3:
                switch self[index + 1] | 0x20 {
                case 0xA4, 0xA5, 0xB6, 0xB8, 0xBC: return true
                default: index += 2
                }
            // U+0308 and U+030A.
            case 0xCC where self[index + 1] == 0x88 || self[index + 1] == 0x8A: return true
            default: index += 1
            }
        }
        return false
    }
}

extension ByteBuffer {
    /// Appends a line of a ``SearchedText``: a line feed, `mark` and `variant`, which is in loose form.
    func append(variant: String, mark: UInt8) {
        append(UInt8(ascii: "\n"))
        append(mark)
        append(utf8: variant)
    }
}
