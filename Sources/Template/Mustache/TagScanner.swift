/// A tag of a template, and the literal text before it.
struct Tag {
    enum Kind {
        case variable, unescaped, section, inverted, close, partial, message
        /// Comments and changes of the delimiters, which compile to nothing.
        case silent
    }

    let kind: Kind
    let name: String
    let file: TemplateFile
    /// The offset of the tag in the file.
    let start: Int
    let literal: Range<Int>
    /// The blanks before a tag that is alone on its line. The whole line is left out of the output.
    let standaloneIndent: Range<Int>?

    func error(_ message: String) -> TemplateError { file.error(at: start, message) }
}

/// Finds the tags of a template, one after the other.
struct TagScanner {
    private let file: TemplateFile
    private var position: Int
    private var opening = Array("{{".utf8)
    private var closing = Array("}}".utf8)

    init(_ file: TemplateFile) {
        self.file = file
        position = file.start
    }

    /// The text after the last tag.
    var rest: Range<Int> { position..<file.bytes.count }

    mutating func next() throws(TemplateError) -> Tag? {
        guard let start = find(opening, from: position) else { return nil }
        let (sigil, afterSigil) = sigil(from: start + opening.count)
        let closing = closing(of: sigil)
        guard let contentEnd = find(closing, from: afterSigil) else { throw neverClosed(start) }
        let content = trim(afterSigil..<contentEnd)
        if sigil == "=" { try setDelimiters(content, at: start) }
        if let kind = Self.kinds[sigil] {
            return try tag(kind, content, from: start, to: contentEnd + closing.count)
        }
        throw file.error(at: start, "blocks and parents (\"\(sigil)\") are not supported")
    }

    private mutating func tag(_ kind: Tag.Kind, _ content: Range<Int>, from start: Int, to end: Int)
        throws(TemplateError) -> Tag
    {
        let name = kind == .silent ? "" : file.text(content)
        // A tag without its closing delimiter would extend into the next tag or past the end of its line.
        if find(opening, from: content.lowerBound, to: content.upperBound) != nil && kind != .silent
            || name.utf8.contains(UInt8(ascii: "\n"))
        {
            throw neverClosed(start)
        }
        if name.isEmpty, kind != .silent { throw file.error(at: start, "the tag names nothing") }
        var literal = position..<start
        var indent: Range<Int>?
        position = end
        if kind.canStandAlone, let line = standaloneLine(start, end) {
            literal = literal.lowerBound..<line.lowerBound
            indent = line.lowerBound..<start
            position = line.upperBound
        }
        return Tag(kind: kind, name: name, file: file, start: start, literal: literal, standaloneIndent: indent)
    }

    /// Returns the whole line with its line end if there are only blanks around the tag, or `nil`.
    private func standaloneLine(_ start: Int, _ end: Int) -> Range<Int>? {
        let bytes = file.bytes
        let lineStart = bytes[file.start..<start].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? file.start
        guard file.isLineStart(lineStart) else { return nil }
        let rest = bytes[end...].drop { " \t\r".utf8.contains($0) }
        if rest.isEmpty { return lineStart..<bytes.count }
        return rest.first == UInt8(ascii: "\n") ? lineStart..<(rest.startIndex + 1) : nil
    }

    private func neverClosed(_ start: Int) -> TemplateError {
        file.error(at: start, "tag \"\(String(decoding: opening, as: UTF8.self))\" is never closed")
    }
}

// MARK: - Parts of a tag

extension TagScanner {
    /// Returns the character that gives the kind of the tag (`x` for a plain variable), and the offset of its content.
    private func sigil(from offset: Int) -> (Character, Int) {
        var offset = offset
        while offset < file.bytes.count, file.bytes[offset].isSpace { offset += 1 }
        guard offset < file.bytes.count else { return ("x", offset) }
        let sigil = Character(Unicode.Scalar(file.bytes[offset]))
        return "#^/>!&{=$<@".contains(sigil) ? (sigil, offset + 1) : ("x", offset)
    }

    private static let kinds: [Character: Tag.Kind] = [
        "x": .variable, "&": .unescaped, "{": .unescaped, "#": .section, "^": .inverted, "/": .close, ">": .partial,
        "@": .message, "!": .silent, "=": .silent,
    ]

    private func closing(of sigil: Character) -> [UInt8] {
        switch sigil {
        case "{": [UInt8(ascii: "}")] + closing
        case "=": [UInt8(ascii: "=")] + closing
        default: closing
        }
    }

    private mutating func setDelimiters(_ content: Range<Int>, at start: Int) throws(TemplateError) {
        let words = file.bytes[content].split(whereSeparator: \.isSpace)
        guard words.count == 2, !words.joined().contains(UInt8(ascii: "=")) else {
            let found = file.text(content)
            throw file.error(
                at: start, "delimiters are two words without \"=\", as in {{=<% %>=}}; found \"\(found)\"")
        }
        (opening, closing) = (Array(words[0]), Array(words[1]))
    }

    private func trim(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, file.bytes[start].isSpace { start += 1 }
        while end > start, file.bytes[end - 1].isSpace { end -= 1 }
        return start..<end
    }

    private func find(_ word: [UInt8], from start: Int, to end: Int? = nil) -> Int? {
        let last = (end ?? file.bytes.count) - word.count
        guard start <= last else { return nil }
        return (start...last).first { file.bytes[$0..<($0 + word.count)].elementsEqual(word) }
    }
}

extension Tag.Kind {
    /// Whether a line with only this tag is left out of the output: true for all tags but variables and messages, which
    /// produce output.
    fileprivate var canStandAlone: Bool { ![.variable, .unescaped, .message].contains(self) }
}

extension UInt8 {
    fileprivate var isBlank: Bool { " \t".utf8.contains(self) }
    fileprivate var isSpace: Bool { " \t\n\r".utf8.contains(self) }
}
