import Bytes
import Directories
import Fields
import HTTP

/// A request for a directory's logo, or for the style sheet with its brand.
struct LookRequest: Sendable {
    enum Part: Sendable {
        case logo, brand
    }

    let part: Part
    let directory: Directory
    let isDefaultDirectory: Bool

    init(_ part: Part, _ routed: RoutedRequest) throws {
        self.part = part
        let parameters = try Parameters(routed.request.query, scratch: routed.scratch)
        (directory, isDefaultDirectory) = try routed.directories.find(parameters[.directory])
    }
}

extension LookRequest: Resource {
    var isSlow: Bool { false }
    var showsDirectories: Bool { false }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append(part == .logo ? "/logo" : "/brand.css")
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
    }

    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout HTTP.Fields) throws -> Directory {
        switch part {
        case .logo:
            guard let logo = try renderer.reading(renderer.counters.userReads, { try $0.logo(of: directory.id) }),
                let type = Self.types.first(where: { $0.description == logo.type })
            else { throw HTTPError.notFound }
            fields.append("Content-Type", type)
            // An SVG that is opened by itself is a document and could run scripts.
            fields.append("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
            renderer.body.append(logo.bytes)
        case .brand:
            guard let brand = directory.plan.brand else { throw HTTPError.notFound }
            fields.append("Content-Type", "text/css; charset=utf-8")
            renderer.body.append(utf8: brand.styleSheet)
        }
        return directory
    }

    private static let types: [StaticString] = ["image/svg+xml", "image/png", "image/jpeg"]
}
