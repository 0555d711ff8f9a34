import Bytes
import Directories
import Foundation
import Gzip
import HTTP
import Metrics
import Mustache

/// What it takes to make an answer: a reader of the store, a template model, buffers and a compressor, all used again from
/// one answer to the next. Belongs to one queue at a time.
final class PageRenderer {
    let site: Site
    let model = Model()
    let body = ByteBuffer(capacity: 32_768)
    /// For a line or a link.
    let line = ByteBuffer(capacity: 1024)
    let compressed = ByteBuffer(capacity: 16_384)
    private let compressor = GzipCompressor()
    /// Of `/`, level 5 makes 3,500 bytes and not 3,740, for 40 µs more: all of a first visit has to fit one round trip.
    private let pageCompressor = GzipCompressor(level: 5)
    private var reader: (any UserReader)?

    let counters: SiteCounters
    /// When the answer at hand was begun, and when the store had answered.
    private var began = 0
    private var read = 0

    init(_ site: Site) {
        self.site = site
        counters = site.makeCounters()
    }

    var configuration: Site.Configuration { site.configuration }

    /// Makes the answer to a job, and says what that took. Throws a ``HTTPError``, or an error of the store.
    func make(_ task: RenderTask, key: [UInt8]) throws -> (ResponseCache.Entry, ServerTiming) {
        counters.cacheMisses.add(1)
        began = Clock.nanoseconds
        read = began
        body.removeAll()
        model.removeAll()
        var fields = Fields(capacity: 512)
        let directory = try task.resource.render(task, with: self, fields: &fields)
        let rendered = Clock.nanoseconds
        let entry = finish(task, key, directory, fields)
        let timing = ServerTiming(
            began: began, database: read - began, rendering: rendered - read,
            compression: Clock.nanoseconds - rendered)
        return (entry, timing)
    }

    /// The 304 to a request that has the answer already, told by the generation alone: neither the cache has the page nor
    /// does the database need to be asked.
    func notModified(_ task: RenderTask, _ key: [UInt8], _ request: Request) -> Response? {
        guard request.value(of: "if-none-match") != nil else { return nil }
        // A body that is too short for compression has another tag. Then it is rendered, and found to be known.
        let tag = entityTag(task, key, task.resource.directory, task.client.acceptsGzip ? .gzip : .identity)
        guard request.isNotModified(presuming: tag) else { return nil }
        return Response(.notModified, fields: validatorFields(task, tag)).counted(for: task.route)
    }

    /// Runs `body` with the reader, opened at the first use, and counts how long that takes.
    func reading<Result>(_ durations: Histogram, _ body: (any UserReader) throws -> Result) throws -> Result {
        let started = Clock.nanoseconds
        defer {
            read = Clock.nanoseconds
            durations.add(read - started)
        }
        let reader = try self.reader ?? site.store.makeReader()
        self.reader = reader
        do {
            return try body(reader)
        } catch {
            // A file that was replaced or is gone needs a new connection; opening one costs little against an error.
            self.reader = nil
            throw error
        }
    }

    func read(_ query: UserQuery, of directory: Directory) throws -> Page {
        if directory.id == DirectoryList.none.id {
            return Page(
                users: UserRows(), directory: directory, firstPosition: 1, total: 0, hasPrevious: false, hasNext: false)
        }
        guard
            let page = try reading(query.search == nil ? counters.pageReads : counters.searchReads, { try $0.page(query) })
        else { throw HTTPError.notFound }
        return page
    }

    func write(_ page: Page, _ looser: [LooserSearch], _ request: PageRequest, _ task: RenderTask) {
        switch request.kind {
        case .page: render(site.templates.page, page, looser, request, task)
        case .fragment: render(site.templates.fragment(for: request.embedding), page, [], request, task)
        case .json:
            let json = json(of: request.directory, isDefault: request.isDefaultDirectory, task)
            json.append(page.users, to: body)
        }
    }

    func write(_ found: PersonPage, _ request: UserRequest, _ task: RenderTask) {
        if request.isJSON {
            let json = json(of: request.directory, isDefault: request.isDefaultDirectory, task)
            json.append(found.page.users, row: 0, isWhole: true, to: body)
        } else {
            renderUser(found, request, task.directories)
        }
    }

    private func json(of directory: Directory, isDefault: Bool, _ task: RenderTask) -> UserJSON {
        UserJSON(origin: baseURL(task), directory: directory, isDefaultDirectory: isDefault, address: line)
    }

    // MARK: Finishing

