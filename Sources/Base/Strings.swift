extension String {
    /// The text without the white space around it. Compares scalars: a space with an accent after it is one
    /// `Character`, which is not white space.
    public var trimmed: String {
        let isWhitespace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: { !isWhitespace($0) }),
            let last = unicodeScalars.lastIndex(where: { !isWhitespace($0) })
        else { return "" }
        return String(unicodeScalars[first...last])
    }
}

extension [String] {
    /// The index of each text: of several equal ones, that of the first.
    public var places: [String: Int] { Dictionary(zip(self, indices), uniquingKeysWith: { first, _ in first }) }
}

extension String {
    /// The text of `scalars`.
    public init(scalars: some Sequence<Unicode.Scalar>) { self.init(UnicodeScalarView(scalars)) }

    /// Returns the lines of the text, without indentation and empty lines, as one line with `separator` between them.
    public func joiningLines(with separator: String) -> String {
        let lines = split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return lines.filter { !$0.isEmpty }.joined(separator: separator)
    }
}

extension String {
    /// The text in a form that is safe for a terminal or a log. Characters that would move the cursor, change colours,
    /// change the text direction or break the line are shown in the form `\u{1b}`, and bytes of the name of a file that
    /// are not UTF-8 in the form `\xFC`.
    public var printable: String { showingNameBytes.showing(\.acts) { "\\u{\(String($0.value, radix: 16))}" } }

    /// The same for a text of several lines, whose line feeds and tabs stay.
    public var printableLines: String {
        showingNameBytes.showing({ $0.acts && $0 != "\n" && $0 != "\t" }, as: { "\\u{\(String($0.value, radix: 16))}" })
    }

    /// The same for JSON, which says the same with the escapes of its strings.
    public var printableJSON: String {
        showing({ $0.acts && $0 != "\n" }) { "\\u" + UInt16(truncatingIfNeeded: $0.value).hexadecimal }
    }

    private func showing(_ acts: (Unicode.Scalar) -> Bool, as text: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: acts) else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if acts(scalar) { shown += text(scalar) } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    /// The text as one word of a POSIX shell, in single quotes where it needs them.
    public var shellWord: String {
        if hasNameBytes { return dollarQuoted }
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 65...90, 97...122, 48...57, 0x25, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x40, 0x5F: true
                case 0x80...: true
                default: false
                }
            }
        return isPlain ? printable : "'\(printable.replacing("'", with: "'\\''"))'"
    }

    /// The text as the value of `option` in a command: behind an equals sign if it looks like an option itself.
    public func shellValue(of option: String) -> String {
        hasPrefix("-") ? "\(option)=\(shellWord)" : "\(option) \(shellWord)"
    }

    /// Whether the text has characters that nobody sees and that change what is seen: a zero byte, or one that embeds,
    /// overrides or isolates a text direction (U+202A to U+202E, U+2066 to U+2069).
    public var isDeceptive: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character (C0, C1), a line or paragraph separator, or a character that embeds or
    /// overrides a text direction (Trojan Source, CVE-2021-42574).
    var acts: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the scalar at `index` and moves `index` past it.
    ///
    /// Stored text is UTF-8 unless another program wrote it. Other bytes give some number of at most 21 bits.
    @inline(__always) public func scalar(at index: inout Int) -> UInt32 {
        let first = UInt32(self[index])
        index += 1
        if first < 0xC0 { return first }
        var scalar = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07
        while index < count, self[index] & 0xC0 == 0x80, scalar < 1 << 15 {
            scalar = scalar << 6 | UInt32(self[index] & 0x3F)
            index += 1
        }
        return scalar
    }

    /// Whether a word begins at `index`: the scalar before is not a part of a word.
    public func isStartOfWord(_ index: Int) -> Bool {
        if index == 0 { return true }
        var before = index - 1
        while before > 0, self[before] & 0xC0 == 0x80 { before -= 1 }
        return !scalar(at: &before).isWordScalar
    }
}

extension UInt32 {
    /// Whether words consist of this scalar: it is a letter, a digit or a mark. All others separate words: white space,
    /// punctuation, symbols and emoji.
    @inline(__always) public var isWordScalar: Bool {
        if self < 0x80 { return UInt8(truncatingIfNeeded: self).isLetterOrDigit }
        // Most other names: Latin, Greek, Cyrillic, Han, Hangul.
        if self &- 0xC0 < 0x49A { return self != 0xD7 && self != 0xF7 }
        if self &- 0x3400 < 0xABFF { return true }
        return isWordScalarOfRareBlock
    }

    @inline(never) private var isWordScalarOfRareBlock: Bool {
        switch self {
        case 0xAA, 0xB5, 0xBA: true
        case 0x80...0xBF, 0x2000...0x206F, 0x20A0...0x20CF, 0x2190...0x2BFF, 0x2E00...0x2E7F: false
        // Punctuation of Hebrew, Arabic, Syriac, Indic scripts, Thai, Burmese, Ethiopic and others.
        case 0x5BE, 0x5C0, 0x5C3, 0x5C6, 0x5F3...0x5F4, 0x600...0x60F, 0x61B...0x61F, 0x66A...0x66D, 0x6D4,
            0x700...0x70D, 0x964...0x965, 0x970, 0xE2F, 0xE4F, 0xE5A...0xE5B, 0x104A...0x104F, 0x10FB,
            0x1360...0x1368, 0x1680, 0x1800...0x180A:
            false
        // Punctuation of Chinese and Japanese.
        case 0x3000...0x3004, 0x3008...0x3020, 0x3030, 0x303D, 0x30A0, 0x30FB, 0xFE10...0xFE1F, 0xFE30...0xFE6F: false
        case 0x1F000...0x1FAFF: false
        default: true
        }
    }
}
