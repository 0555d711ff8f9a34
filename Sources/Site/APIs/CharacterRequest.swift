import Base
import People

/// A request for characters, as apps for the Rick and Morty API send it: `/api/character` and the paths below it.
struct CharacterRequest: Sendable {
    enum Wanted: Sendable {
        /// The addresses of the API's lists.
        case lists
        /// A page, from 1.
        case page(Int)
        case one(Int64)
        case several([Int64])
    }
    enum Name: String, CaseIterable, Sendable {
        case page, name, directory
        case status, species, type, gender
    }

    let wanted: Wanted
    /// The path of pages. Where that of the request ends in a slash, so do those of its neighbours.
    private let listPath: StaticString
    /// URLs of this API without a directory show the first one of characters.
    let linked: LinkedDirectory
    /// Whether the URL names no directory, so that this one was chosen among all: after an import, it may be another.
    private let choosesDirectory: Bool
    let search: Search?
    let searchText: String?

    static let pageSize = 20

    /// Reads the path after `/api/character` and the query; of `/api`, the query alone. Throws an ``HTTPError``.
    init(_ routed: RoutedRequest, isAboveLists: Bool = false) throws {
        let path = try routed.wildcardText()
        let directories = routed.directories
        let values = try NamedValues<Name>(routed.query)
        let ofCharacters = directories.ofCharacters
        let named = values.filled(.directory)
        choosesDirectory = named == nil
        let directory = try named.map { try directories.find($0).directory } ?? ofCharacters
        linked = LinkedDirectory(directory, isDefault: directory.id == ofCharacters.id)
        (search, searchText) = try values.search(.name, Self.filters(values, of: directory))
        wanted = isAboveLists ? .lists : try Self.wanted(path, values)
        listPath = path.isEmpty ? "/api/character" : "/api/character/"
    }

    private static func filters(_ values: NamedValues<Name>, of directory: Directory) throws -> [ChosenFilter] {
        try [Name.status, .species, .gender, .type].compactMap { name in
            guard let text = try values.searchText(name), !text.isEmpty else { return nil }
            if let counts = directory.filters.first(where: { $0.filter.key == name.rawValue && name != .type }) {
                return ChosenFilter(counts.filter, counts.value(text)?.value ?? text)
            }
            // Ignoring it would return characters that the client did not ask for.
            throw HTTPError.badRequest(
                "\(name.rawValue): expected no such filter, which this directory has no values for")
        }
    }

    private static func wanted(_ path: String, _ values: NamedValues<Name>) throws -> Wanted {
        let ids = path.drop { $0 == "/" }
        guard !ids.isEmpty else { return .page(page(values[.page])) }
        let isList = ids.hasPrefix("[") && ids.hasSuffix("]")
        // Clients in Python write lists with spaces: `[1, 2, 3]`.
        let list = isList ? ids.dropFirst().dropLast().filter { $0 != " " } : String(ids)
        let numbers = try required(
            [Int64](ids: list, separator: ",", limit: 100), .badRequest("Hey! you must provide an id"))
        return isList || numbers.count > 1 ? .several(numbers) : .one(numbers[0])
    }

    /// Returns the page. Anything but a number from 1 means the first one, as there.
    private static func page(_ text: String?) -> Int {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return 1 }
        return Swift.max(1, Swift.min(Int(text) ?? .max, Int(Int32.max)))
    }

    func position(_ page: Int) -> Int { (page - 1) * Self.pageSize }

    func query(_ page: Int) -> UserQuery {
        UserQuery(directory: directory.id, search: search, start: .at(position(page)), limit: Self.pageSize)
    }
}

extension CharacterRequest: Resource {
    func state(of directories: DirectoryList) -> UInt64? { choosesDirectory ? directories.people : nil }
    var hasAbsoluteLinks: Bool { true }

    func appendURL(to buffer: ByteBuffer) {
        switch wanted {
        case .lists: buffer.append("/api", of: linked)
        case .page(let number): append(urlOfPage: number, to: buffer)
        case .one(let id): append(urlOf: id, to: buffer)
        case .several(let ids): append(urlOf: "[", ids, "]", to: buffer)
        }
    }

    func append(urlOfPage page: Int, to buffer: ByteBuffer) {
        buffer.append(listPath)
        var query = QueryWriter(buffer)
        query.add("page", page)
        query.add("name", ifAny: searchText)
        for filter in search?.filters ?? [] { query.add(filter) }
        query.add(linked)
    }

    func append(urlOf id: Int64, to buffer: ByteBuffer) { append(urlOf: "", [id], "", to: buffer) }

    private func append(urlOf start: StaticString, _ ids: [Int64], _ end: StaticString, to buffer: ByteBuffer) {
        buffer.append("/api/character/")
        buffer.append(start)
        buffer.append(ids, separator: ",")
        buffer.append(end, of: linked)
    }
}

extension DirectoryList {
    /// The first directory from the Rick and Morty API, or else from a file with its records, which its filters show;
    /// else the default directory.
    fileprivate var ofCharacters: Directory {
        let filters = ["status", "species", "gender"]
        return all.first { $0.source == "rickandmorty" }
            ?? all.first { $0.filters.contains { filters.contains($0.filter.key) } } ?? shown
    }
}
