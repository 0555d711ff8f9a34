import Base
import Foundation
import Metrics
import People
import Server
import Template

/// Makes responses: reads what a resource shows, writes it, compresses it, and adds the header fields. Owns everything
/// that is used again from one response to the next: a reader of the store, a template model, buffers and compressors.
/// Belongs to one event loop or worker at a time.
final class PageRenderer {
    let site: Site
    let model = Model()
    /// The body of the current response, before compression.
    let body = ByteBuffer(capacity: 32_768)
    /// For one line or link at a time.
    let line = ByteBuffer(capacity: 1024)
    let compressed = ByteBuffer(capacity: 16_384)
    let compressor = GzipCompressor()
    /// Pages have more different strings than fragments and JSON: they fill a larger hash table.
    let pageCompressor = GzipCompressor(memoryLevel: 7)
    let reader: SiteReader
    var counters: SiteCounters { reader.counters }

    init(_ site: Site) {
        self.site = site
        reader = SiteReader(site)
    }

    var configuration: Site.Configuration { site.configuration }

    /// Returns the parts of a page in a language.
    func layout(_ language: LanguageChoice?) -> Layout {
        let code = language?.code ?? .en
        return Layout(model: model, site: site, language: site.languages[code], linkLanguage: language?.parameter)
    }

    /// Reads and writes what a task asks for, and returns the response with the time it took. Throws an ``HTTPError``,
    /// an error of the store, or, unless this is the last try, an ``OutdatedDirectory``.
    func make(_ task: RenderTask, key: [UInt8], isLastTry: Bool = false) throws -> (ResponseCache.Entry, ServerTiming) {
        counters.cacheMisses.add(1)
        let began = SystemValues.nanoseconds()
        body.removeAll()
        model.removeAll()
        var fields = Fields(capacity: 512)
        let directory: Directory
        do {
            directory = try write(task.resource, task, &fields)
        } catch let error as OutdatedDirectory where !isLastTry {
            throw error
        } catch let error where !(error is HTTPError) {
            throw DirectoryError(directory: task.resource.directory, reason: error)
        }
        if !isLastTry, directory.hasOtherSettings(than: task.resource.directory) { throw OutdatedDirectory() }
        let rendered = SystemValues.nanoseconds()
        let entry = entry(for: task, key, directory, fields)
        let read = max(began, reader.lastRead)
        let timing = ServerTiming(
            began: began, database: read - began, rendering: rendered - read,
            compression: SystemValues.nanoseconds() - rendered)
        return (entry, timing)
    }

    /// Returns the directory that the store has now.
    private func write<R: Resource>(_ resource: R, _ task: RenderTask, _ fields: inout Fields) throws -> Directory {
        let content = try resource.read(task, from: reader)
        try resource.write(content, task, with: self, fields: &fields)
        return content.directory
    }
}

/// The settings of the directory have changed since the request was read: its orders, filters and texts may be others
/// now.
struct OutdatedDirectory: Error, CustomStringConvertible {
    let description = "the settings of the directory are changing all the time"
}

extension Directory {
    fileprivate func hasOtherSettings(than known: Directory) -> Bool {
        id == known.id && generation != known.generation && settings != known.settings
    }
}

/// Turns a rendered body into a response: compression, validators and the other header fields.
extension PageRenderer {
    /// Compresses the body if that saves bytes, and adds all fields to `own`, which are the resource's.
    func entry(for task: RenderTask, _ key: [UInt8], _ directory: Directory, _ own: Fields) -> ResponseCache.Entry {
        let coding = task.client.coding(bytes: body.count)
        let tag = entityTag(task, key, directory, coding)
        var fields = Fields(capacity: 1024)
        if task.route.format != .file { fields.append("Content-Type", task.route.format.contentType) }
        fields.append(coding)
        let validators = validatorFields(task, tag)
        fields.append(validators)
        fields.append(task.resource.language)
        fields.append(own)
        appendSecurityFields(task.route.format, task.traits, of: [directory], to: &fields)
        appendSpeculationRules(task, to: &fields)
        let level = task.traits.contains(.home) ? GzipCompressor.homeLevel : nil
        return ResponseCache.Entry(
            response(fields, coding, task.route.format, level: level).counted(for: task.route),
            Response(.notModified, fields: validators).counted(for: task.route), entityTag: tag, of: directory,
            choices: task.choices)
    }

