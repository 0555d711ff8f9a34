import Base
import Foundation
import Server
import Template

/// The files of `Public/`, compressed once when the server starts.
///
/// Each has two names: its own, which caches revalidate every time, and one with a hash of its content, whose content
/// never changes and which caches keep for a year. Scripts that are joined of several files have the latter name only.
/// Only names in this table are found: no path from a request reaches the file system.
final class StaticFiles: Sendable {
    fileprivate struct File: Sendable {
        let contentType: StaticString
        let identity: Representation
        /// `nil` if compression saves nothing.
        let gzip: Representation?
        let modified: HTTPDate
        /// Whether this is the content of a name with a hash.
        var isImmutable = false
    }

    typealias Representation = (bytes: [UInt8], entityTag: [UInt8])

    /// Scripts that are joined of several files, by the name that pages know them by: a first visit has fewer requests,
    /// and they compress better.
    private static let joinedScripts = [
        "start.js": ["sentinel.js", "list.js"], "rest.js": ["place.js", "live.js", "pictures.js"],
        "person.js": ["list.js", "pictures.js", "person.js"],
    ]
    /// The publisher's own, which every page links last.
    static let customStyle = "custom.css", customScript = "custom.js"

    /// The files and joined scripts by all of their names.
    private let files: [String: File]
    /// The names with a hash by those that pages know them by.
    private let hashedNames: [String: String]
    /// Changes with any byte of any file.
    let fingerprint: UInt64
    /// See ``Site/Configuration/fileFields``.
    private let firstFields: (own: Fields, hashed: Fields)

    /// Returns the description of the API without the paths of exports, which this site does not have.
    private static func withoutExports(_ bytes: [UInt8]) -> [UInt8] {
        guard var description = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
            let paths = description["paths"] as? [String: Any]
        else { return bytes }
        description["paths"] = paths.filter { !$0.key.hasPrefix("/export.") }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: description, options: options)).map { Array($0) } ?? bytes
    }

    init(_ assets: Assets, _ configuration: Site.Configuration = Site.Configuration()) {
        firstFields = configuration.fileFields
        var files: [String: File] = [:]
        var hashedFiles: [String: File] = [:]
        var hashedNames: [String: String] = [:]
        var all = StableHash()
        // RFC 9110 §8.8.2.1: a Last-Modified date must not be later than the response.
        let now = Int(Date().timeIntervalSince1970)
        @discardableResult func add(_ name: String, _ bytes: [UInt8], modified: Int) -> File {
            let hash = Self.hash(bytes)
            let hashedName = Self.hashedName(name, hash)
            let file = File(name, bytes, modified: HTTPDate(secondsSince1970: min(modified, now)), hash: hash)
            hashedFiles[hashedName] = file
            hashedFiles[hashedName]?.isImmutable = true
            hashedNames[name] = hashedName
            all.combine(hashedName)
            return file
        }
        for (name, asset) in assets.publicFiles.sorted(by: { $0.key < $1.key }) {
            let isDescription = name == "openapi.json" && !configuration.allowsExports
            let bytes = isDescription ? Self.withoutExports(asset.bytes) : asset.bytes
            files[name] = add(name, bytes, modified: asset.modified)
        }
        for (name, parts) in Self.joinedScripts.sorted(by: { $0.key < $1.key }) {
            let parts = parts.compactMap { assets.publicFiles[$0] }
            let bytes = Array(parts.map(\.bytes).joined(separator: Array(";\n".utf8)))
            add(name, bytes, modified: parts.map(\.modified).max() ?? 0)
        }
        // A publisher may have saved a file under the name with a hash.
        self.files = files.merging(hashedFiles) { own, _ in own }
        self.hashedNames = hashedNames
        fingerprint = all.value
    }

    func hasFile(_ name: String) -> Bool { files[name] != nil }

    /// The name with a hash for pages to refer to; the plain name if the file does not exist.
    func hashedName(of name: String) -> String { hashedNames[name] ?? name }

    /// Returns the file at `path`, which is relative and percent-encoded, or `nil` if it does not exist.
    func response(to request: Request, path: Bytes, _ client: ClientContext) -> Response? {
        guard let name = Self.name(path), let file = files[name] else { return nil }
        return response(to: request, file, client)
    }

    /// Whether `path` is a file. Other origins may read all files.
    func isShared(_ path: Bytes, _ basePath: String) -> Bool {
        guard let path = path.removingPrefix(basePath), let name = Self.name(path.dropFirst()) else { return false }
        return hasFile(name)
    }

    private static func name(_ path: Bytes) -> String? {
        path.contains(UInt8(ascii: "%"))
            ? ByteBuffer(capacity: 256).decodedText(path) : String(validating: path)
    }

    private func response(to request: Request, _ file: File, _ client: ClientContext) -> Response {
        // A range is always a part of the uncompressed file: clients cannot use a part of a compressed stream.
        let isPart = client.acceptsIdentity && request.method == .get && request.has("range")
        let usesGzip = !isPart && client.coding(bytes: file.identity.bytes.count) == .gzip
        let gzip = usesGzip ? file.gzip : nil
        let chosen = gzip ?? file.identity
        var fields = file.isImmutable ? firstFields.hashed : firstFields.own
        client.appendVary(to: &fields, isShared: !file.isImmutable)
        // Only this site's pages refer to names with a hash, clients do not revalidate them, and the bytes of a first
        // visit are limited.
        if !file.isImmutable {
            fields.append("ETag", String(decoding: chosen.entityTag, as: UTF8.self))
            fields.append("Last-Modified", "\(file.modified)")
        }
        let precondition = request.precondition(tag: chosen.entityTag, lastModified: file.modified)
        if let response = precondition.response(fields) { return response }
        fields.append("Content-Type", file.contentType)
        fields.append("X-Content-Type-Options", "nosniff")
        if gzip == nil { fields.append("Accept-Ranges", "bytes") } else { fields.append(ContentCoding.gzip) }
        var response = part(request, of: chosen, file, fields)
        response.savedBytes = UInt32(clamping: file.identity.bytes.count - chosen.bytes.count)
        return response
    }

    /// Returns the part of a file that `Range` names (RFC 9110 §14), or the whole file.
    private func part(_ request: Request, of whole: Representation, _ file: File, _ fields: Fields) -> Response {
        var fields = fields
        let count = whole.bytes.count
        switch request.range(ofLength: count, tag: whole.entityTag, lastModified: file.modified) {
        case .whole:
            return Response(fields: fields, body: Response.Body(whole.bytes))
        case .part(let part):
            fields.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
            return Response(.partialContent, fields: fields, body: Response.Body(whole.bytes, range: part))
        case .notSatisfiable:
            var fields = Fields()
            fields.append("Content-Range", "bytes */\(count)")
            return Response(.rangeNotSatisfiable, fields: fields)
        }
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        var hash = StableHash()
        hash.combine(bytes)
        return String(writing: { $0.append(hexadecimal: hash.value) })
    }

    /// `style.css` → `style.0123456789abcdef.css`.
    private static func hashedName(_ name: String, _ hash: String) -> String {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "\(name).\(hash)" }
        return "\(name[..<dot]).\(hash)\(name[dot...])"
    }
}

