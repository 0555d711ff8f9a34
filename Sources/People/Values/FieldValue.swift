import Base

public enum FieldValue: Equatable, Sendable {
    case text(String)
    /// At least one element.
    case list([String])
    case number(Double)
    /// A day, in days since 1970-01-01.
    case date(days: Int)
    /// An absolute http, https, mailto or tel URL, and the text to show.
    case link(url: String, text: String)
    case boolean(Bool)
}

/// The source of a field's value, prepared for reading.
struct FieldSource: Sendable {
    let template: FieldTemplate
    /// The numbers of the template's columns in ``ShownSettings/sourceColumns``.
    let columns: [Int]
    let linkStyle: LinkStyle
    /// The text between the elements of a list, if there is one.
    let separator: [UInt8]?

    init(_ field: Field, columns known: [String: Int]) {
        template = field.source
        columns = field.source.columns.compactMap { known[$0] }
        linkStyle = LinkStyle(field)
        separator = field.separator.map { Array($0.utf8) }
    }
}

/// The part of a field that most readers need: copying a whole ``Field`` or ``FieldSource`` costs more than reading its
/// value.
struct FieldOutline: Sendable {
    let type: FieldType
    /// The column, if the template is one column and nothing else.
    let onlyColumn: Int?
    let role: FieldRole?

    init(_ field: Field, columns known: [String: Int]) {
        (type, onlyColumn, role) = (field.type, field.source.onlyColumn.flatMap { known[$0] }, field.role)
    }
}

extension UnsafeRawBufferPointer {
    /// The UTF-8 text without the white space around it, including ideographic and no-break spaces.
    package var trimmedText: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, case let length = whitespace(at: start), length > 0 { start += length }
        while let length = (1...3).first(where: { end - $0 >= start && whitespace(at: end - $0) == $0 }) {
            end -= length
        }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Returns the length of the white space character at `index`, or 0 for any other.
    ///
    /// Inlined because every value of every row is trimmed: otherwise, calls are more than half of the time that a
    /// short text takes.
    @inline(__always) private func whitespace(at index: Int) -> Int {
        switch self[index] {
        case 0x20, 0x09...0x0D: 1
        case 0xC2 where shortScalar(at: index).value == 0xA0: 2
        case 0xE2 where shortScalar(at: index).value == 0x202F: 3
        case 0xE3 where shortScalar(at: index).value == 0x3000: 3
        default: 0
        }
    }

    /// Calls `body` with the parts of the text between separators.
    package func forEachPart(separatedBy separator: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while let end = separator.withUnsafeBytes({ offset(of: $0, from: start) }) {
            body(UnsafeRawBufferPointer(rebasing: self[start..<end]))
            start = end + separator.count
        }
        body(UnsafeRawBufferPointer(rebasing: self[start...]))
    }

    /// Returns the text in lower case if it has at most `limit` bytes.
    package func lowercased(upTo limit: Int) -> String? {
        count <= limit ? String(decoding: self, as: UTF8.self).lowercased() : nil
    }
}

extension FieldTemplate {
    /// Appends the text of the template. `appendColumn` appends the text of the column with a number in ``columns``,
    /// without white space around it.
    ///
    /// An empty column vanishes together with the text around it. If several texts remain between two columns that are
    /// not empty, the first stays.
    public func append(to buffer: ByteBuffer, _ appendColumn: (_ column: Int, _ buffer: ByteBuffer) -> Void) {
        let start = buffer.count
        var pending: String?
        var column = 0
        var isAfterValue = false
        for (index, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                if index == parts.count - 1, isAfterValue || column == 0 {
                    buffer.append(utf8: text)
                } else if index == 0 || (pending == nil && buffer.count > start) {
                    pending = text
                }
            case .column:
                let end = buffer.count
                if let pending { buffer.append(utf8: pending) }
                let begin = buffer.count
                appendColumn(column, buffer)
                isAfterValue = buffer.count > begin
                if isAfterValue { pending = nil } else { buffer.truncate(to: end) }
                column += 1
            }
        }
    }
}

/// The way in which the texts of a column become links.
public enum LinkStyle: Equatable, Sendable {
    /// URLs, with or without a scheme, and e-mail addresses.
    case web
    case phone
    /// Account names of a service, such as `@anna` in a column called GitHub.
    case github, linkedIn, x, mastodon

    /// The style of the column `heading`, or of a field with `role`.
    public init(heading: String, role: FieldRole? = nil) {
        switch Heading.normalized(heading) {
        case "github", "githublogin", "githubusername", "githubhandle", "githuburl", "githubprofile": self = .github
        case "linkedin", "linkedinurl", "linkedinprofile", "linkedinprofil": self = .linkedIn
        case "x", "twitter", "xtwitter", "twitterx", "twitterhandle": self = .x
        case "mastodon", "fediverse", "mastodonhandle": self = .mastodon
        default: self = role == .phone ? .phone : .web
        }
    }

    init(_ field: Field) {
        self.init(heading: field.source.onlyColumn ?? field.key, role: field.role)
    }

    /// Whether columns of this style are links, whatever their values are.
    public var isService: Bool { self != .web && self != .phone }

    public enum Reading: Equatable, Sendable {
        /// An absolute URL, and the text to show.
        case link(url: String, text: String)
        case text
        /// A link with a scheme that is not permitted.
        case refused
    }

