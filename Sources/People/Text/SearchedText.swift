import Base
import Foundation

/// The text of a user in which searches look, in loose form (``LooseForm``). Lines, separated by line feeds:
///
/// 1. the login, or nothing if it is generated
/// 2. the name, or nothing
/// 3. a line for each value of a searched field
/// 4. variants: each of these lines begins with ``titleVariant`` or ``fieldVariant``
///
/// Login, name and their variants are titles: a search ranks those higher that equal its words or begin with them.
/// Variants are other spellings (`anna mueller` for Anna Müller), and the initial consonants of Hangul syllables,
/// joined over spaces, as the scalars U+1100 to U+1112. No other line has these scalars.
///
/// No line has control characters, except the one that a variant begins with.
public struct SearchedText {
    /// The first byte of a variant of the login or the name.
    public static let titleVariant: UInt8 = 1
    /// The first byte of a variant of a field's value.
    public static let fieldVariant: UInt8 = 2

    static let germanForm = "\(LooseForm.version);de"

    /// Returns the description of this layout for a directory in `language`. Texts with another form are derived again.
    public static func form(ofLanguage language: String) -> String {
        language.primaryLanguage == "de" ? germanForm : "\(LooseForm.version)"
    }

    public let bytes: UnsafeRawBufferPointer
    /// The folded login, a line feed and the folded name, if either differs from its loose form; else empty.
    public let exact: UnsafeRawBufferPointer

    public init(_ bytes: UnsafeRawBufferPointer, exact: UnsafeRawBufferPointer) {
        self.bytes = bytes
        self.exact = exact
    }

    /// The loose login; empty if it is generated.
    public var login: UnsafeRawBufferPointer { bytes.line(at: 0) }
    /// The loose name; empty without one.
    public var name: UnsafeRawBufferPointer { bytes.line(at: login.count + 1) }
    /// The folded name; empty without one.
    public var foldedName: UnsafeRawBufferPointer {
        exact.isEmpty ? name : exact.line(at: exact.line(at: 0).count + 1)
    }

    /// Whether some words match the text, but not as they were typed: see ``SearchMatch/isExact``.
    public var hasVariants: Bool { !exact.isEmpty || firstVariant < bytes.count }

    /// The offset of the first variant; the end of the text if it has none.
    var firstVariant: Int { bytes.offset(ofByteBelow: Self.fieldVariant + 1) ?? bytes.count }
}

