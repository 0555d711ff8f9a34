/// A part of a plain text, of a publisher or about a person: an http or https URL, which becomes a link, or the text
/// before and after one.
struct LinkedText {
    var text: String
    var href: String?

    /// Returns the parts of each paragraph. Blank lines make paragraphs.
    static func paragraphs(_ text: String) -> [[LinkedText]] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.allSatisfy(\.isWhitespace) {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { parts($0.joined(separator: "\n")) }
    }

    /// Returns the text in parts: a URL is a part of its own.
    static func parts(_ text: String) -> [LinkedText] {
        var parts: [LinkedText] = []
        var rest = text[...]
        while let match = rest.firstMatch(of: /https?:\/\/[^\s<>"]+/) {
            // A full stop or a bracket after a URL belongs to the sentence.
            var url = match.0
            while let last = url.last, ".,;:!?)]}’”'".contains(last), !(last == ")" && url.contains("(")) {
                url = url.dropLast()
            }
            guard String(url).isWebURL else {
                parts.append(LinkedText(text: String(rest[..<match.range.upperBound])))
                rest = rest[match.range.upperBound...]
                continue
            }
            if url.startIndex > rest.startIndex { parts.append(LinkedText(text: String(rest[..<url.startIndex]))) }
            parts.append(LinkedText(text: String(url), href: String(url)))
            rest = rest[url.endIndex...]
        }
        if !rest.isEmpty { parts.append(LinkedText(text: String(rest))) }
        return parts
    }
}
