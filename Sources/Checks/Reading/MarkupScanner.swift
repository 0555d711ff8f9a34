import Base

/// Finds the tags in HTML, and the text between them.
///
/// It reads what the templates produce: tags, comments and character references. Unlike a browser, it does not repair
/// markup: an unclosed element stays open.
struct MarkupScanner: ~Escapable {
    /// A start tag, or an end tag, which has no attributes.
    struct Tag: ~Escapable {
        var isEnd: Bool
        var name: Bytes
        var attributes: Bytes

        @_lifetime(copy text)
        init(_ text: Bytes, nameCount: Int, isEnd: Bool) {
            (name, attributes, self.isEnd) = (text[..<nameCount], text[nameCount...], isEnd)
        }
    }

    enum Part: ~Escapable {
        case tag(Tag)
        case text(Bytes)
    }

    private var rest: Bytes
    /// The beginning of the current element's end tag, if its content is not markup.
    private var rawEnd: StaticString?

    @_lifetime(copy html)
    init(_ html: Bytes) { rest = html }

    /// Returns the next part; `nil` at the end.
    @_lifetime(copy self)
    mutating func next() throws(RollcallError) -> Part? {
        while let first = rest.first {
            if let end = rawEnd {
                rawEnd = nil
                drop(rest.firstIndex(of: end) ?? rest.count)
            } else if first != UInt8(ascii: "<") {
                return .text(takeText())
            } else if rest.starts(with: "<!--") {
                try skipComment()
            } else {
                let tag = try takeTag()
                if tag.name.first != UInt8(ascii: "!") { return .tag(tag) }
            }
        }
        return nil
    }

    @_lifetime(copy self)
    private mutating func takeText() -> Bytes {
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.count
        let text = rest[..<end]
        drop(end)
        return text
    }

    private mutating func skipComment() throws(RollcallError) {
        let end = try required(
            rest.dropFirst(4).firstIndex(of: "-->"), "expected the end of a comment, found the end of the answer")
        drop(4 + end + 3)
    }

    @_lifetime(copy self)
    private mutating func takeTag() throws(RollcallError) -> Tag {
        var (index, quote) = (1, UInt8(0))
        while index < rest.count, quote != 0 || rest[index] != UInt8(ascii: ">") {
            let byte = rest[index]
            if quote == byte { quote = 0 } else if quote == 0, byte.isQuote { quote = byte }
            index += 1
        }
        try expect(index < rest.count, "expected the end of a tag, found the end of the answer")
        let isEnd = rest[1] == UInt8(ascii: "/")
        let inside = rest[(isEnd ? 2 : 1)..<index]
        drop(index + 1)
        let end = inside.firstIndex(where: { $0.isSpace }) ?? inside.count
        let tag = Tag(inside, nameCount: end, isEnd: isEnd)
        if !isEnd { rawEnd = tag.is("script") ? "</script" : tag.is("style") ? "</style" : nil }
        return tag
    }

    private mutating func drop(_ count: Int) { rest = rest.dropFirst(count) }
}

extension MarkupScanner.Tag {
    func `is`(_ name: StaticString) -> Bool { self.name.equals(name) }

    /// The value of an attribute as written: empty for an attribute without a value, `nil` for a missing attribute.
    subscript(attribute: StaticString) -> Bytes? {
        @_lifetime(copy self) get {
            var rest = attributes
            while true {
                rest = rest.drop { $0.isSpace || $0 == UInt8(ascii: "/") }
                if rest.isEmpty { return nil }
                let end = rest.firstIndex { $0.isSpace || $0 == UInt8(ascii: "=") } ?? rest.count
                let isIt = rest[..<end].equals(attribute)
                rest = rest[end...]
                let value = Self.takeValue(&rest)
                if isIt { return value }
            }
        }
    }

    @_lifetime(copy rest)
    private static func takeValue(_ rest: inout Bytes) -> Bytes {
        guard rest.first == UInt8(ascii: "=") else { return Bytes() }
        let after = rest.dropFirst()
        guard let quote = after.first, quote.isQuote else {
            let value = after.prefix { !$0.isSpace }
            rest = after.dropFirst(value.count)
            return value
        }
        let value = after.dropFirst().prefix { $0 != quote }
        rest = after.dropFirst(value.count + 2)
        return value
    }

    /// Returns whether `word` is one of the words in an attribute, such as `class`.
    func has(_ word: StaticString, in attribute: StaticString) -> Bool {
        var rest = self[attribute].orEmpty
        while !rest.isEmpty {
            let next = rest.prefix { !$0.isSpace }
            if next.equals(word) { return true }
            rest = rest.dropFirst(next.count + 1)
        }
        return false
    }
}

extension UInt8 {
    /// Whether the byte separates attributes, and words (HTML, “ASCII whitespace”).
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B }

    fileprivate var isQuote: Bool { self == 0x22 || self == 0x27 }
}

extension Bytes {
    /// Returns the text with its character references decoded. Throws an error for a name that no template uses.
    func resolvingReferences() throws(RollcallError) -> [UInt8] {
        guard var ampersand = firstIndex(of: UInt8(ascii: "&")) else { return Array(self) }
        var text = Array(self[..<ampersand])
        while true {
            guard let end = firstIndex(of: UInt8(ascii: ";"), from: ampersand), end < ampersand + 12 else {
                throw RollcallError("expected a character reference such as &amp;, found an & without one")
            }
            let name = self[(ampersand + 1)..<end]
            guard let scalar = HTMLEntities.scalar(name) else {
                throw RollcallError("expected a character reference such as &amp;, found &\(String(name));")
            }
            text += String(scalar).utf8
            let next = firstIndex(of: UInt8(ascii: "&"), from: end)
            text.append(self[(end + 1)..<(next ?? count)])
            guard let next else { return text }
            ampersand = next
        }
    }
}
