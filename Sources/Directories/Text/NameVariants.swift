import Bytes

/// Other spellings by which people search for a text: `mueller` for Müller, and in German also `muller` for Mueller.
struct NameVariants {
    /// Whether `ae`, `oe` and `ue` may stand for umlauts.
    private let joinsVowels: Bool

    init(language: String) {
        joinsVowels = SearchedText.form(ofLanguage: language) == SearchedText.germanForm
    }

    /// Appends the variants of a text, a line each: a line feed, `mark`, and the variant in loose form.
    func append(of text: UnsafeRawBufferPointer, loose: ByteSlice, mark: UInt8, to buffer: ByteBuffer) {
        // Most texts are ASCII.
        if text.hasLatinVowels {
            let spelledOut = Self.spelledOut(String(decoding: text, as: UTF8.self))
            append(spelledOut, unlike: loose, mark, to: buffer)
        }
        if joinsVowels, let joined = joined(buffer.bytes[loose]) { append(joined, unlike: loose, mark, to: buffer) }
    }

    private func append(_ variant: String, unlike loose: ByteSlice, _ mark: UInt8, to buffer: ByteBuffer) {
        let start = buffer.count
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(mark)
        let line = buffer.append(loose: variant)
        if buffer.bytes[line].elementsEqual(buffer.bytes[loose]) { buffer.truncate(to: start) }
    }

    private static func spelledOut(_ text: String) -> String {
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

    /// Returns the text with `a`, `o` and `u` instead of `ae`, `oe` and `ue`, or `nil` if it has none. After another
    /// vowel and after `q`, `ue` is not an umlaut: Bauer, Quelle.
    private func joined(_ text: UnsafeRawBufferPointer) -> String? {
        var bytes: [UInt8] = []
        for index in text.indices {
            if text[index] == UInt8(ascii: "e"), let vowel = bytes.last, isVowel(vowel, at: index - 1, in: text) {
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
