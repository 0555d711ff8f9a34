import Base

/// The `Link` field (RFC 8288 §3).
public enum LinkField {
    /// Returns the target of the first link with relation `next`. Other targets need not be URLs: GitHub's `first` is a
    /// URI template.
    public static func next(in field: String) -> String? {
        var rest = field[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = rest[rest.index(after: open)..<close]
            let end = end(of: rest[rest.index(after: close)...], at: ",")
            if isNext(rest[rest.index(after: close)..<end]) { return String(target) }
            rest = rest[end...]
        }
        return nil
    }

    /// Returns the index of the first `separator` outside of quotes, or the end of `text`.
    private static func end(of text: Substring, at separator: Character) -> Substring.Index {
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index] == separator, !isQuoted { return index }
        }
        return text.endIndex
    }

    private static func isNext(_ parameters: Substring) -> Bool {
        var rest = parameters
        while !rest.isEmpty {
            let end = end(of: rest, at: ";")
            if isNext(parameter: rest[..<end]) { return true }
            rest = rest[end...].dropFirst()
        }
        return false
    }

    private static func isNext(parameter: Substring) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, parts[0].lowercased() == "rel" else { return false }
        let relations = parts[1].filter { $0 != "\"" }.split(separator: " ")
        return relations.contains { $0.lowercased() == "next" }
    }
}
