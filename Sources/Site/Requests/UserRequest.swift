import Base
import People

/// A request for one user.
struct UserRequest: Sendable {
    /// The login in the URL; `nil` if only the id is there.
    let login: String?
    /// The id in the URL. With a login, it tells several users of that login apart: see ``PersonPage/namesakes``.
    let id: Int64?
    let linked: LinkedDirectory
    let format: Format
    /// The list that the reader came from, whose order the neighbours have: the parameters of a list in the URL of the
    /// page. They only choose the neighbours, so parameters that have become wrong since are ignored.
    let list: PageRequest
    /// The language of a page or fragment.
    let language: LanguageChoice?
    /// How a fragment is embedded in another page: `html` makes its links absolute.
    let embedding: Embedding?

    enum Format: Sendable {
        case page, json, vCard
        /// JSON for front ends.
        case person
        /// The person alone, for pages of other sites.
        case fragment

        /// The path before and after the login.
        fileprivate var path: (start: StaticString, end: StaticString) {
            switch self {
            case .page: ("/users/", "")
            case .json: ("/api/v3/users/", "")
            case .vCard: ("/users/", ".vcf")
            case .person: ("/users/", ".json")
            case .fragment: ("/fragment/users/", "")
            }
        }
    }

    private static let names: Set<Parameter> = [.directory, .id, .lang]

    /// The user whose login the path has. The query may add an id.
    init(_ routed: RoutedRequest, as format: Format) throws {
        try expect(!routed.match.wildcard.contains(UInt8(ascii: "/")), .notFound)
        try self.init(login: try routed.wildcardText(), routed, format)
    }

    /// `/api/v3/user/ID`
    init(id routed: RoutedRequest) throws {
        try self.init(id: required(Int64(digits: routed.wildcardText()), .notFound), routed, .json)
    }

    /// Throws an ``HTTPError`` that names the wrong parameter.
    private init(login: String? = nil, id: Int64? = nil, _ routed: RoutedRequest, _ format: Format) throws {
        let query = routed.query
        let values = try Parameters(query, Self.names)
        linked = try routed.directories.find(values[.directory])
        let directory = linked.directory
        self.login = login
        self.id = try id ?? values.number(.id, in: 1...Int64.max).map(Int64.init)
        self.format = format
        let given =
            format == .page
            ? try? PageRequest(.page, query: query, directories: routed.directories, client: routed.client) : nil
        var list = given ?? PageRequest(of: linked)
        (list.start, list.perPage, list.embedding) = (.first, nil, nil)
        switch format {
        case .page, .fragment: language = LanguageChoice(try values.choice(.lang), directory, routed.client)
        case .person:
            // For programs, whose authors want to hear of a misspelled name.
            if let other = query.all.first(where: { item in !Self.names.contains { $0.rawValue == item.name } }) {
                throw HTTPError.badRequest(.errorUnknown, ["name": other.name.excerpt])
            }
            language = LanguageChoice.ofData(try values.choice(.lang), directory, routed.client)
        case .json, .vCard: language = nil
        }
        embedding = format == .fragment ? try Parameters(query, [.embed]).choice(.embed, of: [Embedding.html]) : nil
        list.language = language
        self.list = list
        try routed.checkEmbedding(embedding)
    }
}

extension UserRequest: Resource {
    /// A page needs several reads, some of them searches.
    var isSlow: Bool { format == .page }
    func state(of directories: DirectoryList) -> UInt64? { format == .page ? directories.people : nil }
    /// A page has the address of its picture for other sites.
    var hasAbsoluteLinks: Bool { format != .fragment || embedding != nil }
    var traits: PageTraits {
        let traits: PageTraits = format == .page ? .people : []
        return list.hasSelection ? traits.union(.noIndex) : traits
    }

    func appendURL(to buffer: ByteBuffer) { appendURL(to: buffer, login: login) }

    /// Appends the URL of the same request for the user with a login, in a language.
    func appendURL(to buffer: ByteBuffer, login: String?, _ language: LanguageCode? = nil) {
        if let login {
            buffer.append(format.path.start)
            buffer.append(percentEncoding: login)
            buffer.append(format.path.end)
        } else if let id {
            buffer.append("/api/v3/user/")
            buffer.append(decimal: id)
        }
        var query = QueryWriter(buffer)
        query.add(linked)
        query.add(id: login == nil ? nil : id)
        Links(base: "", request: list).appendSelection(to: &query)
        query.add("embed", ifAny: embedding?.rawValue)
        query.add(language: language)
    }
}
