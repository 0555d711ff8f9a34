import Base
import People
import Server

/// The names of the site's parameters. The filters of a directory are parameters, too, which may be given several times
/// (``FilterParameters``).
enum Parameter: String, CaseIterable, Sendable {
    // Those of pages of users.
    case since, before, at, letter
    case perPage = "per_page"
    case q, sort, order, directory, view, theme, embed, fields, filters, lang
    // Those of a person, of controls and values, of walls, of exports, and of events.
    case id, controls, find
    case columns, max, size, bots
    case layout, proof, spreadsheet
    case seen
    case seenTotal = "seen_total"

    static let ofLists: Set<Parameter> = [
        .since, .before, .at, .letter, .perPage, .q, .sort, .order, .directory, .view, .theme, .embed, .fields,
        .filters, .lang,
    ]
}

typealias Parameters = NamedValues<Parameter>

extension NamedValues<Parameter> {
    /// The parameters of pages of users.
    init(_ query: QueryItems) throws { try self.init(query, Parameter.ofLists) }

    /// Returns the order: `sort=KEY`, with `order`, or `sort=-KEY` for descending. Without `sort` it is `standard`, or
    /// the order by id if the cursor is a bare number. The order by relevance needs words; without any, it means the
    /// directory's order.
    func sort(of directory: Directory, unless standard: Sort, hasWords: Bool) throws -> Sort {
        let direction: Sort.Direction? = try choice(.order)
        guard let text = filled(.sort) else {
            if filled(.letter) != nil { return Sort(.name, direction ?? .ascending) }
            let cursor = filled(.since) ?? filled(.before)
            let known = cursor.flatMap { Int64(digits: $0) } == nil ? standard : Sort()
            return Sort(known.key, direction ?? known.direction)
        }
        let isDescending = text.hasPrefix("-")
        try expect(!isDescending || direction == nil, .badRequest(.errorSortDescending, ["found": text.excerpt]))
        let name = isDescending ? text.dropFirst() : text[...]
        if let sort = directory.settings.sort(name, isDescending ? .descending : direction ?? .ascending) {
            if case .relevance = sort.key, !hasWords { return directory.defaultSort }
            return sort
        }
        let relevance = Sort.Key.relevance(then: directory.defaultSort).name
        let names = Sort.Key.common.map(\.name) + directory.settings.orders.map(\.key) + [relevance]
        throw HTTPError.wrongChoice("sort", names, String(name))
    }

    /// Returns the fields that a list contains, in the order of the directory: `*` for all, or keys. Private fields are
    /// treated like missing ones.
    func fields(of directory: Directory) throws -> [Int]? {
        guard let text = filled(.fields) else { return nil }
        let settings = directory.settings
        if text == "*" { return settings.listedFields }
        let known = settings.fields.map(\.key)
        let keys = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for key in keys where !known.contains(key) {
            throw HTTPError.wrongChoice("fields", ["*"] + known, key, .errorSomeOf)
        }
        return known.indices.filter { keys.contains(known[$0]) }
    }

    /// Returns where the page begins, or ends. An empty `since`, `at` or `letter` counts as absent, and an empty
    /// `before` means the end. `language` is that of the directory's letters.
    func start(_ key: Sort.Key, isSearch: Bool, language: String) throws -> UserQuery.Start {
        let given = [Parameter.since, .before, .at, .letter].filter { name in
            (name == .before ? self[name] : filled(name)) != nil
        }
        if given.count > 1 {
            let names = given.map(\.rawValue).joined(separator: ", ")
            throw HTTPError.badRequest(given.count == 2 ? .errorFoundBoth : .errorFoundAll, ["names": names])
        }
        guard let name = given.first, let text = self[name] else { return .first }
        switch name {
        case .at: return try position(text, isSearch: isSearch)
        case .letter: return .letter(try letter(text, key, language))
        case .before: return text.isEmpty ? .last : .before(try cursor(text, name, key))
        default: return .after(try cursor(text, name, key))
        }
    }

    private func letter(_ text: String, _ key: Sort.Key, _ language: String) throws -> String {
        try expect(key.hasLetters, .badRequest(.errorLetterOrder, ["found": key.name]))
        let index = try required(Collation(language).index, .badRequest(.errorNoLetters, ["language": language]))
        return try required(
            index.label(of: text, in: Collation(language)),
            .wrongChoice("letter", index.letters.map(\.label), text))
    }

    /// Returns the start of the page that begins at a position, counted from 1.
    private func position(_ text: String, isSearch: Bool) throws -> UserQuery.Start {
        guard let number = Int64(digits: text), number > 0 else {
            throw HTTPError.badRequest(.errorPosition, ["found": text.excerpt])
        }
        let limit = UserQuery.numberedMatches
        try expect(
            !isSearch || number <= limit, .badRequest(.errorPositionLimit, ["limit": "\(limit)", "found": text]))
        return number == 1 ? .first : .at(Int(number) - 1)
    }

    private func cursor(_ text: String, _ name: Parameter, _ key: Sort.Key) throws -> Cursor {
        try required(
            Cursor(encoded: text, for: key),
            .badRequest(
                key == .id ? .errorCursorID : .errorCursor,
                ["name": name.rawValue, "order": key.name, "found": text.excerpt]))
    }
}

