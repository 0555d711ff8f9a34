import Bytes

extension String {
    /// What a text in HTML says: its tags are dropped, and paragraphs and breaks are lines of their own. Good enough for what
    /// Stack Exchange lets people write about themselves; the result is text, and escaped like any other.
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
