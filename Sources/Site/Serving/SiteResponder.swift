import Base
import People
import Server

/// Responds to the requests of one event loop: from the cache, at once, or with work for the server's pool.
///
/// A request passes these steps: the cache by the request as received, the ``RouteTable``, the route's handler, the
/// cache by the canonical URL, the ``PageRenderer``.
final class SiteResponder: Responder {
    let site: Site
    let renderer: PageRenderer
    // A responder belongs to one event loop's queue, or to one request in the pool. Nothing that is called while these
    // two are read or changed comes back here.
    private let latest: OwnedValue<LatestDirectories>
    private let latestClient = OwnedValue(LatestClient())
    var directories: DirectoryList { latest.value.list }
    /// For decoding text and writing keys.
    let scratch = ByteBuffer(capacity: 512)
    /// The key of the current request as received.
    let key = ByteBuffer(capacity: 512)
    // Parts of the configuration: copying it all would take a twentieth of a request from the cache.
    private let sharingOrigins: Site.Configuration.AllowedOrigins
    private let hasPublicURL: Bool

    /// Longer targets, in bytes, are read in the server's pool: what their parameters cost grows with their number. A
    /// search in the form takes a hundred, and a link to a page by name two hundred.
    static let longTarget = 512

    /// Where a responder responds.
    enum Place {
        case eventLoop
        /// In the server's pool, to one request, which may wait for the store.
        case pool
        /// The same once more: a request that finds its directory outdated again gets an error.
        case poolAgain
    }

    let place: Place

    convenience init(_ site: Site) { self.init(site, PageRenderer(site)) }

    private init(_ site: Site, _ renderer: PageRenderer, _ place: Place = .eventLoop) {
        self.site = site
        self.renderer = renderer
        self.place = place
        latest = OwnedValue(LatestDirectories(site.store, site.configuration))
        sharingOrigins = site.configuration.allowedOrigins
        hasPublicURL = site.configuration.publicURL != nil
    }

    func respond(to request: Request) -> Reply {
        if latest.value.refresh(from: site.store, site.configuration) { site.checkShownDirectory() }
        let reader = latestClient.value.context(of: request, sharedWith: sharingOrigins, scratch)
        writeKey(request, reader)
        // It claims to have come over https, from a peer that is not trusted to say so.
        if request.head.forwardedScheme == .https, !request.isFromTrustedProxy { site.warnOfUntrustedProxy() }
        if request.method != .options, let entry = key.withBytes({ site.cache.entry(for: $0) }),
            entry.isFresh(latest.value.list)
        {
            renderer.counters.cacheHits.add(1)
            return .now(entry.response(to: request))
        }
        if request.target.count > Self.longTarget, place == .eventLoop {
            let request = RequestCopy(request)
            return .later { [site] in Self.respondInPool(to: request, of: site) }
        }
        let match = RouteTable.site.match(request.path, below: site.configuration.basePath)
        let client = match?.route.format.isHTML == false ? reader.forData : reader
        do {
            if request.method == .options {
                return .now(optionsResponse(request, match, client).counted(for: match?.route))
            }
            guard client.acceptsGzip || client.acceptsIdentity else { throw HTTPError.notAcceptable }
            guard let match else { throw HTTPError.notFound }
            return try respond(to: RoutedRequest(request, match, client, self))
        } catch {
            let error = (error as? RenamedDirectory)?.redirect(request) ?? error
            return respond(with: error, ErrorContext(request, match?.route, client, directories, site.configuration))
        }
    }

    func respond(to rejected: RejectedRequest) -> Response {
        let route = rejected.target.withBytes { target in
            let path = target.prefix { $0 != UInt8(ascii: "?") }
            return RouteTable.site.match(path, below: site.configuration.basePath)?.route
        }
        return renderer.errorResponse(
            HTTPError(status: rejected.status, message: rejected.reason), ErrorContext(rejected, route, directories),
            hasFaces: !site.store.isRemote)
    }

    /// Responds with an error. Its page shows faces, which are read from the store.
    private func respond(with error: any Error, _ context: ErrorContext) -> Reply {
        guard site.store.isRemote, context.format.isHTML else {
            return .now(renderer.errorResponse(error, context))
        }
        // Nobody should wait for faces that cannot be read.
        guard (try? site.store.checkHealth()) != nil else {
            return .now(renderer.errorResponse(error, context, hasFaces: false))
        }
        return .later { [site] in site.withRenderer { $0.errorResponse(error, context) } }
    }

    private func respond(to routed: RoutedRequest) throws -> Reply {
        if routed.route.yieldsToFile,
            var file = site.files.response(to: routed.request, path: routed.match.path.dropFirst(), routed.client)
        {
            file.route = RouteTable.fileIndex
            return .now(file)
        }
        return try routed.route.handler.respond(routed).counted(for: routed.route)
    }

    // MARK: Rendered resources