extension ByteBuffer {
    /// Decodes percent-encoded text in this buffer. Returns `nil` if the bytes are not UTF-8 or contain a zero byte.
    func decodedText(_ encoded: Bytes, plusIsSpace: Bool = false) -> String? {
        removeAll()
        guard append(percentDecoding: encoded, plusIsSpace: plusIsSpace), !contains(0) else { return nil }
        return text
    }
}

extension Int64 {
    /// A number of digits only: no sign, no space.
    init?(digits text: String) {
        guard let number = text.withUTF8Bytes({ Int64(decimalDigits: $0) }) else { return nil }
        self = number
    }
}

extension String {
    /// The beginning of a value from a request, for a message.
    var excerpt: String { count > 40 ? prefix(40) + "…" : self }
}

/// The parameters of a request, decoded once for everything that reads some of them.
struct QueryItems: Sendable {
    /// The value is `nil` if it is not UTF-8, or has a zero byte.
    typealias Item = (name: String, value: String?)

    private(set) var all: [Item] = []

    /// Returns the value, or throws an ``HTTPError`` that names the parameter.
    static func text(of item: Item) throws -> String {
        try required(item.value, .badRequest(.errorNotText, ["name": item.name]))
    }

    /// The parameters of a command.
    init(_ parameters: [(name: String, value: String)]) {
        all = parameters.map { ($0.name, $0.value) }
    }

    /// Decodes a query. Parameters whose name is not UTF-8 are left out.
    init(_ query: Bytes?, scratch: ByteBuffer) {
        forEachQueryItem(in: query.orEmpty) { name, value in
            guard let name = scratch.decodedText(name, plusIsSpace: true) else { return }
            all.append((name, scratch.decodedText(value, plusIsSpace: true)))
        }
    }
}

/// The values of parameters whose names are in `Name`, each at most once. Other parameters are ignored.
struct NamedValues<Name: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable {
    private var values: [(name: Name, text: String)] = []

    init(_ query: QueryItems) throws { try self.init(query, Set(Name.allCases)) }

    /// Reads the parameters called `names`. Throws an ``HTTPError`` that names one.
    init(_ query: QueryItems, _ names: Set<Name>) throws {
        for item in query.all {
            guard let known = Name(rawValue: item.name), names.contains(known) else { continue }
            try expect(self[known] == nil, .badRequest(.errorGivenTwice, ["name": known.rawValue]))
            values.append((known, try QueryItems.text(of: item)))
        }
    }

    subscript(name: Name) -> String? { values.first { $0.name == name }?.text }

    /// The value, unless it is empty, as forms send what nobody filled in.
    func filled(_ name: Name) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a value of an enumeration, or `nil` if the parameter is absent or, as forms send it, empty.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: Name) throws -> Choice? {
        try choice(name, of: Choice.allCases)
    }

    func choice<Choice: RawRepresentable<String>>(_ name: Name, of choices: some Collection<Choice>) throws -> Choice? {
        guard let text = filled(name) else { return nil }
        return try required(
            choices.first { $0.rawValue == text }, .wrongChoice(name.rawValue, choices.map(\.rawValue), text))
    }

    /// Whether the parameter is 1. Throws for anything else but an empty text.
    func isOne(_ name: Name) throws -> Bool {
        guard let text = filled(name) else { return false }
        try expect(text == "1", .badRequest("\(name.rawValue): expected 1, found “\(text.excerpt)”"))
        return true
    }

    /// Returns a number in `range`, or `nil` if the parameter is absent.
    /// - Parameter isCapped: whether a greater number means the greatest one.
    func number(_ name: Name, in range: ClosedRange<Int64>, isCapped: Bool = false) throws -> Int? {
        guard let text = self[name] else { return nil }
        let (first, last) = (range.lowerBound, range.upperBound)
        let given = Int64(digits: text).map { isCapped ? min($0, last) : $0 }
        if let given, range.contains(given) { return Int(given) }
        throw HTTPError.badRequest(
            .errorRange, ["name": name.rawValue, "first": "\(first)", "last": "\(last)", "found": text.excerpt])
    }

    func searchText(_ name: Name) throws -> String? {
        try self[name].map { try Search.checked($0, of: name.rawValue) }
    }

    /// Returns the search for the words of a parameter and for filters, and its text as typed, or `nil` if it contains
    /// no words.
    func search(_ name: Name, _ filters: [ChosenFilter]) throws -> (search: Search?, text: String?) {
        let text = try searchText(name) ?? ""
        let search = Search(text, filters: filters)
        return (search, search?.words.isEmpty == false ? text : nil)
    }
}

extension Search {
    /// Names are shorter than this in UTF-8. A longer text would only cost time on the event loop.
    static let maxBytes = 256

    /// Returns the value of the parameter `name`, or throws an ``HTTPError`` because it is too long.
    static func checked(_ text: String, of name: String) throws -> String {
        try expect(
            text.utf8.count <= maxBytes,
            .badRequest(.errorTooLong, ["name": name, "limit": "\(maxBytes)", "found": "\(text.utf8.count)"]))
        return text
    }
}
