/// A plain text, of a publisher or about a person: blank lines make paragraphs, and http and https URLs become links.
struct LinkedText {
    struct Part: Equatable {
        var text: String
        var href: String?
    }

    let paragraphs: [[Part]]

    init(_ text: String) {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.allSatisfy(\.isWhitespace) {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        self.paragraphs = paragraphs.filter { !$0.isEmpty }.map { Self.parts($0.joined(separator: "\n")) }
    }

    /// Returns the text in parts: a URL is a part of its own.
    static func parts(_ text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let match = rest.firstMatch(of: /https?:\/\/[^\s<>"]+/) {
            // A full stop or a bracket after a URL belongs to the sentence.
            var url = match.0
            while let last = url.last, ".,;:!?)]}’”'".contains(last), !(last == ")" && url.contains("(")) {
                url = url.dropLast()
            }
            guard String(url).isWebURL else {
                parts.append(Part(text: String(rest[..<match.range.upperBound])))
                rest = rest[match.range.upperBound...]
                continue
            }
            if url.startIndex > rest.startIndex { parts.append(Part(text: String(rest[..<url.startIndex]))) }
            parts.append(Part(text: String(url), href: String(url)))
            rest = rest[url.endIndex...]
        }
        if !rest.isEmpty { parts.append(Part(text: String(rest))) }
        return parts
    }
}
