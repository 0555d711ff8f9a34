import Base

/// Finds the surname in a whole name of one language, for orders and letters: `Humboldt` in `Alexander von Humboldt`,
/// `김` in `김민수`.
public struct Surname: Hashable, Sendable {
    private let language: String

    /// - Parameter language: A tag such as `pt-BR`.
    public init(language: String) { self.language = language.primaryLanguage }

    /// Returns the bytes of the surname in a name in UTF-8; `nil` if nobody can tell, and for a name of one word.
    public func range(in name: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let first = name.first else { return nil }
        // The first byte of a letter of East Asia is at least that of U+1000; E1 begins Vietnamese letters, too.
        if first >= 0xE1, !name.isLatin(at: 0) { return eastAsian(name) }
        if language == "is" { return nil }
        var end = name.count
        if let comma = name.firstIndex(of: UInt8(ascii: ",")) {
            let isBehind = Self.isSuffix(name, Self.word(in: name, before: name.count))
            let last = UnsafeRawBufferPointer(rebasing: name[..<comma])
            if !isBehind { return Self.withoutParticles(last) }
            end = comma
        }
        guard var word = Self.word(in: name, before: end) else { return nil }
        while Self.isSuffix(name, word) {
            guard let before = Self.word(in: name, before: word.lowerBound) else { return nil }
            word = before
        }
        guard name.isLatin(at: word.lowerBound), var before = Self.word(in: name, before: word.lowerBound)
        else { return nil }
        // `Петрова Нина Ивановна`
        if Self.isPatronymic(name, word), !Self.isPatronymic(name, before),
            let family = Self.word(in: name, before: before.lowerBound)
        {
            return family
        }
        var start = word.lowerBound
        if language == "es", let other = Self.nameWord(in: name, before: start),
            Self.nameWord(in: name, before: other.lowerBound) != nil
        {
            start = other.lowerBound
            before = Self.word(in: name, before: start) ?? before
        }
        // Capital particles belong to the surname, with small ones between them. The first word is a first name.
        while let further = Self.word(in: name, before: before.lowerBound), Self.isParticle(name, before) {
            if before.count > 1, !Self.isSmall(name, before) { start = before.lowerBound }
            before = further
        }
        return start..<word.upperBound
    }

    /// Returns the surname; `nil` if nobody can tell.
    public func of(_ name: String) -> String? {
        name.withBytes { name in range(in: name).map { String(decoding: name[$0], as: UTF8.self) } }
    }
}

// MARK: - East Asia

extension Surname {
    private func eastAsian(_ name: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let letter = name.firstScalar, EastAsianName.isLetter(letter.value) else { return nil }
        let size = UTF8.width(letter)
        let isHangul = (0xAC00...0xD7A3).contains(letter.value)
        if isHangul || language == "zh" && EastAsianName.isHan(letter.value) {
            if name.count <= size { return nil }
            return 0..<(name.count > 6 && Self.longFamilyNames.contains(Array(name[..<6])) ? 6 : size)
        }
        // U+3000 is the space of East Asia.
        guard language == "ja", let space = name.offset(of: 0x20) ?? name.offset(of: "\u{3000}"), space > 0 else {
            return nil
        }
        return 0..<space
    }

    private static let longFamilyNames = Set(EastAsianName.longFamilyNames.map { Array($0.utf8) })
}

// MARK: - Words

