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
    let directory: Directory
    let isDefaultDirectory: Bool
    let format: Format
    /// The list that the reader came from, whose order the neighbours have: the parameters of a list in the URL of the
    /// page. They only choose the neighbours, so parameters that have become wrong since are ignored.
    let list: PageRequest
    /// The language of a page.
    let language: LanguageChoice?

    enum Format: Sendable {
        case page, json, vCard
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

    /// Throws an ``HTTPError`` that names the wrong parameter. The query may add an `id` to a login.
    init(
        _ who: Who, query: QueryItems, directories: DirectoryList, client: ClientContext, format: Format
    ) throws {
        let values = try NamedValues<Name>(query)
        (directory, isDefaultDirectory) = try directories.find(values[.directory])
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
        var list = given ?? PageRequest(of: directory, isDefault: isDefaultDirectory)
        (list.start, list.perPage, list.embedding) = (.first, nil, nil)
        language = format == .page ? LanguageChoice(try values.choice(.lang), directory, client) : nil
        list.language = language
        self.list = list
    }
}

extension UserRequest {
    /// `/users/LOGIN`
    init(page routed: RoutedRequest) throws {
        try self.init(.login(try routed.wildcardText(), id: nil), routed, .page)
    }

    /// `/users/LOGIN.vcf`
    init(vCard routed: RoutedRequest) throws {
        guard !routed.match.wildcard.contains(UInt8(ascii: "/")) else { throw HTTPError.notFound }
        try self.init(.login(try routed.wildcardText(), id: nil), routed, .vCard)
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
    var showsDirectories: Bool { format == .page }
    var readsDirectories: Bool { format == .page }
    /// A page has the address of its picture for other sites.
    var hasAbsoluteLinks: Bool { true }
    var isRepetition: Bool { list.hasSelection }

    func appendURL(to buffer: ByteBuffer) { appendURL(to: buffer, login: login) }

    /// Appends the URL of the same request for the user with another login.
    func appendURL(to buffer: ByteBuffer, login newLogin: String?) {
        switch who {
        case .login(let login, _):
            buffer.append(format == .json ? "/api/v3/users/" : "/users/")
            buffer.append(percentEncoding: newLogin ?? login)
            if format == .vCard { buffer.append(".vcf") }
        case .id(let id):
            buffer.append("/api/v3/user/")
            buffer.append(decimal: id)
        }
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
        if case .login(_, let id?) = who { query.add("id") { $0.append(decimal: id) } }
        Links(base: "", request: list).appendSelection(to: &query)
    }
}
