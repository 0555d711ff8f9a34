import Base
import Foundation

/// A line of a vCard, unfolded: `item1.TEL;TYPE=cell:+49 30 1234` (RFC 6350 §3.3).
struct VCardProperty {
    /// In upper case: `item1` of `item1.TEL`, and `TEL`.
    let group: String?
    let name: String
    private let parameters: [(name: String, value: String)]
    private let bytes: [UInt8]

    /// Returns `nil` for a line that is not a property.
    init?(_ line: UnsafeRawBufferPointer) {
        guard let head = Self.head(of: line) else { return nil }
        let parts = Self.split(head[...], at: UInt8(ascii: ";"), quoting: true)
        // Files joined by `cat` have a byte order mark before a card.
        let names = parts[0].drop { $0 == "\u{FEFF}" }.uppercased().split(separator: ".").map(String.init)
        guard let name = names.last else { return nil }
        (self.name, group) = (name, names.count > 1 ? names[0] : nil)
        parameters = parts.dropFirst().map { part in
            let pair = part.split(separator: "=", maxSplits: 1)
            // vCard 2.1 and 3.0 also allow a type without `TYPE=`: `TEL;CELL:`.
            guard pair.count == 2 else { return ("TYPE", String(part)) }
            return (pair[0].uppercased(), pair[1].filter { $0 != "\"" })
        }
        bytes = Array(line.dropFirst(head.utf8.count + 1))
    }

    /// Whether a line ends with a "=" that continues it, because its value is quoted-printable (RFC 2045 §6.7, vCard
    /// 2.1 §2.1.3). No name has more parameters than fit into 256 bytes.
    static func hasSoftBreak(_ line: UnsafeRawBufferPointer) -> Bool {
        line.last == UInt8(ascii: "=")
            && head(of: UnsafeRawBufferPointer(rebasing: line.prefix(256)))?.uppercased().contains("QUOTED-PRINTABLE")
                == true
    }

    /// Whether a line has data, such as a picture or sound, which may be long.
    static func hasData(_ line: UnsafeRawBufferPointer) -> Bool {
        let name = line.prefix(64).prefix { !";:".utf8.contains($0) }
        let plain = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        return ["PHOTO", "LOGO", "SOUND", "KEY"].contains(String(decoding: plain, as: UTF8.self).uppercased())
    }

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Whether a `TYPE` is `type`, in any case: `TYPE="cell,voice"`.
    func hasType(_ type: String) -> Bool {
        parameters.contains { $0.name == "TYPE" && $0.value.uppercased().split(separator: ",").contains(type[...]) }
    }

    /// Smaller values are preferred: `PREF` from 1 to 100 (RFC 6350 §5.3), and before it a type (RFC 2426 §3.3.1).
    var preference: Int { parameter("PREF").flatMap { Int($0) } ?? (hasType("PREF") ? 1 : 101) }

    /// The value as text, still escaped. Bytes that its character set does not have are U+FFFD.
    private var value: String {
        guard isEncoded(as: ["QUOTED-PRINTABLE"]) else { return String(decoding: bytes, as: UTF8.self) }
        let plain = Self.unquoted(bytes)
        // Programs that name no character set write UTF-8, or that of their system.
        let charset = parameter("CHARSET").flatMap { TextEncoding(named: $0) } ?? .utf8
        return plain.withUnsafeBytes { TextConverter.text($0, in: charset) }
    }

    /// Whether the encoding is one of `names`; vCard 2.1 also allows the first one without `ENCODING=`.
    private func isEncoded(as names: [String]) -> Bool {
        names.contains(parameter("ENCODING")?.uppercased() ?? "") || hasType(names[0])
    }

    /// The whole value as one text.
    var text: String { Self.unescaped(value[...]) }

    /// The components of a structured value, as of `N`, each one with its own values joined.
    var components: [String] {
        Self.split(value[...], at: UInt8(ascii: ";")).map { Self.values(in: $0).joined(separator: " ") }
    }

    /// The values of a list, as of `CATEGORIES`.
    var values: [String] { Self.values(in: value[...]) }

    private static func values(in text: Substring) -> [String] {
        split(text, at: UInt8(ascii: ",")).map(unescaped).filter { !$0.isEmpty }
    }

    /// Whether the value is data in base64: with `ENCODING`, or in a `data:` URL.
    var isData: Bool { isBase64 || String(decoding: bytes.prefix(5), as: UTF8.self).lowercased() == "data:" }

    private var isBase64: Bool { isEncoded(as: ["BASE64", "B"]) }

    /// The bytes of a value that is data. Data that ends too early, or without padding, counts up to its end.
    var data: [UInt8] {
        let start = isBase64 ? 0 : bytes.firstIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? bytes.count
        let text = bytes[start...].filter { $0.isBase64 && !$0.isWhitespace && $0 != UInt8(ascii: "=") }
        let whole = text.prefix(text.count - (text.count % 4 == 1 ? 1 : 0))
        let fill = [UInt8](repeating: UInt8(ascii: "="), count: (4 - whole.count % 4) % 4)
        return [UInt8](Data(base64Encoded: Data(whole + fill)) ?? Data())
    }
}

extension VCardProperty {
    /// Returns what stands before the first colon that is not in quotes, and in 64 KiB: a line of 48 MiB may be
    /// semicolons alone, each of which would take memory.
    private static func head(of line: UnsafeRawBufferPointer) -> String? {
        var isQuoted = false
        let colon = line.prefix(1 << 16).firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ":") && !isQuoted
        }
        return colon.flatMap { String(validating: line[..<$0], as: UTF8.self) }
    }

    /// Decodes quoted-printable: `=C3=BC` is two bytes (RFC 2045 §6.7). Line ends become one byte.
    private static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "="), let byte = UInt8(hexadecimal: bytes[index...].dropFirst().prefix(2)) {
                if byte != 0x0D { plain.append(byte) }
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return plain
    }

    private static func unescaped(_ text: Substring) -> String {
        var plain = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            let wasEscaped = isEscaped
            isEscaped = scalar == "\\" && !wasEscaped
            if !isEscaped { plain.append(wasEscaped && "nN".unicodeScalars.contains(scalar) ? "\n" : scalar) }
        }
        return String(plain).trimmed
    }

    /// Returns the parts of `text` between separators that are neither escaped nor, with `quoting`, in quotes. There is
    /// at least one.
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
