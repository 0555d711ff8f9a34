import Base
import People
import Server

/// A response body that is made one piece at a time.
protocol StoredBody {
    /// Appends the next piece, made of what `read` reads. It is empty while nothing can be sent yet. Returns `false`,
    /// and appends nothing, after the last one.
    mutating func appendMore(to buffer: ByteBuffer, from read: (UserQuery) throws -> Page?) throws -> Bool
}

extension DirectoryExport: StoredBody {}

extension SitemapFile: StoredBody {}

/// A ``StoredBody`` that is being sent to one client, which may be slow. Between two pieces it holds the position in
/// the body and, if the body is compressed, a zlib stream (144 KiB), but nothing of the store.
///
/// Unchecked: the server asks a ``BodyStream`` for one piece at a time. Its pool orders each piece before the next one,
/// whichever threads make them.
final class ExportStream: @unchecked Sendable {
    private let site: Site
    /// `nil` after the end.
    private var limit: ExportLimit?
    private let request: RequestMark
    /// The name of the body in the log.
    private let name: String
    private var body: any StoredBody
    private let compressor: GzipCompressor?
    private var isFinished = false

    init(
        named name: String, _ limit: ExportLimit, for request: Request, isCompressed: Bool, of site: Site,
        _ begin: () throws -> any StoredBody
    ) throws {
        try limit.begin()
        do { body = try begin() } catch {
            limit.end()
            throw error
        }
        (self.name, self.limit, self.site) = (name, limit, site)
        self.request = RequestMark(request)
        compressor = isCompressed ? GzipCompressor() : nil
        compressor?.begin()
    }

    deinit { limit?.end() }

    func next() -> BodyStream.Piece {
        site.withRenderer { renderer in
            do {
                return try piece(by: renderer)
            } catch {
                _ = site.errors.log(error, prefix: "\(name) broke off: ", of: request)
                return .failure
            }
        }
    }

    private func piece(by renderer: PageRenderer) throws -> BodyStream.Piece {
        if isFinished {
            // Free before the client sees the end, so that it can ask for the next one at once.
            limit?.end()
            limit = nil
            return .end
        }
        // The renderer's buffers, so that a slow client keeps no more than the piece.
        let (plain, compressed) = (renderer.body, renderer.compressed)
        plain.removeAll()
        compressed.removeAll()
        isFinished = try !body.appendMore(to: plain, from: renderer.reader.exportedPage)
        compressor?.append(plain, isLast: isFinished, into: compressed)
        let made = compressor == nil ? plain : compressed
        // A compressor may take several pages before it returns the first byte.
        return made.isEmpty ? .later : .bytes([UInt8](made))
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

extension RoutedRequest {
    /// All users that the request selects, from its `since` on.
    func export(_ format: ExportFormat) throws -> Reply {
        let page = try exportedList()
        let values = try Parameters(query, Self.exportNames)
        let isForSpreadsheets = try values.isOne(.spreadsheet) && format == .csv
        let layout = try layout(values, of: page.directory, isTable: format == .csv)
        let body = DirectoryExport(
            of: page.query, as: format, layout, in: site.store.instance, provesItsEnd: try values.isOne(.proof),
            spreadsheetSeparator: isForSpreadsheets ? page.directory.settings.spreadsheetSeparator : nil)
        return .now(try stream(body, exportFields(page.directory, format.mediaType, ending: format.rawValue)))
    }

    private static let exportNames: Set<Parameter> = [.layout, .proof, .spreadsheet]

    /// Returns a response that sends `body`, compressed if the client accepts that.
    func stream(_ body: any StoredBody, _ fields: Fields) throws -> Response {
        var fields = fields
        fields.append(client.acceptsGzip ? ContentCoding.gzip : .identity)
        return try stream(
            fields, named: "an export or sitemap", site.openExports, isCompressed: client.acceptsGzip
        ) { body }
    }

    /// Returns a response with the body that `begin` begins. The server asks for no byte of it for `HEAD`, so nothing
    /// begins then, and nothing is counted. Throws a 503 if `limit` is reached.
    private func stream(
        _ fields: Fields, named name: String, _ limit: ExportLimit, isCompressed: Bool,
        _ begin: () throws -> any StoredBody
    ) throws -> Response {
        var response = Response(fields: fields)
        response.stream = BodyStream { .end }
        if request.method == .head { return response }
        let stream = try ExportStream(named: name, limit, for: request, isCompressed: isCompressed, of: site, begin)
        response.stream = BodyStream { stream.next() }
        return response
    }

    private func exportFields(_ directory: Directory, _ type: StaticString, ending: String) -> Fields {
        var fields = Fields()
        fields.append("Content-Type", type)
        fields.append("Content-Disposition", "attachment; filename=\"\(directory.slug).\(ending)\"")
        configuration.append(cacheControlOf: route.handler, namesHost: false, to: &fields)
        fields.append("X-Content-Type-Options", "nosniff")
        if route.crawlers.isNoIndex { fields.append("X-Robots-Tag", "noindex") }
        client.appendVary(to: &fields, isShared: true)
        return fields
    }

    /// Reads which users an export has: all of a list, from its `since` on.
    private func exportedList() throws -> PageRequest {
        // Before the first import, a site of chosen directories shows none.
        guard configuration.allowsExports, case var page = try list(.export),
            configuration.shows(page.directory)
        else { throw HTTPError.notFound }
        try expect(!page.start.isBackward, .badRequest("before: an export goes forward; expected since or neither"))
        page.perPage = DirectoryExport.pageLimit
        return page
    }

    /// All users that the request selects, as a workbook of Excel.
    func exportWorkbook() throws -> Reply {
        let page = try exportedList()
        try expect(
            hasRoom(for: page.query, in: page.directory),
            .badRequest("These are more than \(configuration.maxExcel.grouped) people: /export.csv has them all."))
        let layout = try layout(Parameters(query, Self.exportNames), of: page.directory, isTable: true)
        let type: StaticString = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        let fields = exportFields(page.directory, type, ending: "xlsx")
        return .now(
            try stream(fields, named: "a workbook", site.openWorkbooks, isCompressed: false) {
                try WorkbookBody(page.query, page.directory.title, layout, of: site)
            })
    }

    /// Whether a workbook has room for the people of `query`. A search or filters may leave few people of a large
    /// directory. A result that is too large to count does not fit.
    private func hasRoom(for query: UserQuery, in directory: Directory) throws -> Bool {
        if directory.total <= configuration.maxExcel { return true }
        var query = query
        query.limit = 1
        let total = try site.withRenderer { try $0.reader.exportedPage(query)?.total }
        return total.map { $0 <= configuration.maxExcel } ?? false
    }

    /// Returns the layout that the request asks for: by default the publisher's own columns for tables only, because
    /// the other formats restore a directory as it is.
    private func layout(_ values: Parameters, of directory: Directory, isTable: Bool) throws -> ExportLayout {
        let layout: ExportLayout? = try values.choice(.layout)
        try expect(
            layout != .source || !directory.settings.columns.isEmpty,
            .badRequest("layout: the columns of this directory are not known; expected rollcall"))
        return layout ?? (isTable ? .source : .rollcall)
    }
}
