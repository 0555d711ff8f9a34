/// How a page or a fragment is embedded in another page: the values of `embed`.
enum Embedding: String, CaseIterable, Sendable {
    /// `/` in an `<iframe>` that scrolls: without header, form and footer. Its fragments have the parameter, too.
    case frame = "1"
    /// `/` in an `<iframe>` that is as tall as the list. More users come only on a click, or the reader would never
    /// reach the end of either page.
    case fittedFrame = "fit"
    /// A fragment in a page of another origin: all links are absolute.
    case html
    /// A fragment with the markup that these libraries need to load the next one.
    case htmx, turbo, unpoly

    /// The values that a request of this kind may have.
    static func choices(for kind: PageRequest.Kind) -> [Self] {
        kind == .page ? [.frame, .fittedFrame] : allCases
    }

    /// Whether this is a document in a frame, or a part of one.
    var isFrame: Bool { self == .frame || self == .fittedFrame }
    /// Relative links would be wrong in a document of another origin.
    var hasAbsoluteLinks: Bool { !isFrame }

    /// Whether links to responses of this kind have the parameter, too. In a fragment on another site, links to pages
    /// lead to this site without it.
    func isCarried(to kind: PageRequest.Kind) -> Bool { kind == .fragment || (kind == .page && isFrame) }
}

extension Parameters {
    /// `nil` for JSON, which is the same everywhere.
    func embedding(_ kind: PageRequest.Kind) throws -> Embedding? {
        kind.isJSON ? nil : try choice(.embed, of: Embedding.choices(for: kind))
    }
}

extension Embedding {
    /// The value in a target that may be wrong otherwise, for an error response.
    init?(target: UnsafeRawBufferPointer) {
        guard let value = target.queryItem("embed") else { return nil }
        self.init(rawValue: String(decoding: value, as: UTF8.self))
    }
}
