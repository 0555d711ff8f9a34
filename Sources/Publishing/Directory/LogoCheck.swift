import Base
import People

extension Logo {
    /// Reads a logo from the bytes of a file. Throws an error if they are not an SVG, PNG or JPEG, or are an SVG with
    /// scripts or with references to other files.
    public init(name: String, bytes: [UInt8]) throws(RollcallError) {
        try expect(
            bytes.count <= SettingsLimits.logoBytes, "expected a logo of at most 256 KiB, found \(name) with more")
        if let bitmap = Self.bitmaps.first(where: { bytes.starts(with: $0.mark) }) {
            try expect(bitmap.isWhole(bytes), "\(name): expected a whole \(bitmap.format), found a damaged one")
            self.init(name: name, type: bitmap.type, bytes: bytes)
            return
        }
        let check = try required(SVGCheck(bytes), "\(name): expected an SVG, PNG or JPEG, found something else")
        if let problem = check.problem {
            throw RollcallError("\(name): expected an SVG in UTF-8 without scripts, found \(problem)")
        }
        self.init(name: name, type: "image/svg+xml", bytes: bytes)
    }

    private static let bitmaps: [(mark: [UInt8], format: String, type: String, isWhole: @Sendable ([UInt8]) -> Bool)] =
        [
            (pngMark, "PNG", "image/png", isWholePNG),
            ([0xFF, 0xD8, 0xFF], "JPEG", "image/jpeg", isWholeJPEG),
        ]
}

/// Looks for content that is unsafe in an embedded SVG: scripts, event handlers, foreign content, and references to
/// other files. Rejects everything that it does not understand.
struct SVGCheck {
    private let text: [UInt8]
    private var index = 0
    /// A description of the problem for people; `nil` if the SVG is harmless.
    private(set) var problem: String?

    /// Returns `nil` if the text is not an SVG.
    init?(_ bytes: [UInt8]) {
        text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard text.withUnsafeBytes(\.isUTF8), !text.contains(0) else { return nil }
        var root: String?
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")), problem == nil {
            index = start
            if skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("</", ">") { continue }
            if skip("<?", "?>") {
                // It may refer to a style sheet.
                let instruction = String(decoding: text[start..<index], as: UTF8.self)
                if !instruction.hasPrefix("<?xml ") { problem = "a processing instruction" }
                if let encoding = Self.encoding(in: instruction) { problem = "the encoding \(encoding)" }
            } else if skip("<!DOCTYPE", ">") {
                if text[start..<index].contains(UInt8(ascii: "[")) { problem = "a document type with entities" }
            } else if let name = readElement() {
                root = root ?? name
            } else {
                return nil
            }
        }
        if problem != nil { return }
        guard root == "svg" else { return nil }
        problem = styleProblem
    }

    /// Returns the encoding that an XML declaration names, unless the text may be read as UTF-8: a browser would read
    /// another text than this check.
    private static func encoding(in declaration: String) -> String? {
        guard let found = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/) else { return nil }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(found.1.lowercased()) ? nil : String(found.1.prefix(40))
    }

    /// Elements that run scripts, show other documents, or change references.
    private static let elements: Set<String> = [
        "script", "foreignobject", "iframe", "object", "embed", "audio", "video", "handler", "listener", "frame",
        "html", "body", "link", "meta", "base", "img",
    ]

    /// Skips from `start` to `end` if `start` comes next, and `end` somewhere behind it.
    private mutating func skip(_ start: StaticString, _ end: StaticString) -> Bool {
        guard text[index...].starts(with: start.description.utf8),
            let found = text.withUnsafeBytes({ $0.offset(of: end, from: index + start.utf8CodeUnitCount) })
        else { return false }
        index = found + end.utf8CodeUnitCount
        return true
    }

    /// Reads a start tag and checks its name and attributes. Returns the name in lower case, without a prefix, or `nil`
    /// if the text has no tag here.
    private mutating func readElement() -> String? {
        index += 1
        let name = readName()
        if name.isEmpty || name.hasPrefix("!") || name.hasPrefix("?") { return nil }
        if Self.elements.contains(name) { problem = "the element \"\(name)\"" }
        while problem == nil {
            skipSpace()
            guard index < text.count else { return nil }
            if text[index] == UInt8(ascii: ">") { break }
            if text[index] == UInt8(ascii: "/") {
                index += 1
                continue
            }
            let attribute = readName()
            skipSpace()
            guard !attribute.isEmpty, index < text.count, text[index] == UInt8(ascii: "=") else { return nil }
            index += 1
            skipSpace()
            guard index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'"),
                let end = text[(index + 1)...].firstIndex(of: text[index]),
                // No value has one (Extensible Markup Language §2.3).
                !text[index..<end].contains(UInt8(ascii: "<"))
            else { return nil }
            check(attribute, String(decoding: text[(index + 1)..<end], as: UTF8.self), of: name)
            index = end + 1
        }
        return name
    }

    /// Reads a name, and returns it in lower case, without a prefix.
    private mutating func readName() -> String {
        let start = index
        while index < text.count, !" \t\r\n/>=\"'<".utf8.contains(text[index]) { index += 1 }
        let name = String(decoding: text[start..<index], as: UTF8.self).lowercased()
        return String(name.split(separator: ":").last ?? "")
    }

    private mutating func skipSpace() {
        while index < text.count, " \t\r\n".utf8.contains(text[index]) { index += 1 }
    }

    private mutating func check(_ attribute: String, _ value: String, of element: String) {
        let compact = value.lowercased().filter { !$0.isWhitespace }
        // Links within the file are safe, and a data URL of a bitmap holds the bitmap itself.
        let isInside = ["#", "data:image/png", "data:image/jpeg", "data:image/webp"].contains { compact.hasPrefix($0) }
        let isReference = attribute == "href" || attribute == "src"
        let isStyle = attribute == "style" || compact.contains("url(")
        let isAnimation = compact.hasSuffix("href") || compact.hasPrefix("on")
        let problems = [
            (attribute.hasPrefix("on"), "the event handler \"\(attribute)\""),
            (isReference && !isInside, "a reference to \"\(value.prefix(60))\""),
            (attribute == "attributename" && isAnimation, "an animation of \"\(value)\""),
            (compact.contains("javascript:"), "a script in \"\(attribute)\""),
            (!isReference && isStyle && compact.contains("&"), "an encoded style"),
        ]
        problem = problems.first { $0.0 }?.1
    }

    /// Style sheets may refer to other files, and may hide that with escapes.
    private var styleProblem: String? {
        let styles = String(decoding: text, as: UTF8.self).lowercased().filter {
            !$0.isWhitespace && $0 != "\"" && $0 != "'"
        }
        let hasStyles = styles.contains("<style") || styles.contains("style=")
        let problems = [
            (styles.contains("@import"), "the import of a style sheet"),
            (hasStyles && styles.contains("\\"), "an escape in a style"),
        ]
        let outside = styles.split(separator: "url(", omittingEmptySubsequences: false).dropFirst().first { part in
            !part.hasPrefix("#") && !part.hasPrefix("data:image/")
        }
        return problems.first { $0.0 }?.1 ?? outside.map { "a reference to \"\($0.prefix(60))\"" }
    }
}
