import Bytes
import Directories
import HTTP

/// Answers the requests of one event queue: out of the cache, on the spot, or as work for the server's pool.
final class SiteResponder: Responder {
    let site: Site
    let renderer: PageRenderer
    private(set) var directories: DirectoryList
    private let key = ByteBuffer(capacity: 512)
    private let scratch = ByteBuffer(capacity: 512)

    init(_ site: Site) {
        self.site = site
        renderer = PageRenderer(site)
        directories = DirectoryList(site.store.directories, preferred: site.configuration.defaultDirectory)
    }

    func respond(to request: Request) -> Reply {
        let client = ClientContext(request, site.configuration)
        let form = ResponseFormat(path: request.path, basePath: site.configuration.basePath)
        lookAtDirectories()
        writeKey(request, client)
        if request.isMisleadinglyForwarded { site.warnOfUntrustedProxy() }
        if request.method != .options, let entry = site.cache.entry(for: key.bytes), entry.isFresh(directories) {
            renderer.counters.cacheHits.add(1)
            return .now(entry.response(to: request))
        }
        let route = Route(path: request.path, basePath: site.configuration.basePath, scratch: scratch)
        do {
            guard request.method != .options else {
                return .now(answerOptions(request, form, client).of(Endpoint(route)))
            }
            guard client.acceptsGzip || client.acceptsIdentity else { throw HTTPError.nothingAcceptable }
            return try answer(route, request, client)
        } catch {
            let response = renderer.failure(
                error, as: form, client, target: request.target, origin: origin(request),
                requestID: request.idText, directories)
            return .now(response.of(Endpoint(route)))
        }
    }

    func respond(to refusal: RejectedRequest) -> Response {
        refusal.target.withUnsafeBytes { target in
            let path = UnsafeRawBufferPointer(rebasing: target.prefix { $0 != UInt8(ascii: "?") })
            let form = ResponseFormat(path: path, basePath: site.configuration.basePath)
            let failure = HTTPError(status: refusal.status, message: refusal.reason)
            return renderer.failure(
                failure, as: form, ClientContext.stranger, target: target, origin: .unknown, requestID: nil, directories)
        }
    }

    private func answer(_ route: Route?, _ request: Request, _ client: ClientContext) throws -> Reply {
        switch route {
        case .bareBase: return .now(redirect(to: site.configuration.basePath + "/").of(.page))
        case .page: return try page(.page, request, client)
        case .fragment: return try page(.fragment, request, client)
        case .embedPage: return try embedPage(request, client)
        case .apiUsers: return try page(.json, request, client)
        case .user(let login): return try user(.login(login, id: nil), .page, request, client)
        case .apiUser(let login): return try user(.login(login, id: nil), .json, request, client)
        case .apiUserOfID(let id): return try user(.id(id), .json, request, client)
        case .apiRateLimit: return .now(renderer.rateLimit(client).of(.apiRateLimit))
        case .directories: return allDirectories(request, client)
        case .twin(let twin): return try self.twin(twin, request, client)
        case .export(let format): return .now(try export(format, request, client).of(.export))
        case .robots: return .now(robots(request, client))
        case .sitemap(let name): return try sitemap(name, request, client)
        case .openSearch: return .now(try openSearch(request, client))
        case .liveness: return .now(Response(text: "ok\n").of(.healthz))
        case .readiness: return .now(site.readiness().of(.readyz))
        case .metrics:
            guard site.tellsMetrics(to: request) else { throw HTTPError.notFound }
            return .now(renderer.metrics(client).of(.metrics))
        case .file(let path):
            if let response = site.files.response(to: request, path: path, client) { return .now(response.of(.file)) }
            throw HTTPError.notFound
        case nil: throw HTTPError.notFound
        }
    }

    // MARK: Pages of users

    private func page(_ kind: PageRequest.Kind, _ request: Request, _ client: ClientContext) throws -> Reply {
        answer(.users(try pageRequest(request, as: kind)), request, client)
    }

    func pageRequest(_ request: Request, as kind: PageRequest.Kind = .json) throws -> PageRequest {
        try PageRequest(kind, query: request.query, directories: directories, scratch: scratch)
    }

    private func user(_ who: UserRequest.Who, _ form: ResponseFormat, _ request: Request, _ client: ClientContext) throws -> Reply {
        let user = try UserRequest(
            who, query: request.query, directories: directories, scratch: scratch, isJSON: form == .json)
        return answer(.user(user), request, client)
    }

    private func twin(_ twin: CompatibleAPI, _ request: Request, _ client: ClientContext) throws -> Reply {
        switch twin {
        case .stackExchange(let path):
            let wanted = try StackExchangeRequest(
                path: path, query: request.query, directories: directories, scratch: scratch)
            return answer(.stackExchange(wanted), request, client)
        case .characters(let path):
            let wanted = try CharacterRequest(
                path: path, query: request.query, directories: directories, scratch: scratch)
            return answer(.characters(wanted), request, client)
        }
    }

    private func allDirectories(_ request: Request, _ client: ClientContext) -> Reply {
        guard directories.isLong else {
            return .now(renderer.directories(directories, ConditionalHeaders(request), client).of(.directories))
        }
        return later { [directories, conditions = ConditionalHeaders(request)] in
            $0.directories(directories, conditions, client).of(.directories)
        }
    }

