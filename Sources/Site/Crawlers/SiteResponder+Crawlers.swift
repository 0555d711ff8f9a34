import Bytes
import Directories
import HTTP

/// What search engines and browsers ask a site for. A file of that name in `--public` takes the place of each.
extension SiteResponder {
    func robots(_ request: Request, _ client: ClientContext) -> Response {
        if let own = file("robots.txt", request, client) { return own }
        return Response(text: site.configuration.robots(root: root(request))).of(.robots)
    }

    /// The sitemap, or the file of it that `name` says.
    func sitemap(_ name: String, _ request: Request, _ client: ClientContext) throws -> Reply {
        if let own = file("sitemap\(name).xml", request, client) { return .now(own) }
        guard !site.configuration.isHiddenFromSearch else { throw HTTPError.notFound }
        let sitemap = Sitemap(root: try neededRoot(request), directories: directories)
        guard let sections = name.isEmpty ? sitemap.whole ?? [] : sitemap.part(name) else { throw HTTPError.notFound }
        if name.isEmpty, sitemap.whole == nil {
            // With all 50,000 files it has 5 MB.
            return later { renderer in
                renderer.document("application/xml; charset=utf-8", client) { sitemap.appendIndex(to: $0) }
                    .of(.sitemap)
            }
        }
        let tag = tag(of: sitemap, name)
        var fields = Fields()
        fields.append("ETag", tag)
        fields.append("Cache-Control", "no-cache")
        client.appendVary(to: &fields, isShared: false)
        if request.ifNoneMatch(Array(tag.utf8)) == true {
            return .now(Response(.notModified, fields: fields).of(.sitemap))
        }
        let stream = try ExportStream(SitemapFile(sections, of: sitemap), isCompressed: client.acceptsGzip, of: site)
        var response = Response(fields: fields)
        response.fields.append("Content-Type", "application/xml; charset=utf-8")
        response.fields.append("X-Content-Type-Options", "nosniff")
        if client.acceptsGzip { response.fields.append("Content-Encoding", "gzip") }
        response.stream = BodyStream { stream.next() }
        return .now(response.of(.sitemap))
    }

    /// A weak validator: what is read later than it was made may be newer, and then the next one differs.
    private func tag(of sitemap: Sitemap, _ name: String) -> String {
        var hash = StableHash()
        hash.combine(site.fingerprint)
        hash.combine(sitemap.root)
        hash.combine(name)
        for directory in directories.all {
            hash.combine(UInt64(bitPattern: directory.generation))
            hash.combine(directory.origin)
        }
        let buffer = ByteBuffer(capacity: 32)
        buffer.append("W/\"")
        buffer.append(hexadecimal: hash.value)
        buffer.append("\"")
        return String(buffer)
    }

    /// How browsers search here (OpenSearch 1.1).
    func openSearch(_ request: Request, _ client: ClientContext) throws -> Response {
        if let own = file("opensearch.xml", request, client) { return own }
        let (directory, isDefault) = try directories.find(
            try Parameters(request.query, scratch: ByteBuffer(capacity: 256))[.directory])
        let description = OpenSearch(root: try neededRoot(request), directory: directory, isDefault: isDefault)
        return renderer.document("application/opensearchdescription+xml; charset=utf-8", client) {
            description.append(to: $0)
        }.of(.openSearch)
    }

    private func file(_ name: String, _ request: Request, _ client: ClientContext) -> Response? {
        Array(name.utf8).withUnsafeBytes { site.files.response(to: request, path: $0, client)?.of(.file) }
    }

    /// The absolute URL of the home page, without its last slash: the publisher's, or else where the request went.
    private func root(_ request: Request) -> String? { origin(request).root(below: site.configuration.basePath) }

    private func neededRoot(_ request: Request) throws -> String {
        guard let root = root(request) else {
            throw HTTPError.badRequest("Host: what has absolute addresses needs it, or --public-url; found neither")
        }
        return root
    }
}

extension PageRenderer {
    /// A small document, made for each who asks.
    func document(
        _ type: StaticString, as form: ResponseFormat = .text, cacheControl: StaticString = "no-cache", _ client: ClientContext,
        _ write: (ByteBuffer) -> Void
    ) -> Response {
        body.removeAll()
        write(body)
        let coding = client.coding(bytes: body.count)
        var fields = Fields()
        fields.append("Content-Type", type)
        if coding == .gzip { fields.append("Content-Encoding", "gzip") }
        fields.append("Cache-Control", cacheControl)
        fields.append("X-Content-Type-Options", "nosniff")
        client.appendVary(to: &fields, isShared: form.isShared)
        if form.isShared { client.appendCrossOriginFields(to: &fields) }
        return response(fields, coding, form)
    }
}
