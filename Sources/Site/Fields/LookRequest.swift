import Bytes
import Directories
import Fields
import HTTP

/// A request for a directory's logo, or for the style sheet with its colours.
struct LookRequest: Sendable {
    enum Part: Sendable {
        case logo, colours
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
        case .colours:
            guard let accent = directory.plan.accent else { throw HTTPError.notFound }
            fields.append("Content-Type", "text/css; charset=utf-8")
            renderer.body.append(utf8: BrandColours(accent).styleSheet)
        }
        return directory
    }

    private static let types: [StaticString] = ["image/svg+xml", "image/png", "image/jpeg"]
}

/// The page colours that are derived from a directory's accent.
struct BrandColours {
    private let accent: Colour
    /// The backgrounds in style.css.
    private static let dark = Colour(red: 0x15, green: 0x14, blue: 0x1c)
    /// The minimum contrast of text (WCAG 2.2, level AA).
    private static let readable = 4.5

    init(_ accent: Colour) { self.accent = accent }

    var styleSheet: String {
        let night = accent.lightened(until: { $0.contrast(with: Self.dark) >= Self.readable })
        return """
            :root { --accent: \(accent.hexadecimal); --on-accent: \(text(on: accent).hexadecimal); }
            @media (prefers-color-scheme: dark) { \
            :root { --accent: \(night.hexadecimal); --on-accent: \(text(on: night).hexadecimal); } }

            """
    }

    /// Returns the colour for text on a button.
    private func text(on colour: Colour) -> Colour {
        colour.contrast(with: .white) >= colour.contrast(with: Self.dark) ? .white : Self.dark
    }
}

extension Colour {
    fileprivate var hexadecimal: String {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append(hexadecimal: UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue))
        return "#" + String(buffer).suffix(6)
    }

    /// Returns the colour mixed with as little white as is needed for the contrast.
    fileprivate func lightened(until isEnough: (Colour) -> Bool) -> Colour {
        var colour = self
        var tenths = 0
        while !isEnough(colour), tenths < 10 {
            tenths += 1
            let mix = { (channel: UInt8) in UInt8((Int(channel) * (10 - tenths) + 255 * tenths) / 10) }
            colour = Colour(red: mix(red), green: mix(green), blue: mix(blue))
        }
        return colour
    }
}