    /// Returns 304 if the client has the current response. The generation of the directory decides, so this takes
    /// neither the cached response nor the store.
    func notModified(_ task: RenderTask, _ key: [UInt8], _ request: Request) -> Response? {
        guard request.has("if-none-match") else { return nil }
        // A body that is too short for compression has another tag. Then it is rendered, and found to be known.
        let tag = entityTag(task, key, task.resource.directory, task.client.acceptsGzip ? .gzip : .identity)
        guard request.isNotModified(presuming: tag) else { return nil }
        return Response(.notModified, fields: validatorFields(task, tag))
    }

    /// A small document that is written for every request.
    func document(
        _ type: StaticString, _ route: Route, _ client: ClientContext, namesHost: Bool = false,
        _ write: (ByteBuffer) -> Void
    ) -> Response {
        var response = document(type, route.format, client, write) {
            configuration.append(cacheControlOf: route.handler, namesHost: namesHost, to: &$0)
        }
        if configuration.isNoIndex || route.crawlers.isNoIndex { response.fields.append("X-Robots-Tag", "noindex") }
        return response
    }

    func document(
        _ type: StaticString, _ format: ResponseFormat, _ client: ClientContext, _ write: (ByteBuffer) -> Void,
        appendCacheControl: (inout Fields) -> Void
    ) -> Response {
        body.removeAll()
        write(body)
        let coding = client.coding(bytes: body.count)
        var fields = Fields()
        fields.append("Content-Type", type)
        fields.append(coding)
        appendCacheControl(&fields)
        fields.append("X-Content-Type-Options", "nosniff")
        client.appendVary(to: &fields, isShared: format.isShared)
        return response(fields, coding, format)
    }

    /// Returns a response with the body, which is made for every request and known by its hash, or the one that the
    /// request's conditions ask for.
    /// - Parameter appendRest: appends the fields of the whole response only.
    func response(
        to request: Request, _ route: Route, _ client: ClientContext, _ language: LanguageChoice? = nil,
        _ appendRest: (inout Fields) -> Void
    ) -> Response {
        let coding = client.coding(bytes: body.count)
        let tag = StableHash(of: body).entityTag(coding, line)
        var fields = Fields(capacity: 512)
        fields.append("ETag", bytes: tag)
        configuration.append(cacheControlOf: route.handler, namesHost: false, to: &fields)
        client.appendVary(to: &fields, isShared: route.format.isShared, language)
        if let response = request.precondition(tag: tag).response(fields) { return response }
        fields.append("Content-Type", route.format.contentType)
        fields.append(language)
        fields.append(coding)
        appendRest(&fields)
        return response(fields, coding, route.format)
    }

    /// Returns a response with the body, coded as `coding`.
    /// - Parameter level: zlib's level, unless it is the one for `format`.
    func response(
        _ fields: Fields, _ coding: ContentCoding, _ format: ResponseFormat, status: Status = .ok, level: Int? = nil
    ) -> Response {
        var response = Response(status, fields: fields, body: Response.Body(encodedBody(coding, format, level)))
        response.savedBytes = UInt32(clamping: body.count - response.body.count)
        return response
    }

    private func encodedBody(_ coding: ContentCoding, _ format: ResponseFormat, _ level: Int?) -> [UInt8] {
        guard coding == .gzip else { return [UInt8](body) }
        compressed.removeAll()
        switch format {
        case .page: pageCompressor.compress(body, level: level ?? GzipCompressor.pageLevel, into: compressed)
        case .json: compressor.compress(body, level: GzipCompressor.jsonLevel, into: compressed)
        default: compressor.compress(body, level: GzipCompressor.pageLevel, into: compressed)
        }
        return [UInt8](compressed)
    }

    // MARK: Fields