    /// Compresses what is in `body` where that pays, and puts the fields to it.
    private func finish(_ task: RenderTask, _ key: [UInt8], _ directory: Directory, _ own: Fields) -> ResponseCache.Entry {
        let coding = task.client.coding(bytes: body.count)
        let tag = entityTag(task, key, directory, coding)
        var fields = Fields(capacity: 1024)
        fields.append("Content-Type", task.route.format.contentType)
        if coding == .gzip { fields.append("Content-Encoding", "gzip") }
        let validators = validatorFields(task, tag)
        fields.append(validators)
        fields.append(own)
        let isIndexed = !task.route.crawlers.isNoIndex && !task.resource.isRepetition
        appendSafetyFields(task.route.format, isIndexed: isIndexed, isFramed: task.resource.isFramed, to: &fields)
        var response = response(fields, coding, task.route.format)
        var notModified = Response(.notModified, fields: validators)
        response.route = task.route.metricIndex
        response.isFromCache = true
        notModified.route = response.route
        notModified.isFromCache = true
        return ResponseCache.Entry(
            response: response, notModified: notModified,
            entityTag: tag, directory: directory.id, generation: directory.generation, origin: directory.origin,
            choices: task.resource.showsDirectories ? task.directories.choices : nil)
    }

    /// What is in `body`, with `fields` that say how it is coded.
    func response(
        _ fields: Fields, _ coding: ContentCoding, _ form: ResponseFormat, status: Status = .ok
    ) -> Response {
        var response = Response(status, fields: fields, body: Response.Body(encodedBody(coding, form)))
        response.savedBytes = UInt32(clamping: body.count - response.body.count)
        return response
    }

    private func encodedBody(_ coding: ContentCoding, _ form: ResponseFormat) -> [UInt8] {
        guard coding == .gzip else { return Array(body.bytes) }
        compressed.removeAll()
        (form == .page ? pageCompressor : compressor).compress(body.bytes, into: compressed)
        return Array(compressed.bytes)
    }

    /// What a 200 and its 304 have in common (RFC 9110 §15.4.5).
    private func validatorFields(_ task: RenderTask, _ tag: [UInt8]) -> Fields {
        var fields = Fields(capacity: 256)
        tag.withUnsafeBytes { fields.append("ETag", bytes: $0) }
        fields.append("Cache-Control", task.route.handler.cacheControl)
        task.client.appendVary(to: &fields, isShared: task.route.format.isShared)
        if task.route.format.isShared { task.client.appendCrossOriginFields(to: &fields) }
        return fields
    }

    /// A strong validator: it changes with the directory, the request, the coding, the templates and the program.
    private func entityTag(_ task: RenderTask, _ key: [UInt8], _ directory: Directory, _ coding: ContentCoding) -> [UInt8] {
        var hash = StableHash()
        hash.combine(site.fingerprint)
        hash.combine(UInt64(bitPattern: directory.generation))
        hash.combine(directory.origin)
        if task.resource.showsDirectories { hash.combine(task.directories.choices) }
        // The variant (first two bytes) tells codings apart that may still end in the same bytes; the coding follows.
        key.dropFirst(2).withUnsafeBytes { hash.combine($0) }
        line.removeAll()
        line.append("\"")
        line.append(hexadecimal: hash.value)
        if coding == .gzip { line.append("-gz") }
        line.append("\"")
        return Array(line.bytes)
    }

    /// The security fields of an answer: the first visit's bytes are counted, so each is sent only where it works.
    func appendSafetyFields(_ format: ResponseFormat, isIndexed: Bool, isFramed: Bool, to fields: inout Fields) {
        fields.append("X-Content-Type-Options", "nosniff")
        if configuration.isHiddenFromSearch || !isIndexed { fields.append("X-Robots-Tag", "noindex") }
        guard format == .page || format == .fragment else { return }
        // No inline code and no foreign code. Avatars may come from anywhere on the web: the data names them.
        let ancestors = isFramed ? configuration.frameAncestors.sources : "'self'"
        fields.append(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: http:; connect-src 'self'; "
                + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors \(ancestors)")
        fields.append("Referrer-Policy", "same-origin")
        // X-Frame-Options cannot name other origins, and these two are for documents of their own.
        guard format == .page, !isFramed else { return }
        fields.append("X-Frame-Options", "SAMEORIGIN")
        fields.append("Cross-Origin-Opener-Policy", "same-origin")
    }
}

extension PageRenderer {
    /// A small document that is written for every request.
    func document(
        _ type: StaticString, _ route: Route, _ client: ClientContext, _ write: (ByteBuffer) -> Void
    ) -> Response {
        var response = document(type, route.format, cacheControl: route.handler.cacheControl, client, write)
        if route.crawlers.isNoIndex { response.fields.append("X-Robots-Tag", "noindex") }
        return response
    }

    func document(
        _ type: StaticString, _ format: ResponseFormat, cacheControl: StaticString, _ client: ClientContext,
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
        client.appendVary(to: &fields, isShared: format.isShared)
        if format.isShared { client.appendCrossOriginFields(to: &fields) }
        return response(fields, coding, format)
    }
}