    public func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        let bytes = bytes.trimmedText
        guard (1...2000).contains(bytes.count) else { return .text }
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.isWebURL { return .link(url: text, text: Self.shown(text)) }
        if let scheme = Self.scheme(text) { return Self.read(text, scheme) }
        switch self {
        case .github: if let name = Self.name(text) { return Self.profile("https://github.com/", name) }
        case .linkedIn: if let name = Self.name(text) { return Self.profile("https://www.linkedin.com/in/", name) }
        case .x: if let name = Self.name(text) { return Self.profile("https://x.com/", name) }
        case .mastodon: if let link = Self.mastodon(text) { return link }
        case .phone: if let number = Self.phone(text) { return .link(url: "tel:\(number)", text: text) }
        case .web: break
        }
        if Self.isEmail(bytes) { return .link(url: "mailto:\(text)", text: text) }
        if Self.hasHost(text), "https://\(text)".isWebURL {
            return .link(url: "https://\(text)", text: Self.shown(text))
        }
        return .text
    }

    /// Whether the text is a link beyond doubt. `Node.js` is one only in a column that is called a link.
    package static func isEvident(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard case .link(let url, _) = LinkStyle.web.read(bytes), url.hasPrefix("http") else { return false }
        return bytes.isWebURL || bytes.contains(UInt8(ascii: "/")) || bytes.starts(with: "www.")
    }

    private static func read(_ text: String, _ scheme: String) -> Reading {
        let rest = text.dropFirst(scheme.utf8.count + 1)
        guard ["mailto", "tel"].contains(scheme), !rest.isEmpty, rest.utf8.allSatisfy(\.isVisible) else {
            return .refused
        }
        return .link(url: "\(scheme):\(rest)", text: String(rest.prefix { $0 != "?" }))
    }

    /// Returns the scheme of a URL in lower case (RFC 3986 §3.1). A name with a port (`host.example:80`) has none.
    private static func scheme(_ text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme.utf8.first?.isLetter == true,
            scheme.utf8.allSatisfy({ $0.isLetterOrDigit || "+-".utf8.contains($0) })
        else { return nil }
        let rest = text[text.index(after: colon)...]
        return rest.first?.isWhitespace == true ? nil : scheme
    }

    /// Returns the address of a page, to show: without scheme and final slash.
    private static func shown(_ url: String) -> String {
        var text = url[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        if text.hasSuffix("/") { text = text.dropLast() }
        return String(text)
    }

    private static func profile(_ base: String, _ name: String) -> Reading { .link(url: base + name, text: name) }

    /// Returns the name in `@anna` and `anna`.
    private static func name(_ text: String) -> String? {
        let name = text.trimmingPrefix("@")
        return (1...100).contains(name.utf8.count) && name.utf8.allSatisfy(isNameByte) ? String(name) : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_".utf8.contains(byte)
    }

    /// Reads `@anna@host` and `anna@host`.
    private static func mastodon(_ text: String) -> Reading? {
        let parts = text.trimmingPrefix("@").split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, name(String(parts[0])) != nil, hasHost(String(parts[1])) else { return nil }
        return .link(url: "https://\(parts[1])/@\(parts[0])", text: "@\(parts[0])@\(parts[1])")
    }

    /// Whether the text is an e-mail address: something, an `@`, and a host.
    public static func isEmail(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= 254, let sign = text.firstIndex(of: UInt8(ascii: "@")), sign > 0,
            text.allSatisfy({ $0.isVisible && !#",;:<>()[]\""#.utf8.contains($0) })
        else { return false }
        let host = UnsafeRawBufferPointer(rebasing: text[(sign + 1)...])
        return !host.contains(UInt8(ascii: "@")) && isHost(host)
    }

    /// Returns the digits of a phone number, with a plus before them if it has one; `nil` if the text is not a phone
    /// number.
    public static func phone(_ text: String) -> String? {
        var digits = ""
        for character in text.utf8 {
            switch character {
            case 48...57: digits.unicodeScalars.append(Unicode.Scalar(character))
            case UInt8(ascii: "+") where digits.isEmpty: digits = "+"
            case 0x20, UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "."):
                break
            // The bytes of no-break spaces and of dashes
            case 0xC2, 0xA0, 0xE2, 0x80, 0x90...0x95, 0xAF: break
            default: return nil
            }
        }
        return (3...18).contains(digits.utf8.count) ? digits : nil
    }

    /// Whether a URL without a scheme begins with a host that has a dot.
    private static func hasHost(_ text: String) -> Bool {
        String(text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }).withBytes(isHost)
    }

    /// Whether a text is a domain name of two labels or more; the last has letters only.
    private static func isHost(_ text: UnsafeRawBufferPointer) -> Bool {
        guard (4...253).contains(text.count), let dot = text.lastIndex(of: UInt8(ascii: ".")), text.count - dot > 2
        else { return false }
        guard text[(dot + 1)...].allSatisfy({ $0.isLetter || $0 >= 0x80 }) else { return false }
        var previous = UInt8(ascii: ".")
        for byte in text {
            let isDot = byte == UInt8(ascii: ".")
            guard isDot ? previous != byte : isNameByte(byte) || byte >= 0x80 else { return false }
            previous = byte
        }
        // Invisible characters, such as those that turn the direction of writing, would make a host look like another.
        return text.allSatisfy { $0 < 0x80 }
            || String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy(isInHost)
    }

    /// Whether a domain name may contain `scalar`: an ASCII character, or a letter, a mark or a digit of any script.
    private static func isInHost(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}