    private func embedPage(_ request: Request, _ client: ClientContext) throws -> Reply {
        let (directory, isDefault) = try directories.find(Parameters(request.query, scratch: scratch)[.directory])
        return answer(.embedPage(EmbedPageRequest(directory: directory, isDefaultDirectory: isDefault)), request, client)
    }

    /// The answer from the cache under its canonical key, or a new one.
    private func answer(_ resource: Resource, _ request: Request, _ client: ClientContext) -> Reply {
        let task = RenderTask(
            resource: resource, directories: directories, client: client, origin: origin(request))
        scratch.removeAll()
        task.appendKey(to: scratch)
        let canonical = Array(scratch.bytes)
        if let entry = site.cache.entry(for: canonical), entry.isFresh(directories) {
            // Asked for again: from now on it is found without reading the parameters, unless it takes a look at the
            // directories.
            if !resource.isLookedFor { site.cache.insert(entry, for: Array(key.bytes)) }
            renderer.counters.cacheHits.add(1)
            return .now(entry.response(to: request))
        }
        if let response = renderer.notModified(task, canonical, request) { return .now(response) }
        if resource.isSlow || (directories.isLong && resource.showsDirectories) { return later(task, canonical, request) }
        do {
            let (entry, timing) = try renderer.make(task, key: canonical)
            site.cache.insert(entry, for: canonical, isCheap: true)
            return .now(entry.response(to: request).new(timing))
        } catch {
            let response = renderer.failure(
                error, as: resource.form, client, target: request.target, origin: origin(request),
                requestID: request.idText, directories)
            return .now(response.of(resource.endpoint))
        }
    }

    /// The same as work for the server's pool, which the request does not live to see.
    private func later(_ task: RenderTask, _ canonical: [UInt8], _ request: Request) -> Reply {
        let conditions = ConditionalHeaders(request)
        let target = Array(request.target)
        let (requestID, origin) = (request.idText, origin(request))
        let make: @Sendable (PageRenderer) -> Response = { [site] renderer in
            do {
                let (entry, timing) = try renderer.make(task, key: canonical)
                site.cache.insert(entry, for: canonical)
                return entry.response(to: conditions).new(timing)
            } catch {
                let response = target.withUnsafeBytes {
                    renderer.failure(
                        error, as: task.resource.form, task.client, target: $0, origin: origin,
                        requestID: requestID,
                        task.directories)
                }
                return response.of(task.resource.endpoint)
            }
        }
        return later(make)
    }

    /// An answer that the server's pool makes.
    func later(_ make: @escaping @Sendable (PageRenderer) -> Response) -> Reply {
        .later { [site] in site.withRenderer(make) }
    }

    func origin(_ request: Request) -> LinkOrigin { LinkOrigin(request, site.configuration) }

    private func lookAtDirectories() {
        let latest = site.store.directories
        // The same array as before, most times; the one kept here keeps its address from being used for another.
        let isSame = latest.withUnsafeBufferPointer { new in
            directories.all.withUnsafeBufferPointer { $0.baseAddress == new.baseAddress && $0.count == new.count }
        }
        if isSame { return }
        directories = DirectoryList(latest, preferred: site.configuration.defaultDirectory)
        site.lookAfterShownDirectory()
    }

    /// Writes the key of the request as it came: its target, and of its fields all that any answer depends on. What the
    /// target leads to is not known yet, so the origin is always part of it.
    private func writeKey(_ request: Request, _ client: ClientContext) {
        key.removeAll()
        key.append(client.variant)
        key.append(request.target)
        key.append(originKeyOf: request, site.configuration)
    }

    // MARK: Small answers

    private func answerOptions(_ request: Request, _ form: ResponseFormat, _ client: ClientContext) -> Response {
        var response = Response(.noContent)
        response.fields.append("Allow", "GET, HEAD, OPTIONS")
        guard form.isShared || site.files.isShared(request.path, site.configuration.basePath) else { return response }
        client.appendCrossOriginFields(to: &response.fields)
        response.fields.append("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
        // Libraries name themselves and what they want in fields of their own. No answer depends on who asks, so that no
        // credentials are allowed, and `*` is all but Authorization (Fetch standard, CORS protocol).
        response.fields.append("Access-Control-Allow-Headers", "*, Authorization")
        response.fields.append("Access-Control-Max-Age", 86_400)
        return response
    }

    private func redirect(to path: String) -> Response {
        var response = Response(.movedPermanently, text: "Moved to \(path)\n")
        response.fields.append("Location", path)
        return response
    }
}

extension Request {
    /// Its id, kept beyond it.
    var idText: String? { id.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether it says that it came over https, from a peer that is not trusted to say so.
    var isMisleadinglyForwarded: Bool { head.forwardedScheme == .https && !isFromTrustedProxy }
}

extension Response {
    /// The same, made just now and in this time.
    fileprivate func new(_ timing: ServerTiming) -> Response {
        var response = self
        response.isFromCache = false
        response.timing = timing
        return response
    }

    /// A line for programs that watch a server.
    init(_ status: Status = .ok, text: String, retryAfter: Int? = nil) {
        self.init(status, body: Body(Array(text.utf8)))
        fields.append("Content-Type", "text/plain; charset=utf-8")
        fields.append("Cache-Control", "no-store")
        fields.append("X-Content-Type-Options", "nosniff")
        if let retryAfter { fields.append("Retry-After", retryAfter) }
    }

    /// The same, counted as an answer of `endpoint`.
    func of(_ endpoint: Endpoint) -> Response {
        var response = self
        response.route = endpoint.rawValue
        return response
    }
}
