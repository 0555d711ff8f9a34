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
        Stored(directory: directory, value: try required(file(from: reader), .notFound))
    }

    private func file(from reader: SiteReader) throws -> File? {
        let looks = directory.settings.looks
        if part == .brand { return looks.hasBrand ? ("text/css; charset=utf-8", Array(looks.styleSheet.utf8)) : nil }
        guard let logo = try reader.reading(reader.counters.userReads, { try $0.logo(of: directory.id) }) else {
            return nil
        }
        return Self.types.first { $0.description == logo.type }.map { ($0, logo.bytes) }
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
