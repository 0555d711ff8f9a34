import Base
import People
import Server

/// A row of the ``RouteTable``: everything that depends on the path of a URL.
///
/// ```swift
/// Route(.path("/keys"), .page, "keys", .noIndex, .cached { try KeysRequest($0) })
/// ```
struct Route: Sendable {
    let pattern: PathPattern
    /// The format of responses and of errors.
    let format: ResponseFormat
    /// The value of the label `route` in `/metrics`. Several rows may share one.
    let metric: String
    let crawlers: CrawlerRule
    /// Whether a file of the same path in `--public` is served instead.
    let yieldsToFile: Bool
    let handler: Handler
    /// The position of `metric` in ``RouteTable/metrics``, which responses carry.
    var metricIndex: UInt8 = 0

    init(
        _ pattern: PathPattern, _ format: ResponseFormat, _ metric: String, _ crawlers: CrawlerRule,
        yieldsToFile: Bool = false, _ handler: Handler
    ) {
        self.pattern = pattern
        self.format = format
        self.metric = metric
        self.crawlers = crawlers
        self.yieldsToFile = yieldsToFile
        self.handler = handler
    }
}

/// How a route responds, and how long its responses may be kept.
enum Handler: Sendable {
    /// The handler reads the request. A ``PageRenderer`` renders the resource once, and the ``ResponseCache`` keeps the
    /// response until the directory changes. Clients ask each time whether their copy is current.
    case cached(@Sendable (RoutedRequest) throws -> any Resource)
    /// Made for every request. Clients ask each time whether their copy is current.
    case revalidated(@Sendable (RoutedRequest) throws -> Reply)
    /// Made for every request. The URL says everything that the response depends on, so clients keep it for a year and
    /// do not ask again.
    case unchanging(@Sendable (RoutedRequest) throws -> Reply)
    /// As ``unchanging``, but for a month only: somebody may be forgotten. The handler uses the ``ResponseCache``.
    case forgettable(@Sendable (RoutedRequest) throws -> Reply)
    /// Made for every request, and kept nowhere.
    case notStored(@Sendable (RoutedRequest) throws -> Reply)

    var cacheControl: StaticString {
        switch self {
        // Kept by any cache, but not used without asking: readers see new users within a second.
        case .cached, .revalidated: "no-cache"
        case .unchanging: "public, max-age=31536000, immutable"
        case .forgettable: "public, max-age=2592000, immutable"
        case .notStored: "no-store"
        }
    }

    /// Whether clients ask each time whether their copy is current. Only shared caches may be allowed to do otherwise:
    /// ``Site/Configuration/sharedMaxAge``.
    var isRevalidated: Bool {
        switch self {
        case .cached, .revalidated: true
        case .unchanging, .forgettable, .notStored: false
        }
    }

    /// Responds with 404.
    static let notFound = Handler.notStored { _ in throw HTTPError.notFound }
}

/// The rule for crawlers, in `robots.txt` (RFC 9309) and `X-Robots-Tag`.
enum CrawlerRule: Sendable {
    /// A page for search engines, unless the page itself excludes itself (``Resource/isRepetition``).
    case index
    /// `robots.txt` disallows this prefix, and responses say `noindex`: crawlers read `robots.txt` only at the root of
    /// a host, which a site below a base path does not have.
    case exclude(StaticString)
    /// Responses say `noindex`. `robots.txt` cannot list the path, because indexed paths have the same prefix.
    case noIndex
    /// `robots.txt` disallows this prefix.
    case disallow(StaticString)
    /// Neither: a document for the crawlers themselves, or no document at all.
    case ignore

    /// The prefix that `robots.txt` disallows.
    var disallowedPrefix: StaticString? {
        switch self {
        case .exclude(let prefix), .disallow(let prefix): prefix
        case .index, .noIndex, .ignore: nil
        }
    }

    /// Whether responses carry `X-Robots-Tag: noindex`.
    var isNoIndex: Bool {
        switch self {
        case .exclude, .noIndex: true
        case .index, .disallow, .ignore: false
        }
    }
}

/// The format of a response. Errors have it, too.
enum ResponseFormat {
    case page, fragment, json, text
    /// A vCard. Errors are text.
    case vCard
    /// A file whose resource sets the type and header fields. Errors are text.
    case file
    /// A picture that Rollcall draws. Errors are text.
    case drawing
    /// A stored picture. Errors are text.
    case picture
    /// JSON with the errors of another service.
    case stackExchange, rickAndMorty

    /// Whether scripts of other origins may read the response (`--allow-origin`).
    var isShared: Bool { self == .fragment || self == .drawing || self == .picture || isJSON }

    /// Whether the response has texts of the interface. Responses for programs are in English.
    var isLocalized: Bool { self == .page || self == .fragment }

    var isJSON: Bool { self == .json || self == .stackExchange || self == .rickAndMorty }

    /// The format of errors.
    var ofErrors: ResponseFormat { [.vCard, .file, .drawing, .picture].contains(self) ? .text : self }