    /// The fields that a 200 and its 304 have in common (RFC 9110 §15.4.5).
    private func validatorFields(_ task: RenderTask, _ tag: [UInt8]) -> Fields {
        var fields = Fields(capacity: 256)
        fields.append("ETag", bytes: tag)
        let namesHost = task.resource.hasAbsoluteLinks
        configuration.append(cacheControlOf: task.route.handler, namesHost: namesHost, to: &fields)
        task.client.appendVary(to: &fields, isShared: task.route.format.isShared, task.resource.language, task.traits)
        return fields
    }

    /// A strong validator: it changes with the directory, the request, the coding, the templates and the program.
    private func entityTag(
        _ task: RenderTask, _ key: [UInt8], _ directory: Directory, _ coding: ContentCoding
    ) -> [UInt8] {
        var hash = StableHash()
        hash.combine(site.fingerprint)
        hash.combine(UInt64(bitPattern: directory.generation))
        hash.combine(directory.origin)
        if let choices = task.choices { hash.combine(choices) }
        // The first two bytes are the variant: the coding, which follows, and whether the reader saves data.
        if task.client.savesData, task.traits.contains(.people) { hash.combine(1 as UInt64) }
        hash.combine(key.span.dropFirst(2))
        return hash.entityTag(coding, line)
    }

    /// Lets browsers fetch a person's page while the reader rests on the name. Rules inside the page would be inline
    /// code.
    private func appendSpeculationRules(_ task: RenderTask, to fields: inout Fields) {
        guard task.traits.contains(.people), !task.traits.contains(.framed), !task.client.savesData,
            configuration.allowsKeeping
        else { return }
        let name = site.files.hashedName(of: "speculation.json")
        fields.append("Speculation-Rules", "\"\(configuration.basePath)/\(name)\"")
    }

    /// The hash of the script in `_head.mustache`, which shows the theme that the reader has chosen before anything is
    /// drawn.
    private static let themeScript = " 'sha256-C0CBvYukbd3DSvakISPcbEIriOt79cgHxby0mD6/5VA='"

    /// Appends the fields for browsers' security, and for crawlers. The bytes of a first visit are limited, so a field
    /// is sent only with the formats that it concerns.
    /// - Parameter directories: those whose people the page shows.
    func appendSecurityFields(
        _ format: ResponseFormat, _ traits: PageTraits, of directories: [Directory], to fields: inout Fields
    ) {
        let isFramed = traits.contains(.framed)
        fields.append("X-Content-Type-Options", "nosniff")
        if configuration.isNoIndex || traits.contains(.noIndex) { fields.append("X-Robots-Tag", "noindex") }
        guard format.isHTML else { return }
        // No foreign code, and no inline code but one line. Unless pictures are links, a page asks no other server for
        // anything.
        let inline = format == .page && !isFramed ? Self.themeScript : ""
        let linksPictures = directories.contains { configuration.pictureMode(of: $0) == .link }
        let pictures = linksPictures ? "'self' https: http:" : "'self'"
        let ancestors = configuration.frameAncestors(isFramed: isFramed)
        fields.append(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'\(inline); style-src 'self'; img-src \(pictures); connect-src 'self'; "
                + (traits.contains(.frames) ? "frame-src 'self'; " : "")
                + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors \(ancestors)")
        fields.append("Referrer-Policy", "same-origin")
        // X-Frame-Options cannot name other origins. Both fields concern documents only.
        guard format == .page, !isFramed else { return }
        fields.append("X-Frame-Options", configuration.frameOptions)
        fields.append("Cross-Origin-Opener-Policy", "same-origin")
    }
}

extension GzipCompressor {
    /// The start of a list is compressed once for many readers, and its bytes are limited: a first visit must fit one
    /// round trip. Level 6 makes a tenth less than level 3, and takes three times as long.
    fileprivate static let homeLevel = 6
    /// Other pages, and fragments, are mostly made for one reader.
    fileprivate static let pageLevel = 3
    /// JSON repeats itself so much that level 1 makes only a hundredth more than level 3, in seven eighths of the time.
    fileprivate static let jsonLevel = 1
}
