import Base
import People
import Server

/// A request for a directory's logo, or for the style sheet with its brand.
struct BrandAsset: Resource {
    enum Part: Sendable {
        case logo, brand
    }

    let part: Part
    let linked: LinkedDirectory

    init(_ part: Part, _ routed: RoutedRequest) throws {
        self.part = part
        linked = try routed.linked()
    }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append(part == .logo ? "/logo" : "/brand.css", of: linked)
    }

    /// A file, and its media type.
    typealias File = (type: StaticString, bytes: [UInt8])

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Stored<File> {
        switch part {
        case .logo:
            guard let logo = try reader.reading(reader.counters.userReads, { try $0.logo(of: directory.id) }),
                let type = Self.types.first(where: { $0.description == logo.type })
            else { throw HTTPError.notFound }
            return Stored(directory: directory, value: (type, logo.bytes))
        case .brand:
            let looks = directory.settings.looks
            try expect(looks.hasBrand, .notFound)
            let bytes = Array(looks.styleSheet.utf8)
            return Stored(directory: directory, value: ("text/css; charset=utf-8", bytes))
        }
    }

    func write(_ file: Stored<File>, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        fields.append("Content-Type", file.value.type)
        if part == .logo {
            // An SVG that is opened by itself is a document and could run scripts.
            fields.append("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        }
        renderer.body.append(file.value.bytes)
    }

    private static let types: [StaticString] = ["image/svg+xml", "image/png", "image/jpeg"]
}
