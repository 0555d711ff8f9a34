/// The state of the HTML tokenizer after the literal text so far. It decides whether escaping a value is enough.
///
/// It follows the tokenizer of the HTML standard (§13.2.5) as far as that decision requires.
struct HTMLContext {
    enum Place: Equatable {
        case text
        /// After `<`.
        case tagOpen
        case tagName
        /// Between attributes.
        case tag
        case attributeName
        /// After `=`.
        case beforeValue
        case quoted(UInt8)
        case unquoted
        case comment
        /// In a script or style sheet.
        case code

        /// Within a tag and outside of attribute values. The end of a name is recognized only by the byte that follows
        /// it.
        fileprivate var isInTag: Bool { [.tagName, .tag, .attributeName].contains(self) }
    }

    private(set) var place = Place.text
    /// The names of the last tag and the last attribute, in lower case.
    private var tag: [UInt8] = []
    private var attribute: [UInt8] = []
    /// Whether the attribute's value already has some content.
    private var hasValue = false
    /// The last bytes in a comment or code, to recognize its end.
    private var tail: [UInt8] = []

    mutating func append(_ literal: some Sequence<UInt8>) {
        for byte in literal { append(byte) }
    }

    /// Records that a template value is inserted here.
    mutating func appendValue() {
        if case .quoted = place { hasValue = true }
    }

    /// Handles the end of a section that began in the state `start`. Returns whether the section leaves the tokenizer
    /// in the same state: the meaning of the rest of the template must not depend on whether the section is shown.
    mutating func leaveSection(begunIn start: HTMLContext) -> Bool {
        hasValue = hasValue && start.hasValue
        return place == start.place || (place.isInTag && start.place.isInTag)
    }

    private mutating func append(_ byte: UInt8) {
        switch place {
        case .text: if byte == UInt8(ascii: "<") { place = .tagOpen }
        case .tagOpen: open(byte)
        case .tagName:
            if isEnd(byte) { leaveTag(byte) } else { tag.append(lowercased(byte)) }
        case .tag, .attributeName:
            if byte == UInt8(ascii: "=") {
                place = .beforeValue
            } else if isEnd(byte) {
                leaveTag(byte)
            } else {
                if place == .tag { attribute = [] }
                place = .attributeName
                attribute.append(lowercased(byte))
            }
        case .beforeValue: beginValue(byte)
        case .quoted(let quote): if byte == quote { place = .tag } else { hasValue = true }
        case .unquoted: if isSpace(byte) || byte == UInt8(ascii: ">") { leaveTag(byte) }
        case .comment:
            // A declaration, `<!doctype html>`, ends like a tag.
            let isDeclaration = (tail.first ?? byte) != UInt8(ascii: "-")
            look(for: isDeclaration ? ">" : "-->", byte, next: .text)
        case .code: look(for: tag == Array("style".utf8) ? "</style" : "</script", byte, next: .tagName)
        }
    }

    private mutating func open(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "!"):
            place = .comment
            tail = []
        case UInt8(ascii: "/"):
            place = .tagName
            tag = []
        case _ where (lowercased(byte) &- 97) < 26:
            place = .tagName
            tag = [lowercased(byte)]
        default: place = .text
        }
    }

    private mutating func beginValue(_ byte: UInt8) {
        hasValue = false
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): place = .quoted(byte)
        case UInt8(ascii: ">"): leaveTag(byte)
        case _ where isSpace(byte): break
        default: place = .unquoted
        }
    }

    private mutating func leaveTag(_ byte: UInt8) {
        guard byte == UInt8(ascii: ">") else { return place = .tag }
        place = ["script", "style"].contains(String(decoding: tag, as: UTF8.self)) ? .code : .text
        tail = []
    }

    /// Stays in the comment or code until the last bytes are `end`, and is then in `next`.
    private mutating func look(for end: String, _ byte: UInt8, next: Place) {
        tail.append(lowercased(byte))
        guard tail.suffix(end.utf8.count).elementsEqual(end.utf8) else { return }
        (place, tag) = (next, [])
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    private func isEnd(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
    private func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}

extension HTMLContext {
    /// Returns why a value of `kind` must not be inserted here, where escaping does not protect, or `nil` if it may.
    func objection(to kind: FieldKind) -> String? {
        switch place {
        case .text, .comment: return nil
        case .code:
            return "it is in a script or style sheet, where escaping does not work: put it into an attribute"
        case .tagOpen, .tagName, .tag, .attributeName:
            return "it is where a tag or an attribute has its name; only quoted values may contain it"
        case .beforeValue, .unquoted: return "it is in an attribute without quotes: put \"…\" around the value"
        case .quoted: return objectionInAttribute(to: kind)
        }
    }

    private func objectionInAttribute(to kind: FieldKind) -> String? {
        let name = String(decoding: attribute, as: UTF8.self)
        if case .markup = kind { return "it is markup, which no attribute takes" }
        if name.hasPrefix("on") || name == "style" || name == "srcdoc" {
            return "attribute \"\(name)\" is code, where escaping does not work: use a data- attribute"
        }
        if case .url = kind { return nil }
        guard Self.addresses.contains(name), !hasValue else { return nil }
        return "attribute \"\(name)\" takes an address, and this may be any text, even a javascript: URL"
    }

    private static let addresses: Set<String> = [
        "action", "background", "cite", "data", "formaction", "href", "longdesc", "manifest", "ping", "poster", "src",
        "srcset", "xlink:href",
    ]
}
