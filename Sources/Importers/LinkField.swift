/// A `Link` field (RFC 8288 §3).
enum LinkField {
    /// The target of the first link with relation `next`. Others need not be URLs: GitHub's `first` is a URI template.
    static func next(in field: String) -> String? {
        var rest = field[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = rest[rest.index(after: open)..<close]
            let (parameters, others) = split(rest[rest.index(after: close)...])
            if isNext(parameters) { return String(target) }
            rest = others
        }
        return nil
    }

    /// The parameters up to the comma that ends them, and what comes after it. A comma in quotes ends nothing.
    private static func split(_ text: Substring) -> (parameters: Substring, rest: Substring) {
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if text[index] == ",", !isQuoted { return (text[..<index], text[text.index(after: index)...]) }
        }
        return (text, "")
    }

    private static func isNext(_ parameters: Substring) -> Bool {
        parameters.split(separator: ";").contains { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, parts[0].lowercased() == "rel" else { return false }
            let relations = parts[1].filter { $0 != "\"" }.split(separator: " ")
            return relations.contains { $0.lowercased() == "next" }
        }
    }
}
