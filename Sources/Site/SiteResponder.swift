import Bytes
import Directories
import HTTP

/// Answers the requests of one event queue: out of the cache, on the spot, or as work for the server's pool.
final class SiteResponder: Responder {
    let site: Site
    let workbench: Workbench
    private(set) var directories: DirectoryList
    private let key = ByteBuffer(capacity: 512)
    private let scratch = ByteBuffer(capacity: 512)

    init(_ site: Site) {
        self.site = site
        workbench = Workbench(site)
        directories = DirectoryList(site.store.directories, preferred: site.configuration.defaultDirectory)
    }

    func respond(to request: Request) -> Answer {
        let visitor = Visitor(request, site.configuration)
        let form = Form(path: request.path, basePath: site.configuration.basePath)
        lookAtDirectories()
        writeKey(request, visitor)
        if request.isMisleadinglyForwarded { site.warnOfUntrustedProxy() }
        if request.method != .options, let entry = site.cache.entry(for: key.bytes), entry.isFresh(directories) {
            workbench.tally.cacheHits.add(1)
            return .now(entry.response(to: request))
        }
        let route = Route(path: request.path, basePath: site.configuration.basePath, scratch: scratch)
        do {
            guard request.method != .options else {
                return .now(answerOptions(request, form, visitor).of(Endpoint(route)))
            }
            guard visitor.acceptsGzip || visitor.acceptsIdentity else { throw Failure.nothingAcceptable }
            return try answer(route, request, visitor)
        } catch {
            let response = workbench.failure(
                error, as: form, visitor, target: request.target, origin: origin(request),
                requestID: request.idText, directories)
            return .now(response.of(Endpoint(route)))
        }
    }

    func respond(to refusal: Refusal) -> Response {
        refusal.target.withUnsafeBytes { target in
            let path = UnsafeRawBufferPointer(rebasing: target.prefix { $0 != UInt8(ascii: "?") })
            let form = Form(path: path, basePath: site.configuration.basePath)
            let failure = Failure(status: refusal.status, message: refusal.reason)
            return workbench.failure(
                failure, as: form, Visitor.stranger, target: target, origin: .unknown, requestID: nil, directories)
        }
    }

    private func answer(_ route: Route?, _ request: Request, _ visitor: Visitor) throws -> Answer {
        switch route {
        case .bareBase: return .now(redirect(to: site.configuration.basePath + "/").of(.page))
        case .page: return try page(.page, request, visitor)
        case .fragment: return try page(.fragment, request, visitor)
        case .guide: return try guide(request, visitor)
        case .apiUsers: return try page(.json, request, visitor)
        case .user(let login): return try user(.login(login, id: nil), .page, request, visitor)
        case .apiUser(let login): return try user(.login(login, id: nil), .json, request, visitor)
        case .apiUserOfID(let id): return try user(.id(id), .json, request, visitor)
        case .apiRateLimit: return .now(workbench.rateLimit(visitor).of(.apiRateLimit))
        case .directories: return allDirectories(request, visitor)
        case .twin(let twin): return try self.twin(twin, request, visitor)
        case .export(let format): return .now(try export(format, request, visitor).of(.export))
        case .robots: return .now(robots(request, visitor))
        case .sitemap(let name): return try sitemap(name, request, visitor)
        case .openSearch: return .now(try openSearch(request, visitor))
        case .liveness: return .now(Response(text: "ok\n").of(.healthz))
        case .readiness: return .now(site.readiness().of(.readyz))
        case .metrics:
            guard site.tellsMetrics(to: request) else { throw Failure.notFound }
            return .now(workbench.metrics(visitor).of(.metrics))
        case .file(let path):
            if let response = site.files.response(to: request, path: path, visitor) { return .now(response.of(.file)) }
            throw Failure.notFound
        case nil: throw Failure.notFound
        }
    }

    // MARK: Pages of users

    private func page(_ kind: PageRequest.Kind, _ request: Request, _ visitor: Visitor) throws -> Answer {
        answer(.users(try pageRequest(request, as: kind)), request, visitor)
    }

    func pageRequest(_ request: Request, as kind: PageRequest.Kind = .json) throws -> PageRequest {
        try PageRequest(kind, query: request.query, directories: directories, scratch: scratch)
    }

