/// How a page or a fragment stands in somebody else's page: the values of `embed`.
enum Embedding: String, CaseIterable, Sendable {
    /// `/` in an `<iframe>` that scrolls: without header, form and footer. Its own fragments say so, too.
    case frame = "1"
    /// The same in an `<iframe>` that its page makes as tall as the list: more users come by a click alone, or neither end
    /// would ever be reached.
    case fittedFrame = "fit"
    /// A fragment in a page of another origin: all addresses are absolute.
    case html
    /// The same with what these libraries need in the markup to go on by themselves.
    case htmx, turbo, unpoly

    /// Those that a request of this kind may name.
    static func choices(for kind: PageRequest.Kind) -> [Self] {
        kind == .page ? [.frame, .fittedFrame] : allCases
    }

    /// Whether it is a document in a frame, or a part of one.
    var isFrame: Bool { self == .frame || self == .fittedFrame }
    /// What stands in a document of another origin cannot have relative addresses.
    var hasAbsoluteLinks: Bool { !isFrame }

    /// Whether links to answers of this kind name it, too. Out of somebody else's page a page of users leads to the site.
    func isCarried(to kind: PageRequest.Kind) -> Bool { kind == .fragment || (kind == .page && isFrame) }
}

extension Parameters {
    /// JSON is the same wherever it goes.
    func embedding(_ kind: PageRequest.Kind) throws -> Embedding? {
        kind == .json ? nil : try choice(.embed, of: Embedding.choices(for: kind))
    }
}

extension Embedding {
    /// What a target asks for, as far as that can be told, for an answer that says what is wrong with the target.
    init?(target: UnsafeRawBufferPointer) {
        guard let value = target.queryItem("embed") else { return nil }
        self.init(rawValue: String(decoding: value, as: UTF8.self))
    }
}
