import Bytes
import Directories
import HTTP

/// A page of users that someone asks for: the parameters of `/`, `/fragment` and `/api/v3/users`, checked.
struct PageRequest: Sendable {
    enum Kind: UInt8, Sendable {
        case page = 80  // P
        case fragment = 70  // F
        case json = 74  // J
    }
    enum View: String, CaseIterable, Sendable {
        case list, grid
    }

    var kind: Kind
    var directory: Directory
    /// Whether `directory` is the one shown where a URL names none.
    var isDefaultDirectory: Bool
    /// As typed; `nil` without words.
    var searchText: String?
    var search: Search?
    var facets: [FacetChoice] { search?.facets ?? [] }
    var sort = Sort()
    var start = UserQuery.Start.first
    /// `nil` where the request gave none.
    var perPage: Int?
    var view = View.list
    /// How it stands in somebody else's page; `nil` where it stands alone.
    var embedding: Embedding?

    var limit: Int { perPage ?? (kind == .fragment ? Self.fragmentLimit : Self.pageLimit) }
    static let fragmentLimit = 10
    static let pageLimit = 30

    var query: UserQuery {
        UserQuery(directory: directory.id, search: search, sort: sort, start: start, limit: limit)
    }

    /// Reads the query of a request. Throws a ``HTTPError`` that names the parameter and what it takes.
    init(_ kind: Kind, query: UnsafeRawBufferPointer?, directories: DirectoryList, scratch: ByteBuffer) throws {
        let parameters = try Parameters(query, scratch: scratch)
        self.kind = kind
        (directory, isDefaultDirectory) = try directories.find(parameters[.directory])
        sort.key = try parameters.choice(.sort) ?? .id
        sort.direction = try parameters.choice(.order) ?? .ascending
        view = try parameters.choice(.view) ?? .list
        embedding = try parameters.embedding(kind)
        perPage = try parameters.perPage()
        start = try parameters.start(sort.key)
        let text = try parameters.searchText() ?? ""
        search = Search(text, facets: try parameters.facets(of: directory))
        searchText = search?.words.isEmpty == false ? text : nil
    }

    /// Appends what tells this request from every other that has another answer; the generation is not part of it.
    func appendKey(to buffer: ByteBuffer) {
        buffer.append(kind.rawValue)
        buffer.append(decimal: directory.id)
        buffer.append(isDefaultDirectory ? "d" : " ")
        buffer.append(utf8: sort.key.rawValue)
        buffer.append(utf8: sort.direction.rawValue)
        buffer.append(view == .grid ? "g" : "l")
        if let embedding {
            buffer.append("e")
            buffer.append(utf8: embedding.rawValue)
            buffer.append(" ")
        }
        buffer.append(decimal: limit)
        // Links carry `per_page` along only where it was given, so a given default is not an absent one.
        buffer.append(perPage == nil ? " " : "!")
        switch start {
        case .first: break
        case .last: buffer.append("$")
        case .after(let cursor):
            buffer.append(">")
            buffer.append(cursor, in: sort.key)
        case .before(let cursor):
            buffer.append("<")
            buffer.append(cursor, in: sort.key)
        case .at(let position):
            buffer.append("@")
            buffer.append(decimal: position)
        }
        for choice in facets {
            buffer.append("&")
            buffer.append(utf8: choice.facet.name)
            buffer.append("=")
            buffer.append(percentEncoding: choice.value)
        }
        if let searchText {
            buffer.append(" ?")
            buffer.append(utf8: searchText)
        }
    }
}
