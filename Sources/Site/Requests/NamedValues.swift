import Bytes
import HTTP

/// The values of the parameters in `Name`, each at most once. Other parameters are ignored.
struct NamedValues<Name: RawRepresentable<String> & CaseIterable & Equatable & Sendable>: Sendable {
    private var values: [(name: Name, text: String)] = []

    /// Throws an ``HTTPError`` that names the parameter.
    init(_ query: UnsafeRawBufferPointer?, scratch: ByteBuffer) throws {
        guard let query else { return }
        var failure: HTTPError?
        forEachQueryItem(in: query) { name, value in
            guard failure == nil, let known = Self.name(name, scratch) else { return }
            if self[known] != nil {
                failure = .badRequest(.errorGivenTwice, ["name": known.rawValue])
            } else if let text = scratch.decodedText(value, plusIsSpace: true) {
                values.append((known, text))
            } else {
                failure = .badRequest(.errorNotText, ["name": known.rawValue])
            }
        }
        if let failure { throw failure }
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

    private static func name(_ name: UnsafeRawBufferPointer, _ scratch: ByteBuffer) -> Name? {
        scratch.decodedText(name, plusIsSpace: true).flatMap(Name.init)
    }
}

/// The limit of the texts that readers search for.
enum SearchText {
    /// Names are shorter than this in UTF-8. A longer text would only cost time on the event loop.
    static let maxBytes = 256
}
