/// Text in UTF-8 that some program has read as Windows-1252 and saved again: `MÃ¼ller`.
enum Mojibake {
    /// The characters of Windows-1252 from 0x80 to 0x9F; where it has none, programs use the control characters.
    private static let characters: [Unicode.Scalar: UInt8] = {
        let texts: [Unicode.Scalar] = [
            "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}", "\u{90}",
            "‘",
            "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
        ]
        return Dictionary(uniqueKeysWithValues: zip(texts, 0x80...0x9F))
    }()

    /// Returns the text that was meant; `nil` if `text` is probably right as it is.
    static func repaired(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let byte = characters[scalar] ?? UInt8(exactly: scalar.value) { bytes.append(byte) } else { return nil }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns a text as it is and as it was meant, if half of `texts` with letters beyond ASCII are such.
    static func found(in texts: some Sequence<String>) -> (shown: String, meant: String)? {
        var (all, damaged) = (0, 0)
        var example: (String, String)?
        for text in texts where text.unicodeScalars.contains(where: { $0.value > 0x7F && $0.properties.isAlphabetic }) {
            all += 1
            guard let meant = repaired(text) else { continue }
            damaged += 1
            example = example ?? (text, meant)
        }
        return damaged * 2 >= all ? example : nil
    }
}
