/// An HTML token (WHATWG, "Tokenization") of the strict subset that the templates use: attributes in double quotes, no
/// repeated attributes, and character references only for the five special characters.
enum HTMLToken: Equatable {
    case start(String, [Attribute])
    case end(String)
    case text(String)

    struct Attribute: Equatable {
        var name: String
        var value: String
    }

    static func start(_ name: String, _ attributes: [(String, String)]) -> Self {
        .start(name, attributes.map { Attribute(name: $0.0, value: $0.1) })
    }

    /// Returns the tokens of `html`, with the text between two tags as one token. Throws where the markup is not
    /// strict.
    static func tokens(of html: [UInt8]) throws -> [HTMLToken] {
        var scanner = HTMLScanner(bytes: html)
        var tokens: [HTMLToken] = []
        while let token = try scanner.next() { tokens.append(token) }
        return tokens
    }
}

private struct HTMLScanner {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws -> HTMLToken? {
        guard position < bytes.count else { return nil }
        guard bytes[position] == UInt8(ascii: "<") else { return .text(try text(until: UInt8(ascii: "<"))) }
        position += 1
        if take("!doctype html>") { return .start("!doctype", [HTMLToken.Attribute]()) }
        if take("/") {
            let name = try self.name()
            try hold(take(">"), "an end tag continues after its name")
            return .end(name)
        }
        let name = try self.name()
        var attributes: [HTMLToken.Attribute] = []
        // An element of SVG may end in its start tag.
        while !take(">"), !take("/>") {
            try hold(take(" "), "no space before an attribute of \(name)")
            let key = try attributeName()
            try hold(!attributes.contains { $0.name == key }, "\(key) occurs twice in \(name)")
            attributes.append(.init(name: key, value: try value()))
        }
        return .start(name, attributes)
    }

    /// Returns the value of an attribute, which may be absent.
    private mutating func value() throws -> String {
        guard take("=\"") else { return "" }
        let value = try text(until: UInt8(ascii: "\""))
        try hold(take("\""), "a value is never closed")
        return value
    }

    private mutating func name() throws -> String {
        let start = position
        while position < bytes.count, bytes[position] &- 97 < 26 || bytes[position] &- 48 < 10 || bytes[position] == 45
        {
            position += 1
        }
        try hold(position > start && bytes[start] &- 97 < 26, "a name is missing at byte \(start)")
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Returns the name of an attribute. In SVG, it may have capital letters: `viewBox`.
    private mutating func attributeName() throws -> String {
        var name = try self.name()
        while position < bytes.count, bytes[position] &- 65 < 26 {
            name += String(UnicodeScalar(bytes[position]))
            position += 1
            while position < bytes.count, bytes[position] &- 97 < 26 {
                name += String(UnicodeScalar(bytes[position]))
                position += 1
            }
        }
        return name
    }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    /// Returns the text before the next byte `end`, or before the end of the file.
    private mutating func text(until end: UInt8) throws -> String {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != end {
            try hold(
                !"<>\"'".utf8.contains(bytes[position]) || end != UInt8(ascii: "\""), "a character must be escaped")
            if bytes[position] == UInt8(ascii: "&") {
                guard
                    let (reference, byte) = Self.references.first(where: { bytes[position...].starts(with: $0.0.utf8) })
                else { throw BrokenRule(description: "an ampersand stands alone at byte \(position)") }
                text.append(byte)
                position += reference.utf8.count
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let references: [(String, UInt8)] = [
        ("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&#39;", 0x27),
    ]
}
