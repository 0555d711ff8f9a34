import Base
import People
import Server

/// A request for one user.
struct UserRequest: Sendable {
    enum Who: Sendable {
        /// The user with this login. If several have it, the one with this id: see ``PersonPage/namesakes``.
        case login(String, id: Int64?)
        case id(Int64)
    }

    let who: Who
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
    }

    /// The login in the URL, if there is one.
    var login: String? { if case .login(let login, _) = who { login } else { nil } }

    /// The id in the URL, if there is one.
    var id: Int64? {
        switch who {
        case .login(_, let id): id
        case .id(let id): id
        }
    }

    private enum Name: String, CaseIterable { case directory, id, lang }
    private enum FragmentName: String, CaseIterable { case embed }

    /// Throws an ``HTTPError`` that names the wrong parameter. The query may add an `id` to a login.
    init(
        _ who: Who, query: QueryItems, directories: DirectoryList, client: ClientContext, format: Format
    ) throws {
        let values = try NamedValues<Name>(query)
        linked = try directories.find(values[.directory])
        let directory = linked.directory
        guard directory.id != DirectoryList.none.id else { throw HTTPError.notFound }
        switch who {
        case .login(let login, nil):
            self.who = .login(login, id: try values.number(.id, in: 1...Int64.max).map(Int64.init))
        case .login, .id: self.who = who
        }
        self.format = format
        let given =
            format == .page
            ? try? PageRequest(.page, query: query, directories: directories, client: client) : nil
        var list = given ?? PageRequest(of: linked)
        (list.start, list.perPage, list.embedding) = (.first, nil, nil)
        switch format {
        case .page, .fragment: language = LanguageChoice(try values.choice(.lang), directory, client)
        case .person:
            // For programs, whose authors want to hear of a misspelled name.
            if let other = query.all.first(where: { Name(rawValue: $0.name) == nil }) {
                throw HTTPError.badRequest(.errorUnknown, ["name": other.name.excerpt])
            }
            language = LanguageChoice.ofData(try values.choice(.lang), directory, client)
        case .json, .vCard: language = nil
        }
        embedding =
            format == .fragment ? try NamedValues<FragmentName>(query).choice(.embed, of: [Embedding.html]) : nil
        list.language = language
        self.list = list
    }
}

extension UserRequest {
    /// `/users/LOGIN`
    init(page routed: RoutedRequest) throws {
        try self.init(.login(try routed.wildcardText(), id: nil), routed, .page)
    }

    /// `/fragment/users/LOGIN`
    init(fragment routed: RoutedRequest) throws {
        try self.init(.login(try routed.wildcardText(), id: nil), routed, .fragment)
        guard embedding == nil || routed.configuration.isEmbeddable else {
            throw HTTPError.badRequest(.errorPrivateEmbed)
        }
    }

    /// `/users/LOGIN.vcf`
    init(vCard routed: RoutedRequest) throws { try self.init(routed, below: .vCard) }

    /// `/users/LOGIN.json`
    init(person routed: RoutedRequest) throws { try self.init(routed, below: .person) }

    /// Another form of a page.
    private init(_ routed: RoutedRequest, below format: Format) throws {
        guard !routed.match.wildcard.contains(UInt8(ascii: "/")) else { throw HTTPError.notFound }
        try self.init(.login(try routed.wildcardText(), id: nil), routed, format)
    }

    /// `/api/v3/users/LOGIN`
    init(json routed: RoutedRequest) throws {
        try self.init(.login(try routed.wildcardText(), id: nil), routed, .json)
    }

    /// `/api/v3/user/ID`
    init(id routed: RoutedRequest) throws {
        guard let id = Int64(digits: try routed.wildcardText()) else { throw HTTPError.notFound }
        try self.init(.id(id), routed, .json)
    }

    private init(_ who: Who, _ routed: RoutedRequest, _ format: Format) throws {
        try self.init(
            who, query: routed.query, directories: routed.directories, client: routed.client, format: format)
    }
}

extension UserRequest: Resource {
    /// A page needs several reads, some of them searches.
    var isSlow: Bool { format == .page }
    var directoryUse: DirectoryUse { format == .page ? .people : .none }
    /// A page has the address of its picture for other sites.
    var hasAbsoluteLinks: Bool { format != .fragment || embedding != nil }
    var isRepetition: Bool { list.hasSelection }
    var isOfPeople: Bool { format == .page }

    func appendURL(to buffer: ByteBuffer) { appendURL(to: buffer, login: login) }

    /// Appends the URL of the same request for the user with another login, in a language.
    func appendURL(to buffer: ByteBuffer, login newLogin: String?, _ language: LanguageCode? = nil) {
        switch who {
        case .login(let login, _):
            switch format {
            case .json: buffer.append("/api/v3/users/")
            case .fragment: buffer.append("/fragment/users/")
            case .page, .vCard, .person: buffer.append("/users/")
            }
            buffer.append(percentEncoding: newLogin ?? login)
            if format == .vCard { buffer.append(".vcf") }
            if format == .person { buffer.append(".json") }
        case .id(let id):
            buffer.append("/api/v3/user/")
            buffer.append(decimal: id)
        }
        var query = QueryWriter(buffer)
        query.add(linked)
        if case .login(_, let id?) = who { query.add("id") { $0.append(decimal: id) } }
        Links(base: "", request: list).appendSelection(to: &query)
        if let embedding { query.add("embed", embedding.rawValue) }
        query.add(language: language)
    }
}
