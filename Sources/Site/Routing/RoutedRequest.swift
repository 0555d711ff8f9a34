import Base
import People
import Server

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
    func wildcardText() throws -> String { try required(scratch.decodedText(match.wildcard), .notFound) }

    /// Returns the directory that the query names.
    func linked() throws -> LinkedDirectory { try directories.find(Parameters(query)[.directory]) }

    /// A page of users, or the parameters that another response shares with it.
    func list(_ kind: PageRequest.Kind) throws -> PageRequest {
        let page = try PageRequest(kind, query: query, directories: directories, client: client)
        try checkEmbedding(page.embedding)
        return page
    }

    /// Throws an error for a page or fragment in a page of another site, if the site allows none.
    func checkEmbedding(_ embedding: Embedding?) throws {
        try expect(embedding == nil || configuration.isEmbeddable, .badRequest(.errorPrivateEmbed))
    }

    /// The absolute URL of the home page, without its last slash: the publisher's, or the one that the request names.
    func homeURL() throws -> String {
        try required(
            origin.root(below: configuration.basePath),
            .badRequest("Host: what has absolute addresses needs it, or --public-url; found neither"))
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
