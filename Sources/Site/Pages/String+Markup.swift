import Base

extension String {
    /// The text of HTML: without tags, and with paragraphs and breaks as lines. Good enough for the HTML that Stack
    /// Exchange allows in profiles. The result is text, which is escaped like any other.
    var withoutMarkup: String {
        let lines = ["<p>", "</p>", "<br>", "<br/>", "<br />", "<li>"]
        let text = ByteBuffer(capacity: utf8.count)
        var rest = self[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            text.append(utf8: rest[..<start])
            if lines.contains(String(rest[start...end])) { text.append("\n") }
            rest = rest[rest.index(after: end)...]
        }
        text.append(utf8: rest)
        let decoded = ByteBuffer(capacity: text.count)
        HTMLEntities.append(decoding: text.bytes, to: decoded)
        return String(decoded).replacing(/\n{3,}/, with: "\n\n")
    }
}
