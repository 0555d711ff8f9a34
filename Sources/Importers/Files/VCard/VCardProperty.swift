import Base

/// A line of a vCard, unfolded: `item1.TEL;TYPE=cell:+49 30 1234` (RFC 6350 §3.3).
struct VCardProperty {
    /// The name in upper case, without a group.
    let name: String
    private let parameters: [(name: String, value: String)]
    /// The value, still escaped.
    let value: Substring

    /// Returns `nil` for a line that is not a property.
    init?(_ line: String) {
        guard let colon = Self.index(of: UInt8(ascii: ":"), in: line[...], quoting: true) else { return nil }
        let head = Self.split(line[..<colon], at: UInt8(ascii: ";"), quoting: true)
        guard let name = head.first?.split(separator: ".").last, !name.isEmpty else { return nil }
        self.name = name.uppercased()
        value = line[line.utf8.index(after: colon)...]
        parameters = head.dropFirst().map { part in
            let pair = part.split(separator: "=", maxSplits: 1)
            // vCard 3.0 also allows a type without `TYPE=`.
            guard pair.count == 2 else { return ("TYPE", String(part)) }
            return (pair[0].uppercased(), pair[1].filter { $0 != "\"" })
        }
    }

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The whole value as one text.
    var text: String { Self.unescaped(value) }

    /// The components of a structured value, as of `N`, each one with its own values joined.
    var components: [String] {
        Self.split(value, at: UInt8(ascii: ";")).map { component in
            Self.split(component, at: UInt8(ascii: ",")).map(Self.unescaped).filter { !$0.isEmpty }.joined(
                separator: " ")
        }
    }

    /// The values of a list, as of `CATEGORIES`.
    var values: [String] { Self.split(value, at: UInt8(ascii: ",")).map(Self.unescaped).filter { !$0.isEmpty } }

    /// Whether the value is encoded: base64, or the quoted-printable of vCard 2.1.
    var isEncoded: Bool {
        ["B", "BASE64"].contains(parameter("ENCODING")?.uppercased() ?? "")
            || parameters.contains { $0.name == "TYPE" && $0.value.uppercased() == "BASE64" }
    }

    private static func unescaped(_ text: Substring) -> String {
        var plain = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                plain.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                plain.append(scalar)
            }
        }
        return String(plain).trimmed
    }

    /// Returns the parts of `text` between separators that are neither escaped nor, with `quoting`, in quotes.
    private static func split(_ text: Substring, at separator: UInt8, quoting: Bool = false) -> [Substring] {
        var parts: [Substring] = []
        var rest = text
        while let index = index(of: separator, in: rest, quoting: quoting) {
            parts.append(rest[..<index])
            rest = rest[rest.utf8.index(after: index)...]
        }
        return parts + [rest]
    }

    /// Bytes, because a separator and a following combining mark form one character.
    private static func index(of separator: UInt8, in text: Substring, quoting: Bool) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        for (index, byte) in zip(text.utf8.indices, text.utf8) {
            if quoting, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == separator, !isQuoted, !isEscaped { return index }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped && !quoting
        }
        return nil
    }
}
