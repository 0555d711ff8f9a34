import Bytes
import Directories
import HTTP

/// The parameters of pages of users, each at most once. Other parameters are ignored.
struct Parameters {
    enum Name: String, CaseIterable {
        case since, before
        case perPage = "per_page"
        case q, sort, order, directory, view, embed
        // Facets: see ``Facet/name``.
        case type
        case userType = "user_type"
        case status, species, gender
        /// The directory whose facets the form contains.
        case facetsOf = "facets_of"
    }

    private let values: NamedValues<Name>

    init(_ query: UnsafeRawBufferPointer?, scratch: ByteBuffer) throws {
        values = try NamedValues(query, scratch: scratch)
    }

    subscript(name: Name) -> String? { values[name] }

    /// Returns a value of an enumeration, or `nil` if the parameter is absent or, as forms send it, empty.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: Name) throws -> Choice? {
        try values.choice(name)
    }

    /// Returns one of `choices`.
    func choice<Choice: RawRepresentable<String>>(_ name: Name, of choices: some Collection<Choice>) throws -> Choice? {
        try values.choice(name, of: choices)
    }

    /// Returns the order, one of those that the directory offers.
    func sortKey(of directory: Directory) throws -> Sort.Key? {
        guard let text = self[.sort], !text.isEmpty else { return nil }
        if let key = Sort.Key(text, of: directory.plan) { return key }
        let names = Sort.Key.common.map(\.name) + directory.plan.orders.map(\.key)
        throw HTTPError.badRequest(
            "sort: expected one of \(names.joined(separator: ", ")), found “\(text.excerpt)”")
    }

    func perPage() throws -> Int? {
        guard let text = self[.perPage] else { return nil }
        guard let number = Int64(digits: text), number > 0 else {
            throw HTTPError.badRequest("per_page: expected a number from 1 to 100, found “\(text.excerpt)”")
        }
        return Int(min(number, 100))
    }

    func searchText() throws -> String? { try values.searchText(.q) }

    /// Returns the chosen values of the facets that `directory` has, in any case (``FacetChoice``). Parameters of other
    /// facets are ignored, and so are empty values, as forms send them. If `facets_of` names another directory, none is
    /// used: the reader chose them for that directory.
    func facets(of directory: Directory) throws -> [FacetChoice] {
        if let owner = self[.facetsOf], owner != directory.slug.text { return [] }
        return try directory.facets.compactMap { counts in
            guard let name = Name(rawValue: counts.facet.name), let text = try values.searchText(name), !text.isEmpty
            else {
                return nil
            }
            return counts.choice(text)
        }
    }

    func start(_ key: Sort.Key) throws -> UserQuery.Start {
        switch (self[.since], self[.before]) {
        case (nil, nil): return .first
        case (let since?, nil): return since.isEmpty ? .first : .after(try cursor(since, .since, key))
        case (nil, let before?): return before.isEmpty ? .last : .before(try cursor(before, .before, key))
        case (.some, .some): throw HTTPError.badRequest("since, before: expected one of them, found both")
        }
    }

    private func cursor(_ text: String, _ name: Name, _ key: Sort.Key) throws -> Cursor {
        if let cursor = Cursor(encoded: text, for: key) { return cursor }
        let expected =
            key == .id ? "the id of a user (a 64-bit number)" : "a cursor from a link of the order by \(key.name)"
        throw HTTPError.badRequest("\(name.rawValue): expected \(expected), found “\(text.excerpt)”")
    }
}

extension FacetCounts {
    /// Returns the value equal to `text`, in any case, or else one that no user has.
    func choice(_ text: String) -> FacetChoice {
        let index = FacetChoice.index(of: text, in: values.map(\.value))
        return FacetChoice(facet, index.map { values[$0].value } ?? text)
    }
}

extension ByteBuffer {
    /// Decodes percent-encoded text in this buffer. Returns `nil` if the bytes are not UTF-8 or contain a zero byte.
    func decodedText(_ encoded: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> String? {
        removeAll()
        guard append(percentDecoding: encoded, plusIsSpace: plusIsSpace), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Int64 {
    /// A number of digits only: no sign, no space.
    init?(digits text: String) {
        var text = text
        guard let number = text.withUTF8({ Int64(decimalDigits: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = number
    }
}

extension String {
    /// The beginning of a value from a request, for a message.
    var excerpt: String { count > 40 ? prefix(40) + "…" : self }
}