    private func user(_ who: UserRequest.Who, _ form: Form, _ request: Request, _ visitor: Visitor) throws -> Answer {
        let user = try UserRequest(
            who, query: request.query, directories: directories, scratch: scratch, isJSON: form == .json)
        return answer(.user(user), request, visitor)
    }

    private func twin(_ twin: Twin, _ request: Request, _ visitor: Visitor) throws -> Answer {
        switch twin {
        case .stackExchange(let path):
            let wanted = try StackExchangeRequest(
                path: path, query: request.query, directories: directories, scratch: scratch)
            return answer(.stackExchange(wanted), request, visitor)
        case .characters(let path):
            let wanted = try CharacterRequest(
                path: path, query: request.query, directories: directories, scratch: scratch)
            return answer(.characters(wanted), request, visitor)
        }
    }

    private func allDirectories(_ request: Request, _ visitor: Visitor) -> Answer {
        guard directories.isLong else {
            return .now(workbench.directories(directories, Conditions(request), visitor).of(.directories))
        }
        return later { [directories, conditions = Conditions(request)] in
            $0.directories(directories, conditions, visitor).of(.directories)
        }
    }

    private func guide(_ request: Request, _ visitor: Visitor) throws -> Answer {
        let (directory, isDefault) = try directories.find(Parameters(request.query, scratch: scratch)[.directory])
        return answer(.guide(GuideRequest(directory: directory, isDefaultDirectory: isDefault)), request, visitor)
    }

    /// The answer from the cache under its canonical key, or a new one.
    private func answer(_ subject: Subject, _ request: Request, _ visitor: Visitor) -> Answer {
        let job = Job(
            subject: subject, directories: directories, visitor: visitor, origin: origin(request))
        scratch.removeAll()
        job.appendKey(to: scratch)
        let canonical = Array(scratch.bytes)
        if let entry = site.cache.entry(for: canonical), entry.isFresh(directories) {
            // Asked for again: from now on it is found without reading the parameters, unless it takes a look at the
            // directories.
            if !subject.isLookedFor { site.cache.insert(entry, for: Array(key.bytes)) }
            workbench.tally.cacheHits.add(1)
            return .now(entry.response(to: request))
        }
        if let response = workbench.notModified(job, canonical, request) { return .now(response) }
        if subject.isSlow || (directories.isLong && subject.showsDirectories) { return later(job, canonical, request) }
        do {
            let (entry, timing) = try workbench.make(job, key: canonical)
            site.cache.insert(entry, for: canonical, isCheap: true)
            return .now(entry.response(to: request).new(timing))
        } catch {
            let response = workbench.failure(
                error, as: subject.form, visitor, target: request.target, origin: origin(request),
                requestID: request.idText, directories)
            return .now(response.of(subject.endpoint))
        }
    }

    /// The same as work for the server's pool, which the request does not live to see.
    private func later(_ job: Job, _ canonical: [UInt8], _ request: Request) -> Answer {
        let conditions = Conditions(request)
        let target = Array(request.target)
        let (requestID, origin) = (request.idText, origin(request))
        let make: @Sendable (Workbench) -> Response = { [site] workbench in
            do {
                let (entry, timing) = try workbench.make(job, key: canonical)
                site.cache.insert(entry, for: canonical)
                return entry.response(to: conditions).new(timing)
            } catch {
                let response = target.withUnsafeBytes {
                    workbench.failure(
                        error, as: job.subject.form, job.visitor, target: $0, origin: origin,
                        requestID: requestID,
                        job.directories)
                }
                return response.of(job.subject.endpoint)
            }
        }
        return later(make)
    }

    /// An answer that the server's pool makes.
    func later(_ make: @escaping @Sendable (Workbench) -> Response) -> Answer {
        .later { [site] in site.withWorkbench(make) }
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
    private func writeKey(_ request: Request, _ visitor: Visitor) {
        key.removeAll()
        key.append(visitor.variant)
        key.append(request.target)
        key.append(originKeyOf: request, site.configuration)
    }

    // MARK: Small answers

    private func answerOptions(_ request: Request, _ form: Form, _ visitor: Visitor) -> Response {
        var response = Response(.noContent)
        response.fields.append("Allow", "GET, HEAD, OPTIONS")
        guard form.isShared || site.files.isShared(request.path, site.configuration.basePath) else { return response }
        visitor.appendCrossOriginFields(to: &response.fields)
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
