import Bytes

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
        var result = ""
        for character in text {
            switch character {
            case "ä", "Ä": result += "ae"
            case "ö", "Ö", "ø", "Ø": result += "oe"
            case "ü", "Ü": result += "ue"
            case "å", "Å": result += "aa"
            default: result.append(character)
            }
        }
        return result
    }

    /// Returns the text with `a`, `o` and `u` instead of `ae`, `oe` and `ue` inside words, or `nil` if it has none.
    /// After another vowel and after `q`, `ue` is not an umlaut: Bauer, Quelle; nor are vowels at the end of a word:
    /// Zoe.
    private func joined(_ text: UnsafeRawBufferPointer) -> String? {
        var bytes: [UInt8] = []
        for index in text.indices {
            if text[index] == UInt8(ascii: "e"), index + 1 < text.count, text[index + 1] &- 97 < 26,
                let vowel = bytes.last, isVowel(vowel, at: index - 1, in: text)
            {
                continue
            }
            bytes.append(text[index])
        }
        return bytes.count < text.count ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Whether the vowel at `index` and an `e` after it may stand for an umlaut.
    private func isVowel(_ vowel: UInt8, at index: Int, in text: UnsafeRawBufferPointer) -> Bool {
        switch vowel {
        case UInt8(ascii: "a"), UInt8(ascii: "o"): text[index] == vowel
        case UInt8(ascii: "u"):
            text[index] == vowel
                && (index == 0 || !Array("aeoq".utf8).contains(text[index - 1]))
        default: false
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
