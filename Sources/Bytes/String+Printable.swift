extension String {
    /// This text for a terminal or a log: what would move the cursor, change colours, turn the direction of what follows or
    /// break the line is shown as `\u{1b}`, and nothing acts.
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
}

extension Unicode.Scalar {
    /// Controls (C0, C1), line and paragraph separators, and the marks that embed or override a direction (Trojan Source,
    /// CVE-2021-42574).
    fileprivate var acts: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
