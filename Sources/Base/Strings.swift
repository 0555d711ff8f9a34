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

extension String {
    /// Returns the lines of the text, without indentation and empty lines, as one line with `separator` between them.
    public func joiningLines(with separator: String) -> String {
        let lines = split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return lines.filter { !$0.isEmpty }.joined(separator: separator)
    }
}

extension String {
    /// The text in a form that is safe for a terminal or a log. Characters that would move the cursor, change colours,
    /// change the text direction or break the line are shown in the form `\u{1b}`.
    public var printable: String {
        guard unicodeScalars.contains(where: \.acts) else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if scalar.acts {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
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
    fileprivate var acts: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
