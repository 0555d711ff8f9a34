import Base
import People

extension ByteBuffer {
    /// Appends the initials of a name: the first letters of its first and last words, in capitals; at most two
    /// characters, and at most 64 bytes.
    ///
    /// A Korean given name has two syllables as a rule, and these are what people call each other by; of a Korean
    /// organisation these are the first two. Two Arabic letters would join and read as a word, so there is only one.
    func append(initialsOf name: Bytes, of kind: AccountKind = .person) {
        // No array of words: this runs for every user of a page.
        guard let start = name.firstIndex(where: { $0 != 0x20 }), let end = name.lastIndex(where: { $0 != 0x20 }) else {
            return
        }
        let text = name[start...end]
        let first = text.firstScalar?.value ?? 0
        if Hangul.syllables.contains(first), let initials = String(text).koreanInitials(of: kind) {
            return append(utf8: initials)
        }
        let firstEnd = text.firstIndex(of: 0x20) ?? text.count
        append(initialOf: text[..<firstEnd])
        guard !isArabic(first), let lastStart = text.lastIndex(of: 0x20) else { return }
        append(initialOf: text[(lastStart + 1)...])
    }

    private func isArabic(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x620...0x64A, 0x671...0x6D3, 0x750...0x77F, 0x8A0...0x8C9: true
        default: false
        }
    }

    private func append(initialOf word: Bytes) {
        if let index = word.firstIndex(where: { $0 >= 0x80 || ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 }),
            case let byte = word[index], byte < 0x80
        {
            append(byte &- 97 < 26 ? byte - 32 : byte)
        } else if let letter = word.firstLoneLetter {
            // A capital of several letters, such as that of ß, would make three initials.
            let capital = letter.properties.uppercaseMapping
            append(utf8: capital.unicodeScalars.count == 1 || capital.count == 1 ? capital : String(letter))
        } else if let letter = String(word).first(where: \.isInitial) {
            let capital = letter.uppercased()
            append(utf8: (capital.count == 1 ? capital : String(letter)).shortened)
        }
    }
}

extension Bytes {
    fileprivate var firstScalar: Unicode.Scalar? {
        guard let first, first >= 0x80 else { return first.map(Unicode.Scalar.init) }
        var index = 0
        return scalar(at: &index)
    }

    /// The first character, if it is a letter that is a single scalar without combining marks. The result is that of
    /// ``Character``, for most names in a fifth of the time.
    fileprivate var firstLoneLetter: Unicode.Scalar? {
        var index = 0
        guard let first = scalar(at: &index), first.isInAlphabet else { return nil }
        if index < count {
            guard let next = scalar(at: &index), next.isASCII || next.isInAlphabet else { return nil }
        }
        switch first.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: return first
        default: return nil
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is in one of the ranges of Unicode that are used in names and have no combining marks, which
    /// would form one character with the scalar before them.
    fileprivate var isInAlphabet: Bool {
        switch value {
        // Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic.
        case 0xC0...0x2FF, 0x370...0x482, 0x48A...0x58F, 0x5D0...0x5EA, 0x620...0x64A, 0x671...0x6D3: true
        // More of Latin and Greek, kana, Chinese characters, Korean syllables.
        case 0x1E00...0x1FFF, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }
}

extension Character {
    /// Whether this can be an initial: a letter, a digit or a symbol, but no ʻokina or other modifier letter.
    fileprivate var isInitial: Bool {
        (isLetter || isNumber || isSymbol) && unicodeScalars.first?.properties.generalCategory != .modifierLetter
    }
}

extension String {
    /// Returns the initials of a name that is written in Hangul; `nil` for any other name.
    fileprivate func koreanInitials(of kind: AccountKind) -> Substring? {
        let words = split(separator: " ")
        guard let first = words.first, let last = words.last,
            [first, last].allSatisfy({ $0.unicodeScalars.allSatisfy { Hangul.syllables.contains($0.value) } })
        else { return nil }
        if kind != .person { return first.prefix(2) }
        // The given name is the longer one, whichever comes first.
        if words.count > 1 { return (last.count > 1 ? last : first).prefix(2) }
        return first.count > 2 ? EastAsianName(String(first))?.first.prefix(2) ?? first : first
    }

    /// The text, or its first scalar if it is a letter under dozens of marks.
    fileprivate var shortened: String {
        utf8.count <= 32 ? self : unicodeScalars.first.map { String($0) } ?? self
    }
}