    var contentType: StaticString {
        switch self {
        case .page, .fragment: "text/html; charset=utf-8"
        case .json, .stackExchange, .rickAndMorty: "application/json; charset=utf-8"
        case .text, .file: "text/plain; charset=utf-8"
        case .vCard: "text/vcard; charset=utf-8"
        case .drawing: "image/svg+xml; charset=utf-8"
        case .picture: "image/jpeg"
        }
    }
}

/// A request and its row of the ``RouteTable``: the input of every handler. Valid until the handler returns.
struct RoutedRequest: ~Escapable {
    let request: Request
    let match: RouteMatch
    let client: ClientContext
    let responder: SiteResponder
    /// The parameters.
    let query: QueryItems

    @_lifetime(copy request, copy match)
    init(_ request: Request, _ match: RouteMatch, _ client: ClientContext, _ responder: SiteResponder) {
        self.request = request
        self.match = match
        self.client = client
        self.responder = responder
        query = QueryItems(request.query, scratch: responder.scratch)
    }

    var route: Route { match.route }
    var site: Site { responder.site }
    var configuration: Site.Configuration { responder.site.configuration }
    var renderer: PageRenderer { responder.renderer }
    var directories: DirectoryList { responder.directories }
    var scratch: ByteBuffer { responder.scratch }
    var origin: LinkOrigin { LinkOrigin(request, configuration) }

    /// Returns the part of the path that the pattern leaves open, percent-decoded. Throws 404 if it is not text.
    func wildcardText() throws -> String {
        guard let text = scratch.decodedText(match.wildcard) else { throw HTTPError.notFound }
        return text
    }

    /// A page of users.
    func users(_ kind: PageRequest.Kind) throws -> UserList { UserList(request: try list(kind)) }

    /// Reads the parameters of a page of users.
    func list(_ kind: PageRequest.Kind, isExport: Bool = false) throws -> PageRequest {
        let page = try PageRequest(
            kind, query: query, directories: directories, client: client, isExport: isExport)
        guard page.embedding == nil || configuration.isEmbeddable else {
            throw HTTPError.badRequest(.errorPrivateEmbed)
        }
        return page
    }

    /// The absolute URL of the home page, without its last slash: the publisher's, or the one that the request names.
    func homeURL() throws -> String {
        guard let url = origin.root(below: configuration.basePath) else {
            throw HTTPError.badRequest("Host: what has absolute addresses needs it, or --public-url; found neither")
        }
        return url
    }

    /// Makes the response in the server's pool.
    func later(_ make: @escaping @Sendable (PageRenderer) -> Response) -> Reply {
        .later { [site] in site.withRenderer(make) }
    }

    /// Redirects to the home page at the base path with its slash, with the same query.
    func redirectToHome() -> Reply {
        let path = configuration.basePath + "/"
        var response = Response(.movedPermanently, text: "Moved to \(path)\n")
        scratch.removeAll()
        scratch.append(utf8: path)
        if let query = request.query {
            scratch.append("?")
            scratch.append(query)
        }
        response.fields.append("Location", bytes: scratch)
        return .now(response)
    }
}

/// The paths, relative to the base path, that one row of the ``RouteTable`` serves.
///
/// A pattern is compared with the bytes of a path. Finding a route allocates nothing.
enum PathPattern: Sendable {
    /// Exactly this path.
    case path(StaticString)
    /// This prefix and one path segment that is not empty.
    case segment(after: StaticString)
    /// This prefix and a number: digits only.
    case number(after: StaticString)
    /// This prefix, any text, and this suffix.
    case text(after: StaticString, before: StaticString)
    /// This path and every path below it.
    case tree(StaticString)
    /// Every path with this prefix.
    case prefix(StaticString)

    /// Returns where the part of `path` is that the pattern leaves open, which is empty for ``path(_:)``, or `nil` if
    /// the pattern does not match.
    func match(_ path: Bytes) -> ByteSlice? {
        switch self {
        case .path(let whole): path.equals(whole) ? .empty : nil
        case .segment(let prefix): rest(of: path, prefix) { !$0.isEmpty && !$0.contains(UInt8(ascii: "/")) }
        case .number(let prefix): rest(of: path, prefix) { !$0.isEmpty && $0.allSatisfy { $0 &- 48 < 10 } }
        case .text(let prefix, let suffix): text(in: path, prefix, suffix)
        case .tree(let root): rest(of: path, root) { $0.isEmpty || $0.first == UInt8(ascii: "/") }
        case .prefix(let prefix): rest(of: path, prefix) { _ in true }
        }
    }

    /// Where the part of `path` behind `prefix` is, if it is wanted.
    @inline(__always)
    private func rest(of path: Bytes, _ prefix: StaticString, _ isWanted: (Bytes) -> Bool) -> ByteSlice? {
        guard path.starts(with: prefix) else { return nil }
        let start = prefix.utf8CodeUnitCount
        return isWanted(path[start...]) ? ByteSlice(offset: start, count: path.count - start) : nil
    }

    private func text(in path: Bytes, _ prefix: StaticString, _ suffix: StaticString) -> ByteSlice? {
        let start = prefix.utf8CodeUnitCount
        guard path.starts(with: prefix), path[start...].ends(with: suffix) else { return nil }
        return ByteSlice(offset: start, count: path.count - start - suffix.utf8CodeUnitCount)
    }
}
