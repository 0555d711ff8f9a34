import Bytes
import Directories
import Exports
import Gzip
import HTTP

/// A body that is written from the store a piece at a time.
protocol StoredBody: Sendable {
    /// Appends what comes next; answers `false`, and appends nothing, when everything was written.
    mutating func appendMore(from reader: any UserReader, to buffer: ByteBuffer) throws -> Bool
}

extension DirectoryExport: StoredBody {}

/// The export of a database without a directory.
private struct EmptyExport: StoredBody {
    private let format: ExportFormat
    private let provesItsEnd: Bool
    private var isWritten = false

    init(as format: ExportFormat, provesItsEnd: Bool) {
        self.format = format
        self.provesItsEnd = provesItsEnd
    }

    mutating func appendMore(from reader: any UserReader, to buffer: ByteBuffer) -> Bool {
        if isWritten { return false }
        isWritten = true
        let writer = ExportWriter(format: format)
        writer.begin(into: buffer)
        if provesItsEnd { writer.append(proofOf: 0, into: buffer) }
        writer.end(into: buffer)
        return true
    }
}

/// A directory on its way to one reader, who may be slow: between two pieces it holds a place in the order, one of the site's
/// places for exports and, where it is compressed, a stream of zlib's (32 KiB), but nothing of the store.
///
/// `@unchecked Sendable`: the server asks a ``BodyStream`` for one piece at a time, and its pool orders one before the next.
final class ExportStream: @unchecked Sendable {
    private let site: Site
    private let place: ExportSlot
    private var export: any StoredBody
    private let compressor: GzipCompressor?
    private var isFinished = false

    init(_ export: any StoredBody, isCompressed: Bool, of site: Site) throws {
        place = try ExportSlot(on: site)
        self.site = site
        self.export = export
        compressor = isCompressed ? GzipCompressor() : nil
        compressor?.begin()
    }

    func next() -> BodyStream.Piece {
        site.withRenderer { renderer in
            do {
                return try piece(by: renderer)
            } catch {
                site.logger.error("an export or sitemap broke off: \("\(error)".printable)")
                return .failure
            }
        }
    }

    /// Compressed, some pages may be needed before there is a byte.
    private func piece(by renderer: PageRenderer) throws -> BodyStream.Piece {
        while !isFinished {
            // The workbench's, so that a reader who is slow keeps no more than the piece.
            let (plain, compressed) = (renderer.body, renderer.compressed)
            plain.removeAll()
            compressed.removeAll()
            isFinished = try !renderer.reading(renderer.counters.pageReads) {
                try export.appendMore(from: $0, to: plain)
            }
            compressor?.append(plain.bytes, isLast: isFinished, into: compressed)
            let made = compressor == nil ? plain : compressed
            if !made.isEmpty { return .bytes([UInt8](made)) }
        }
        return .end
    }
}

extension ExportFormat {
    var mediaType: StaticString {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .json: "application/json"
        }
    }
}

/// The parameters that only exports have.
private enum ExportParameter: String, CaseIterable {
    case proof
}

extension NamedValues<ExportParameter> {
    /// Whether the export is to end in an ``ExportProof``. Throws a ``HTTPError`` for a value other than 1.
    fileprivate var isProven: Bool {
        get throws {
            guard let text = self[.proof], !text.isEmpty else { return false }
            guard text == "1" else { throw HTTPError.badRequest("proof: expected 1, found “\(text.excerpt)”") }
            return true
        }
    }
}

extension SiteResponder {
    /// Everyone a request asks for, from its `since` on.
    func export(_ format: ExportFormat, _ request: Request, _ client: ClientContext) throws -> Response {
        let page = try pageRequest(request)
        guard !page.start.isBackward else {
            throw HTTPError.badRequest("before: an export goes forward; expected since or neither")
        }
        let isProven = try NamedValues<ExportParameter>(request.query, scratch: ByteBuffer()).isProven
        var query = page.query
        query.limit = DirectoryExport.pageLimit
        let isNobody = page.directory.id == DirectoryList.none.id
        let export: any StoredBody =
            isNobody
            ? EmptyExport(as: format, provesItsEnd: isProven)
            : DirectoryExport(of: query, as: format, provesItsEnd: isProven)
        let stream = try ExportStream(export, isCompressed: client.acceptsGzip, of: site)
        var response = Response()
        response.fields.append("Content-Type", format.mediaType)
        response.fields.append(
            "Content-Disposition", "attachment; filename=\"\(page.directory.slug).\(format.rawValue)\"")
        // It is as it is now; who has an old one asks again.
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("X-Content-Type-Options", "nosniff")
        response.fields.append("X-Robots-Tag", "noindex")
        client.appendVary(to: &response.fields, isShared: true)
        client.appendCrossOriginFields(to: &response.fields)
        if client.acceptsGzip { response.fields.append("Content-Encoding", "gzip") }
        response.stream = BodyStream { stream.next() }
        return response
    }
}
