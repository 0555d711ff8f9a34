import Bytes
import Directories

/// Text as it is stored: one line, no control characters, no white space around it.
enum NormalizedText {
    /// Breaks and tabs become spaces, other control characters go.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
            case 0..<0x20, 0x7F..<0xA0, 0xFEFF: continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars).trimmed
    }

    /// Whether ``cleaned(_:)`` would change nothing. White space at the end that a combining mark stands on may stay.
    fileprivate static func isClean(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return true }
        if first.properties.isWhitespace || last.properties.isWhitespace { return false }
        return !scalars.contains { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF: true
            default: false
            }
        }
    }

    /// Whether any of it shows: zero-width spaces, joiners and fillers alone would be a name that nobody sees or clicks.
    fileprivate static func hasSomethingToSee(_ text: String) -> Bool {
        text.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
    }

    /// ``isClean(_:)`` at a glance; `false` may be a false alarm.
    fileprivate static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isPlain = bytes.first != 0x20 && bytes.last != 0x20
        // To the end in any case: without a way out of the loop, it takes many bytes at a time.
        for byte in bytes {
            // The lead bytes of C1 and no-break space, of other spaces and separators, and of the byte order mark.
            let isOdd =
                (byte < 0x20) || (byte == 0x7F) || (byte == 0xC2) || (byte >= 0xE1 && byte <= 0xE3) || (byte == 0xEF)
            isPlain = isPlain && !isOdd
        }
        return isPlain
    }
}

extension ByteBuffer {
    /// Appends the UTF-8 `bytes` cleaned, and says where.
    func append(cleaning bytes: UnsafeRawBufferPointer) -> Slice {
        if bytes.isEmpty { return .empty }
        if NormalizedText.isPlain(bytes) { return keep(bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        let cleaned = NormalizedText.isClean(text) ? text : NormalizedText.cleaned(text)
        return NormalizedText.hasSomethingToSee(cleaned) ? keep(cleaned) : .empty
    }
}

/// Handles for people who have none.
enum Handle {
    /// The letters and digits of `name`, of whatever script, in lower case, with single hyphens between the words; empty
    /// if it has none.
    static func slug(_ name: String) -> String {
        var slug = String.UnicodeScalarView()
        var needsHyphen = false
        for scalar in name.folded.unicodeScalars {
            if isPartOfWord(scalar) {
                if needsHyphen, !slug.isEmpty { slug.append("-") }
                needsHyphen = false
                slug.append(scalar)
                // 100: room for the longest names, far from the 255 that a login may have.
                // A hyphen may come along with the letter, so it is passed in steps of two.
                if slug.count >= 100 { break }
            } else if scalar != "'", scalar != "’" {
                needsHyphen = true
            }
        }
        return String(slug)
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return (97...122).contains(scalar.value) || (48...57).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }
}