extension Surname {
    /// Returns the last word before `end`. Words in brackets do not count.
    private static func word(in name: UnsafeRawBufferPointer, before end: Int) -> Range<Int>? {
        var end = end
        while true {
            while end > 0, isGap(name[end - 1]) { end -= 1 }
            if end == 0 { return nil }
            let last = name[end - 1]
            if last == UInt8(ascii: ")") || last == UInt8(ascii: "]") {
                let open = last == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "[")
                guard let start = name[..<end].lastIndex(of: open) else { return nil }
                end = start
                continue
            }
            var start = end - 1
            while start > 0, !isGap(name[start - 1]) { start -= 1 }
            return start..<end
        }
    }

    private static func isGap(_ byte: UInt8) -> Bool { byte == 0x20 || byte == UInt8(ascii: ",") }

    /// Returns the last word before `end` that is not a small particle.
    private static func nameWord(in name: UnsafeRawBufferPointer, before end: Int) -> Range<Int>? {
        var found = word(in: name, before: end)
        while let word = found, isParticle(name, word), isSmall(name, word) {
            found = self.word(in: name, before: word.lowerBound)
        }
        return found
    }

    /// Returns a last name without the title and the small particles before it: `Berg` of `Dr. van der Berg`.
    private static func withoutParticles(_ last: UnsafeRawBufferPointer) -> Range<Int>? {
        guard var word = word(in: last, before: last.count) else { return nil }
        let end = word.upperBound
        while let before = self.word(in: last, before: word.lowerBound),
            !(isParticle(last, before) ? isSmall(last, before) : isTitle(last, before))
        {
            word = before
        }
        return word.lowerBound..<end
    }

    private static func isTitle(_ name: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        name[word.upperBound - 1] == UInt8(ascii: ".")
    }

    private static func isSmall(_ name: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        let first = name[word.lowerBound]
        // `ó` is C3 B3, `Ó` is C3 93.
        if first == 0xC3, word.count > 1 { return name[word.lowerBound + 1] >= 0xA0 }
        return first &- 97 < 26 || first == UInt8(ascii: "'")
    }

    private static func isParticle(_ name: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        word.count <= 6 && particles.contains(packed(name, word, foldedBy: 0x20))
    }

    /// Whether a word ends as `Ивановна` does: with four letters of two bytes.
    private static func isPatronymic(_ name: UnsafeRawBufferPointer, _ word: Range<Int>) -> Bool {
        word.count > 8 && patronymics.contains(packed(name, word.suffix(8)))
    }

    private static func isSuffix(_ name: UnsafeRawBufferPointer, _ word: Range<Int>?) -> Bool {
        guard let word, word.count <= 6 else { return false }
        return suffixes.contains(packed(name, word))
    }

    /// The bytes of a short word without full stops, in one number. `bits` are set in each byte.
    private static func packed(
        _ name: UnsafeRawBufferPointer, _ word: Range<Int>, foldedBy bits: UInt8 = 0
    ) -> UInt64 {
        var packed: UInt64 = 0
        for index in word where name[index] != UInt8(ascii: ".") {
            packed = packed << 8 | UInt64(name[index] | bits)
        }
        return packed
    }

    private static func packed(_ words: String, foldedBy bits: UInt8 = 0) -> Set<UInt64> {
        Set(
            words.split(separator: " ").map { word in
                Array(word.utf8).withUnsafeBytes { packed($0, 0..<$0.count, foldedBy: bits) }
            })
    }

    private static let patronymics = packed("ович евич льич овна евна ична івна ївна")
    private static let suffixes = packed("Jr jr JR Sr sr SR II III IV PhD MD")
    private static let particles = packed(
        """
        af al am auf av aus ben bin d' da dal dall' dalla de degli dei del della den der des di do dos das du el ibn in \
        la le les lo los las mac mc nic ní ó san santa st 't ten ter van vom von y zu zum zur
        """, foldedBy: 0x20)
}

// MARK: - Scripts

extension UnsafeRawBufferPointer {
    /// Whether the letter at `index` of this UTF-8 text is Latin, Greek or Cyrillic: the scripts whose names end with
    /// the surname.
    fileprivate func isLatin(at index: Int) -> Bool {
        let first = self[index]
        if first < 0x80 { return true }
        guard index + 1 < count else { return false }
        return switch first {
        // U+00C0 to U+024F, Greek and Coptic, Cyrillic, and what extends Latin and Greek from U+1E00.
        case 0xC3...0xC9, 0xCD...0xD3: true
        case 0xD4: self[index + 1] < 0xB0
        case 0xE1: self[index + 1] >= 0xB8
        // ’t Hooft
        case 0xE2: self[index + 1] == 0x80
        default: false
        }
    }

    fileprivate var firstScalar: Unicode.Scalar? {
        String(decoding: prefix(4), as: UTF8.self).unicodeScalars.first
    }
}
