import Bytes
import HTTP

/// The properties of a client that responses depend on: the codings it accepts, and the origin of its page.
struct ClientContext: Sendable {
    let acceptsGzip: Bool
    let acceptsIdentity: Bool
    /// The value of `Access-Control-Allow-Origin`, if it gets one.
    let allowedOrigin: String?
    /// Whether clients of another origin get another value.
    let variesByOrigin: Bool
    /// One byte that differs for clients that get different responses. Part of every cache key.
    let variant: UInt8
    /// The language of the interface that `Accept-Language` asks for; `nil` if it asks for none of them, or if the
    /// route has no texts of the interface. Part of the cache key of the request as received.
    let language: LanguageCode?

    /// For a request that could not be parsed.
    static let unknown = ClientContext(
        acceptsGzip: false, acceptsIdentity: true, allowedOrigin: nil, variesByOrigin: false, variant: 0, language: nil)

    private init(
        acceptsGzip: Bool, acceptsIdentity: Bool, allowedOrigin: String?, variesByOrigin: Bool, variant: UInt8,
        language: LanguageCode?
    ) {
        self.acceptsGzip = acceptsGzip
        self.acceptsIdentity = acceptsIdentity
        self.allowedOrigin = allowedOrigin
        self.variesByOrigin = variesByOrigin
        self.variant = variant
        self.language = language
    }

    /// - Parameter isLocalized: whether the response has texts of the interface. Only then is `Accept-Language` read.
    init(_ request: Request, _ configuration: Site.Configuration, isLocalized: Bool = false) {
        let coding = AcceptEncoding(request)
        acceptsGzip = coding.prefersGzip || (coding.acceptsGzip && !coding.acceptsIdentity)
        acceptsIdentity = coding.acceptsIdentity
        var origin: UInt8 = 0
        switch configuration.sharingOrigins {
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
        language = isLocalized ? AcceptLanguage.best(request) { LanguageCode(range: $0) } : nil
        variant = (acceptsGzip ? 1 : 0) | (acceptsIdentity ? 2 : 0) | origin << 2
    }

    /// Lets scripts of allowed origins read the response (Fetch standard, CORS protocol).
    func appendCrossOriginFields(to fields: inout Fields) {
        guard let allowedOrigin else { return }
        fields.append("Access-Control-Allow-Origin", allowedOrigin)
        fields.append("Access-Control-Expose-Headers", "Link, X-Total-Count, ETag, Retry-After")
    }

    /// - Parameter language: how the language was chosen; `nil` for a response without texts of the interface.
    func appendVary(to fields: inout Fields, isShared: Bool, _ language: LanguageChoice? = nil) {
        let names: StaticString =
            switch (language?.isByHeader == true, isShared && variesByOrigin) {
            case (false, false): "Accept-Encoding"
            case (false, true): "Accept-Encoding, Origin"
            case (true, false): "Accept-Encoding, Accept-Language"
            case (true, true): "Accept-Encoding, Accept-Language, Origin"
            }
        fields.append("Vary", names)
    }
}

/// The codings of response bodies.
enum ContentCoding {
    case identity, gzip
}

extension ClientContext {
    /// Below this, gzip's own 18 bytes and the field that announces it cost more than they save.
    static let smallestCompressed = 256

    /// The coding for a body of `count` bytes.
    func coding(bytes count: Int) -> ContentCoding {
        acceptsGzip && (count >= Self.smallestCompressed || !acceptsIdentity) ? .gzip : .identity
    }
}