extension UnsafeRawBufferPointer {
    /// Returns the line that begins at `start`; empty beyond the end.
    func line(at start: Int) -> UnsafeRawBufferPointer {
        guard start < count else { return .empty }
        let end = offset(of: UInt8(ascii: "\n"), from: start) ?? count
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

/// The quality of a match: searches list those with a lower tier first, and in a tier the exact ones.
public struct SearchMatch: Hashable, Sendable {
    public enum Tier: Int, CaseIterable, Sendable {
        /// The words, with a space between each two, are a whole title: the login, the name, or a variant of them.
        case whole
        /// A title begins with the words.
        case beginning
        /// Each word begins a word of the text. A word that begins with punctuation or a symbol begins none.
        case words
        /// Each word is somewhere in the text.
        case elsewhere
    }

    public var tier: Tier
    /// Whether the text has the words as they were typed, apart from case: in the folded login or name, or in the line
    /// of a field, for which only the loose form is known. Variants and completed syllables are not exact.
    public var isExact: Bool

    public init(_ tier: Tier, isExact: Bool) {
        self.tier = tier
        self.isExact = isExact
    }
}

extension SearchedText {
    /// Returns how well the text matches, or `nil` if a word is not in it.
    public func match(_ words: SearchWords) -> SearchMatch? {
        let variants = firstVariant
        return tier(words, variants).map { SearchMatch($0, isExact: isExact(words, variants)) }
    }

    public func tier(_ words: SearchWords) -> SearchMatch.Tier? { tier(words, firstVariant) }

    private func tier(_ words: SearchWords, _ variants: Int) -> SearchMatch.Tier? {
        var beginsWords = true
        for word in words.distinct {
            guard let isStart = find(word) else { return nil }
            if !isStart { beginsWords = false }
        }
        return titleTier(words, variants) ?? (beginsWords ? .words : .elsewhere)
    }

    public func matches(_ words: [SearchWords.Word]) -> Bool { words.allSatisfy { bytes.contains($0) } }

    /// Returns whether `word` begins a word of the text, or `nil` if it is not in it. What begins with
    /// punctuation begins no word.
    private func find(_ word: SearchWords.Word) -> Bool? {
        guard word.beginsWithLetter else { return bytes.contains(word) ? false : nil }
        var isFound = false
        var next = bytes.offset(of: word, from: 0)
        while let index = next {
            if bytes.isStartOfWord(index) { return true }
            isFound = true
            next = bytes.offset(of: word, from: index + 1)
        }
        return isFound ? false : nil
    }

    /// Returns ``SearchMatch/Tier/whole`` or ``SearchMatch/Tier/beginning`` if a title has that tier.
    private func titleTier(_ words: SearchWords, _ variants: Int) -> SearchMatch.Tier? {
        var tier = bytes.titleTier(at: login.count + 1, words)
        if tier != .whole { tier = bytes.titleTier(at: 0, words) ?? tier }
        var next = bytes.offset(of: Self.titleVariant, from: variants)
        while tier != .whole, let mark = next {
            tier = bytes.titleTier(at: mark + 1, words) ?? tier
            next = bytes.offset(of: Self.titleVariant, from: mark + 1)
        }
        return tier
    }

    private func isExact(_ words: SearchWords, _ variants: Int) -> Bool {
        if exact.isEmpty, variants == bytes.count, words.needVariantsToMatchInexactly { return true }
        let start = exact.isEmpty ? 0 : min(login.count + name.count + 2, variants)
        let lines = UnsafeRawBufferPointer(rebasing: bytes[start..<variants])
        return words.exact.allSatisfy { lines.contains($0) || exact.contains($0) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ word: SearchWords.Word) -> Bool {
        offset(of: word, from: 0) != nil
    }

    /// Returns the offset of the first `word` at `start` or later.
    func offset(of word: SearchWords.Word, from start: Int) -> Int? {
        if word.completions == nil { return word.bytes.withUnsafeBytes { offset(of: $0, from: start) } }
        return (start..<Swift.max(start, count)).first { end(of: word, at: $0) != nil }
    }

    /// Returns the end of `word` if it begins at `index`.
    func end(of word: SearchWords.Word, at index: Int) -> Int? {
        if has(word.bytes, at: index) { return index + word.bytes.count }
        guard let completions = word.completions, has(word.beginning, at: index) else { return nil }
        var end = index + word.beginning.count
        // A syllable has three bytes.
        guard end + 3 <= count, self[end] & 0xF0 == 0xE0 else { return nil }
        return completions.contains(scalar(at: &end)) ? end : nil
    }

    /// Returns the tier of the title at `start`: ``SearchMatch/Tier/whole``, ``SearchMatch/Tier/beginning`` or `nil`.
    fileprivate func titleTier(at start: Int, _ words: SearchWords) -> SearchMatch.Tier? {
        // Nearly all titles begin with another letter.
        guard start < count, self[start] == words.joined.first || words.phrase.first?.completions != nil else {
            return nil
        }
        let title = line(at: start)
        if words.joined.withUnsafeBytes(title.equals) { return .whole }
        return title.begins(with: words.phrase) ? .beginning : nil
    }

    /// Whether this text begins with `words`, with a space between each two.
    private func begins(with words: [SearchWords.Word]) -> Bool {
        var index = 0
        for (number, word) in words.enumerated() {
            if number > 0 {
                guard index < count, self[index] == 0x20 else { return false }
                index += 1
            }
            guard let end = end(of: word, at: index) else { return false }
            index = end
        }
        return true
    }

    @inline(__always) private func has(_ word: [UInt8], at index: Int) -> Bool {
        word.withUnsafeBytes { has($0, at: index) }
    }

    fileprivate func contains(_ word: [UInt8]) -> Bool { word.withUnsafeBytes { offset(of: $0) != nil } }
}

/// The order by relevance: a lower tier comes first, and in a tier the exact matches.
extension SearchMatch: Comparable {
    /// All kinds of matches, best first.
    public static let all = Tier.allCases.flatMap { [SearchMatch($0, isExact: true), SearchMatch($0, isExact: false)] }

    public var rank: Int { tier.rawValue * 2 + (isExact ? 0 : 1) }

    public static func < (left: SearchMatch, right: SearchMatch) -> Bool { left.rank < right.rank }
}

/// Other spellings by which people search for a text: `mueller` for Müller, and in German also `muller` for Mueller.
package struct NameVariants {
    /// Whether `ae`, `oe` and `ue` may stand for umlauts.
    private let joinsVowels: Bool

    package init(language: String) {
        joinsVowels = SearchedText.form(ofLanguage: language) == SearchedText.germanForm
    }

    /// Returns the variants of `text`, whose loose form is `loose`; they have that form, too. Most texts have none.
    package func all(of text: UnsafeRawBufferPointer, loose: UnsafeRawBufferPointer) -> [String] {
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
    package func append(variant: String, mark: UInt8) {
        append(UInt8(ascii: "\n"))
        append(mark)
        append(utf8: variant)
    }
}
