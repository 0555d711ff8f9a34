import Server

/// The values of the parameters in `Name`, each at most once. Other parameters are ignored.
struct NamedValues<Name: RawRepresentable<String> & CaseIterable & Equatable & Sendable>: Sendable {
    private var values: [(name: Name, text: String)] = []

    /// Throws an ``HTTPError`` that names the parameter.
    init(_ query: QueryItems) throws {
        for item in query.all {
            guard let known = Name(rawValue: item.name) else { continue }
            if self[known] != nil { throw HTTPError.badRequest(.errorGivenTwice, ["name": known.rawValue]) }
            guard let text = item.value else { throw HTTPError.badRequest(.errorNotText, ["name": known.rawValue]) }
            values.append((known, text))
        }
    }

    subscript(name: Name) -> String? { values.first { $0.name == name }?.text }

    /// Returns a value of an enumeration, or `nil` if the parameter is absent or, as forms send it, empty.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: Name) throws -> Choice? {
        try choice(name, of: Choice.allCases)
    }

    /// Returns one of `choices`.
    func choice<Choice: RawRepresentable<String>>(_ name: Name, of choices: some Collection<Choice>) throws -> Choice? {
        guard let text = self[name], !text.isEmpty else { return nil }
        if let choice = choices.first(where: { $0.rawValue == text }) { return choice }
        let choices = choices.map(\.rawValue).joined(separator: ", ")
        throw HTTPError.badRequest(
            .errorOneOf, ["name": name.rawValue, "choices": choices, "found": text.excerpt])
    }

    /// Whether the parameter is 1. Throws for anything else but an empty text.
    func isOne(_ name: Name) throws -> Bool {
        guard let text = self[name], !text.isEmpty else { return false }
        if text == "1" { return true }
        throw HTTPError.badRequest("\(name.rawValue): expected 1, found “\(text.excerpt)”")
    }

    /// Returns a number in `range`, or `nil` if the parameter is absent.
    func number(_ name: Name, in range: ClosedRange<Int64>) throws -> Int? {
        guard let text = self[name] else { return nil }
        if let number = Int64(digits: text), range.contains(number) { return Int(number) }
        throw HTTPError.badRequest(
            .errorRange,
            [
                "name": name.rawValue, "first": "\(range.lowerBound)", "last": "\(range.upperBound)",
                "found": text.excerpt,
            ])
    }

    /// Returns a text to search for.
    func searchText(_ name: Name) throws -> String? {
        guard let text = self[name] else { return nil }
        guard text.utf8.count <= SearchText.maxBytes else {
            throw HTTPError.badRequest(
                .errorTooLong,
                ["name": name.rawValue, "limit": "\(SearchText.maxBytes)", "found": "\(text.utf8.count)"])
        }
        return text
    }
}

/// The limit of the texts that readers search for.
enum SearchText {
    /// Names are shorter than this in UTF-8. A longer text would only cost time on the event loop.
    static let maxBytes = 256
}