extension StaticFiles {
    /// Whether a file is compressed when the server starts. One of 4 GiB or more is served as it is: zlib's counts have
    /// 32 bits.
    static func compresses(_ name: String, bytes count: Int) -> Bool {
        File.mediaType(name).isCompressible && count <= UInt32.max
    }
}

extension StaticFiles.File {
    fileprivate init(_ name: String, _ bytes: [UInt8], modified: HTTPDate, hash: String) {
        contentType = Self.mediaType(name).text
        self.modified = modified
        identity = (bytes, Array("\"\(hash)\"".utf8))
        let compressed =
            StaticFiles.compresses(name, bytes: bytes.count) ? Gzip.compressed(bytes, level: 9) : bytes
        gzip = compressed.count < bytes.count ? (compressed, Array("\"\(hash)-gz\"".utf8)) : nil
    }

    /// Returns the media type by the end of a name.
    fileprivate static func mediaType(_ name: String) -> (text: StaticString, isCompressible: Bool) {
        if name == "speculation.json" { return ("application/speculationrules+json", true) }
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        return mediaTypes[ending] ?? ("application/octet-stream", false)
    }

    private static let mediaTypes: [String: (text: StaticString, isCompressible: Bool)] = [
        "html": ("text/html; charset=utf-8", true), "htm": ("text/html; charset=utf-8", true),
        "css": ("text/css; charset=utf-8", true),
        "js": ("text/javascript; charset=utf-8", true), "mjs": ("text/javascript; charset=utf-8", true),
        "json": ("application/json; charset=utf-8", true), "map": ("application/json; charset=utf-8", true),
        "webmanifest": ("application/manifest+json; charset=utf-8", true),
        "svg": ("image/svg+xml; charset=utf-8", true),
        "txt": ("text/plain; charset=utf-8", true), "md": ("text/plain; charset=utf-8", true),
        "xml": ("application/xml; charset=utf-8", true),
        "ico": ("image/x-icon", true), "png": ("image/png", false),
        "jpg": ("image/jpeg", false), "jpeg": ("image/jpeg", false),
        "gif": ("image/gif", false), "webp": ("image/webp", false), "avif": ("image/avif", false),
        "woff": ("font/woff", false), "woff2": ("font/woff2", false),
        "pdf": ("application/pdf", false), "wasm": ("application/wasm", true),
    ]
}
