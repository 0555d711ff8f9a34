import Bytes
import HTTP

/// What an answer depends on beside the target: which codings the client takes, and from which origin it asks.
struct ClientContext: Sendable {
    let acceptsGzip: Bool
    let acceptsIdentity: Bool
    /// What `Access-Control-Allow-Origin` says to it, if anything.
    let allowedOrigin: String?
    /// Whether another origin would have been told something else.
    let variesByOrigin: Bool
    /// One byte that is different for every visitor who gets a different answer.
    let variant: UInt8

    /// Someone whose request could not be read.
    static let stranger = ClientContext(
        acceptsGzip: false, acceptsIdentity: true, allowedOrigin: nil, variesByOrigin: false, variant: 0)

    private init(acceptsGzip: Bool, acceptsIdentity: Bool, allowedOrigin: String?, variesByOrigin: Bool, variant: UInt8)
    {
        self.acceptsGzip = acceptsGzip
        self.acceptsIdentity = acceptsIdentity
        self.allowedOrigin = allowedOrigin
        self.variesByOrigin = variesByOrigin
        self.variant = variant
    }

    init(_ request: Request, _ configuration: Site.Configuration) {
        let coding = AcceptEncoding(request)
        acceptsGzip = coding.prefersGzip || (coding.acceptsGzip && !coding.acceptsIdentity)
        acceptsIdentity = coding.acceptsIdentity
        var origin: UInt8 = 0
        switch configuration.allowedOrigins {
        case .any:
            allowedOrigin = "*"
            variesByOrigin = false
        case .only(let origins):
            variesByOrigin = !origins.isEmpty
            let asked = request.value(of: "origin")
            let index = asked.flatMap { asked in origins.firstIndex { asked.elementsEqual($0.utf8) } }
            allowedOrigin = index.map { origins[$0] }
            origin = index.map { UInt8(truncatingIfNeeded: $0 + 1) } ?? 0
        }
        variant = (acceptsGzip ? 1 : 0) | (acceptsIdentity ? 2 : 0) | origin << 2
    }

    /// Lets scripts of allowed origins read the answer (Fetch standard, CORS protocol).
    func appendCrossOriginFields(to fields: inout Fields) {
        guard let allowedOrigin else { return }
        fields.append("Access-Control-Allow-Origin", allowedOrigin)
        fields.append("Access-Control-Expose-Headers", "Link, X-Total-Count, ETag, Retry-After")
    }

    func appendVary(to fields: inout Fields, isShared: Bool) {
        fields.append("Vary", isShared && variesByOrigin ? "Accept-Encoding, Origin" : "Accept-Encoding")
    }
}

/// The conditions of a request, kept for an answer that is made later.
struct ConditionalHeaders: Sendable {
    /// The values of all `If-Match` lines, one list; and those of `If-None-Match`.
    private let ifMatch: [UInt8]?
    private let ifNoneMatch: [UInt8]?

    init(_ request: Request) {
        ifMatch = Self.list("if-match", request)
        ifNoneMatch = Self.list("if-none-match", request)
    }

    private static func list(_ name: StaticString, _ request: Request) -> [UInt8]? {
        var list: [UInt8]?
        request.forEachValue(of: name) { value in
            list = list.map { $0 + Array(",".utf8) + Array(value) } ?? Array(value)
        }
        return list
    }

    /// What they come to for an answer with validator `tag` (RFC 9110 §13.2.2).
    func result(tag: [UInt8]) -> Precondition {
        if let ifMatch, !Self.contains(ifMatch, tag, by: .strong) { return .failed }
        if let ifNoneMatch, Self.contains(ifNoneMatch, tag, by: .weak) { return .notModified }
        return .met
    }

    private static func contains(_ list: [UInt8], _ tag: [UInt8], by comparison: EntityTag.Comparison) -> Bool {
        list.withUnsafeBytes { list in
            tag.withUnsafeBytes { EntityTag.list(list, contains: $0, by: comparison) }
        }
    }
}

extension ResponseCache.Entry {
    /// The answer, or what the request's conditions make of it (RFC 9110 §13.1).
    func response(to request: Request) -> Response { response(request.precondition(tag: entityTag)) }

    func response(to conditions: ConditionalHeaders) -> Response { response(conditions.result(tag: entityTag)) }

    private func response(_ result: Precondition) -> Response {
        switch result {
        case .met: response
        case .notModified: notModified
        case .failed: .preconditionFailed
        }
    }
}

extension Response {
    /// 412, which only programs ask for that know the resource.
    static var preconditionFailed: Response {
        Response(.preconditionFailed, text: "If-Match: expected the ETag of what is here now, found others only\n")
    }
}
