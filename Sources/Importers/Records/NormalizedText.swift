import Base

/// Text in the form in which it is stored: one line, without control characters and surrounding white space.
enum NormalizedText {
    /// Turns line breaks and tabs into spaces, and drops other control characters.
    static func cleaned(_ text: String) -> String {
        if text.withBytes(isPlain) || isClean(text) { return text }
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

    /// Whether no character of a text is to be removed. White space before a final combining mark may stay.
    private static func isClean(_ text: String) -> Bool {
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

    /// Whether any character is visible. A name of zero-width spaces, joiners and fillers alone could be neither seen
    /// nor clicked.
    static func hasSomethingToSee(_ text: String) -> Bool {
        text.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
    }

    /// A fast check for ``isClean(_:)``: `true` is certain, `false` is not.
    fileprivate static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isPlain = bytes.first != 0x20 && bytes.last != 0x20
        // Without an early exit from the loop, the compiler vectorizes it.
        for byte in bytes {
            // The lead bytes of C1 controls and no-break space, of other spaces and separators, and of the byte order
            // mark.
            let isOdd =
                (byte < 0x20) || (byte == 0x7F) || (byte == 0xC2) || (byte >= 0xE1 && byte <= 0xE3) || (byte == 0xEF)
            isPlain = isPlain && !isOdd
        }
        return isPlain
    }
}

extension ByteBuffer {
    func append(cleaning bytes: UnsafeRawBufferPointer) -> ByteSlice {
        if bytes.isEmpty { return .empty }
        if NormalizedText.isPlain(bytes) { return keep(bytes) }
        let cleaned = NormalizedText.cleaned(String(decoding: bytes, as: UTF8.self))
        return NormalizedText.hasSomethingToSee(cleaned) ? keep(cleaned) : .empty
    }
}

// Text in UTF-8 that some program has read as Windows-1252 and saved again: `MÃ¼ller`.

extension NormalizedText {
    /// The characters of Windows-1252 from 0x80 to 0x9F; where it has none, programs use the control characters.
    private static let characters: [Unicode.Scalar: UInt8] = {
        let text = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ"
        return Dictionary(uniqueKeysWithValues: zip(text.unicodeScalars, 0x80...0x9F))
    }()

    /// Returns the text that was meant; `nil` if `text`, which has letters beyond ASCII, is probably right as it is.
    private static func repaired(_ text: String) -> String? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let byte = characters[scalar] ?? UInt8(exactly: scalar.value) { bytes.append(byte) } else { return nil }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns a text as it is and as it was meant, if half of `texts` with letters beyond ASCII are such.
    static func mojibake(in texts: some Sequence<String>) -> (shown: String, meant: String)? {
        let letters = texts.filter { text in
            text.unicodeScalars.contains { $0.value > 0x7F && $0.properties.isAlphabetic }
        }
        let damaged = letters.compactMap { text in repaired(text).map { (text, $0) } }
        return damaged.count * 2 >= letters.count ? damaged.first : nil
    }
}

extension UnsafeRawBufferPointer {
    var withoutBlanks: UnsafeRawBufferPointer {
        var text = drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return UnsafeRawBufferPointer(rebasing: text)
    }
}