    /// Returns the response from the cache, by its canonical key, or a new one.
    func respond(with resource: any Resource, to routed: RoutedRequest) throws -> Reply {
        let request = routed.request
        let task = RenderTask(resource, routed)
        scratch.removeAll()
        task.appendKey(to: scratch)
        let canonicalKey = [UInt8](scratch)
        if let entry = site.cache.entry(for: canonicalKey), entry.isFresh(directories) {
            // Requested again: from now on it is found without reading the parameters.
            site.cache.insert(entry, for: [UInt8](key))
            renderer.counters.cacheHits.add(1)
            return .now(entry.response(to: request))
        }
        if let response = renderer.notModified(task, canonicalKey, request) { return .now(response) }
        // An event loop must not wait for a database on a server, not even for a page that costs little.
        let isSlow = resource.isSlow || (directories.isLong && task.choices != nil)
        if isSlow || site.store.isRemote { return later(task, canonicalKey, routed, isCheap: !isSlow) }
        do {
            let (entry, timing) = try renderer.make(task, key: canonicalKey, isLastTry: place == .poolAgain)
            site.cache.insert(entry, for: canonicalKey, isCheap: true)
            return .now(entry.response(to: request).made(in: timing))
        } catch is OutdatedDirectory {
            let request = RequestCopy(request)
            return routed.later { [site] in Self.tryAgain(request, on: site, with: $0) }
        }
    }

    /// Responds to a request whose directory has got other settings, with the directories as they are now. The store is
    /// asked for them, so not on an event loop.
    private static func tryAgain(_ request: RequestCopy, on site: Site, with renderer: PageRenderer) -> Response {
        site.store.refresh()
        return SiteResponder(site, renderer, .poolAgain).response(to: request)
    }

    /// Responds to a request from its beginning, in the server's pool.
    static func respondInPool(to request: RequestCopy, of site: Site) -> Response {
        site.withRenderer { SiteResponder(site, $0, .pool).response(to: request) }
    }

    private func response(to request: RequestCopy) -> Response {
        switch request.withRequest(respond) {
        case .now(let response): response
        case .later(let work): work()
        }
    }

    /// Renders in the server's pool, with a copy of the request.
    private func later(_ task: RenderTask, _ canonicalKey: [UInt8], _ routed: RoutedRequest, isCheap: Bool) -> Reply {
        let request = RequestCopy(routed.request)
        return routed.later { [site, place] renderer in
            do {
                let (entry, timing) = try renderer.make(task, key: canonicalKey, isLastTry: place == .poolAgain)
                site.cache.insert(entry, for: canonicalKey, isCheap: isCheap)
                return request.withRequest(entry.response).made(in: timing)
            } catch is OutdatedDirectory {
                return Self.tryAgain(request, on: site, with: renderer)
            } catch {
                let context = request.withRequest {
                    ErrorContext($0, task.route, task.client, task.directories, site.configuration)
                }
                return renderer.errorResponse(error, context)
            }
        }
    }

    // MARK: State

    /// Writes the key of the request as received: its target, and everything else in it that any response depends on.
    /// Its route is not known yet, so the language and the origin are always part of the key. The language, and not the
    /// value of `Accept-Language`: browsers send hundreds of those, and each would fill the cache with the same bytes.
    private func writeKey(_ request: Request, _ client: ClientContext) {
        key.removeAll()
        client.appendVariant(to: key)
        key.append(UInt8(client.language.map { $0.index + 1 } ?? 0))
        key.append(request.target)
        key.append(originKeyOf: request, hasPublicURL: hasPublicURL)
    }

    // MARK: OPTIONS

    private func optionsResponse(_ request: Request, _ match: RouteMatch?, _ client: ClientContext) -> Response {
        var response = Response(.noContent)
        response.fields.append("Allow", "GET, HEAD, OPTIONS")
        let isShared =
            match?.route.format.isShared == true || site.files.isShared(request.path, site.configuration.basePath)
        guard isShared, site.configuration.isEmbeddable else { return response }
        client.appendCrossOriginFields(to: &response.fields)
        response.fields.append("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
        // Libraries send fields of their own. No response depends on credentials, so none are allowed, and `*` covers
        // every field but Authorization (Fetch standard, CORS protocol).
        response.fields.append("Access-Control-Allow-Headers", "*, Authorization")
        response.fields.append("Access-Control-Max-Age", 86_400)
        return response
    }
}

extension Reply {
    /// The same reply, counted for `route` in `/metrics`.
    func counted(for route: Route) -> Reply {
        switch self {
        case .now(let response): .now(response.counted(for: route))
        case .later(let make): .later { make().counted(for: route) }
        }
    }
}

extension Response {
    /// A line of text for programs.
    init(_ status: Status = .ok, text: String, retryAfter: Int? = nil) {
        self.init(status, body: Body(Array(text.utf8)))
        fields.append("Content-Type", "text/plain; charset=utf-8")
        fields.append("Cache-Control", "no-store")
        fields.append("X-Content-Type-Options", "nosniff")
        fields.append("Retry-After", retryAfter)
    }

    /// The same response, counted for `route` in `/metrics`.
    func counted(for route: Route?) -> Response {
        var response = self
        response.route = route?.metricIndex ?? RouteTable.noneIndex
        return response
    }

    /// The same response, made for this request.
    fileprivate func made(in timing: ServerTiming) -> Response {
        var response = self
        response.origin = .work(timing)
        return response
    }
}
