import Bytes
import Directories
import HTTP

/// A request for the wall of faces (`/wall.svg`): many people in one image, for a README. It takes the search, the
/// filters and the order of a page.
struct WallRequest: Sendable {
    /// The list whose first people the wall shows.
    private var list: PageRequest
    private let columns: Int
    /// The most people that are shown.
    private let max: Int
    /// The side of a face in CSS px.
    private let size: Int

    /// The parameters that pages do not have. No field's filter has these names (``FilterParameters/reserved``).
    private enum Name: String, CaseIterable {
        case columns, max, size
    }

    init(_ routed: RoutedRequest) throws {
        // Other sites show nothing of a private site.
        guard routed.configuration.isEmbeddable else { throw HTTPError.notFound }
        list = try routed.users(.page)
        let numbers = try NamedValues<Name>(routed.request.query, scratch: routed.scratch)
        columns = try numbers.number(.columns, in: 1...100) ?? 12
        max = try numbers.number(.max, in: 1...500) ?? 100
        size = try numbers.number(.size, in: 24...128) ?? 64
        list.start = .first
        list.perPage = nil
        list.view = .list
        list.embedding = nil
        list.language = nil
    }
}

extension WallRequest: Resource {
    var directory: Directory { list.directory }
    /// It reads up to 500 pictures.
    var isSlow: Bool { true }
    var showsDirectories: Bool { false }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/wall.svg")
        Links(base: "", request: list).appendQuery(namingOrderTo: buffer)
        var query = QueryWriter(buffer, isBegun: true)
        query.add("columns", columns)
        query.add("max", max)
        query.add("size", size)
    }

    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        var query = list.query
        query.limit = max
        let page = try renderer.read(query, of: directory)
        let pictures = PictureLinks(page.directory, renderer.configuration, base: "")
        let drawing = WallDrawing(page: page, pictures: pictures, columns: columns, size: size)
        try renderer.reading(renderer.counters.pictureReads) { reader in
            try drawing.append(to: renderer.body, scratch: renderer.line) { key, size in
                try reader.picture(key, size, of: [page.directory.id])
            }
        }
        // An image that is opened by itself is a document. Its pictures are in it.
        fields.append("Content-Security-Policy", "default-src 'none'; img-src data:; sandbox")
        // Pages that isolate themselves from other origins may show it, too (COEP).
        fields.append("Cross-Origin-Resource-Policy", "cross-origin")
        return page.directory
    }
}
