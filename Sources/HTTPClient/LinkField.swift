import Base

extension ClientAnswer {
    /// The target of the first link with relation `next` in the `Link` field (RFC 8288 §3). Other targets need not be
    /// URLs: GitHub's `first` is a URI template.
    public var nextLink: String? {
        var rest = (fields["link"] ?? "")[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let parameters = rest[rest.index(after: close)...].prefix(toUnquoted: ",")
            if parameters.haveRelationNext { return String(rest[rest.index(after: open)..<close]) }
            rest = rest[parameters.endIndex...]
        }
        return nil
    }
}

extension Substring {
    /// The text before the first `separator` outside of quotes.
    fileprivate func prefix(toUnquoted separator: Character) -> Substring {
        var isQuoted = false
        return prefix { character in
            if character == "\"" { isQuoted.toggle() }
            return isQuoted || character != separator
        }
    }

    fileprivate var haveRelationNext: Bool {
        var rest = self
        while !rest.isEmpty {
            let parameter = rest.prefix(toUnquoted: ";")
            if parameter.isRelationNext { return true }
            rest = rest[parameter.endIndex...].dropFirst()
        }
        return false
    }

    private var isRelationNext: Bool {
        let parts = split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, parts[0].lowercased() == "rel" else { return false }
        let relations = parts[1].filter { $0 != "\"" }.split(separator: " ")
        return relations.contains { $0.lowercased() == "next" }
    }
}
