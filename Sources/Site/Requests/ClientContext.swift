import Base
import Server

/// The properties of a client that responses depend on: the codings it accepts, the origin of its page, and whether it
/// saves data.
struct ClientContext: Sendable {
    private(set) var acceptsGzip = false
    private(set) var acceptsIdentity = true
    /// The value of `Access-Control-Allow-Origin`, if it gets one.
    private(set) var allowedOrigin: String?
    /// Whether clients of another origin get another value.
    private(set) var variesByOrigin = false
    /// Whether the reader wants to use little data (Save Data API, §3.1), if the response has texts of the interface.
    private(set) var savesData = false
    /// The number of the origin among those of `--allow-origin`; 0 without one.
    private var origin: UInt16 = 0
    /// The language of the interface that `Accept-Language` asks for; `nil` if it asks for none of them, or if the
    /// response has no texts of the interface. Part of the cache key of the request as received.
    private(set) var language: LanguageCode?

    /// For a request that could not be parsed.
    static let unknown = ClientContext()

    private init() {}

    init(_ request: Request, sharedWith origins: Site.Configuration.AllowedOrigins) {
        let coding = AcceptEncoding(request)
        acceptsGzip = coding.prefersGzip || (coding.acceptsGzip && !coding.acceptsIdentity)
        acceptsIdentity = coding.acceptsIdentity
        switch origins {
        case .any: allowedOrigin = "*"
        case .only(let origins):
            variesByOrigin = !origins.isEmpty
            let asked = request.value(of: "origin").orEmpty
            let index = origins.firstIndex { $0.withUTF8Bytes { asked.equals($0) } }
            allowedOrigin = index.map { origins[$0] }
            origin = UInt16(truncatingIfNeeded: index.map { $0 + 1 } ?? 0)
        }
        language = request.bestLanguage { LanguageCode(range: $0) }
        savesData = request.value(of: "save-data").orEmpty.equals("on")
    }

    /// The same client for a response without texts of the interface, which depends on no language.
    var forData: ClientContext {
        var client = self
        (client.language, client.savesData) = (nil, false)
        return client
    }

    /// Appends what differs for clients that get different responses: a part of every cache key. The first byte is
    /// never 0xFF.
    func appendVariant(to buffer: ByteBuffer) {
        buffer.append((acceptsGzip ? 1 : 0) | (acceptsIdentity ? 2 : 0) | (savesData ? 4 : 0) as UInt8)
        buffer.append(UInt8(truncatingIfNeeded: origin))
        buffer.append(UInt8(truncatingIfNeeded: origin >> 8))
    }

    /// Lets scripts of allowed origins read the response (Fetch standard, CORS protocol).
    func appendCrossOriginFields(to fields: inout Fields) {
        guard let allowedOrigin else { return }
        fields.append("Access-Control-Allow-Origin", allowedOrigin)
        fields.append("Access-Control-Expose-Headers", "Link, X-Total-Count, ETag, Retry-After")
    }

    /// Says for which clients the response is: `Vary`, and what lets scripts of other origins read one that is shared.
    /// - Parameters:
    ///   - language: how the language was chosen; `nil` for a response without texts of the interface.
    ///   - traits: of a page of people, a client that saves data gets another one.
    func appendVary(
        to fields: inout Fields, isShared: Bool, _ language: LanguageChoice? = nil, _ traits: PageTraits = []
    ) {
        fields.append("Vary", "Accept-Encoding")
        if language?.isByHeader == true { fields.append(toLast: "Accept-Language") }
        if isShared, variesByOrigin { fields.append(toLast: "Origin") }
        if traits.contains(.people) { fields.append(toLast: "Save-Data") }
        if isShared { appendCrossOriginFields(to: &fields) }
    }

    /// Below this, gzip's own 18 bytes and the field that announces it cost more than they save.
    static let smallestCompressed = 256

    func coding(bytes count: Int) -> ContentCoding {
        acceptsGzip && (count >= Self.smallestCompressed || !acceptsIdentity) ? .gzip : .identity
    }
}

/// The codings of response bodies.
enum ContentCoding {
    case identity, gzip
}

extension Fields {
    mutating func append(_ coding: ContentCoding) {
        if coding == .gzip { append("Content-Encoding", "gzip") }
    }

    /// Appends the language of texts of the interface, if there are any.
    mutating func append(_ language: LanguageChoice?) {
        if let language { append("Content-Language", language.code.tag) }
    }
}

/// The client of the latest request.
///
/// The next request often comes over the same connection, or from a client that accepts the same. Comparing four fields
/// takes a tenth of the time of reading them.
struct LatestClient {
    /// The lines that decide about the context, each as a name and a value.
    private var lines: [UInt8] = []
    private var context: ClientContext?

    /// Returns the context of `request`. `buffer` is overwritten.
    mutating func context(
        of request: Request, sharedWith origins: Site.Configuration.AllowedOrigins, _ buffer: ByteBuffer
    ) -> ClientContext {
        buffer.removeAll()
        for line in request.head.fields.indices {
            let field = request.head.fields[line]
            guard ClientContext.depends(on: field.name, of: request) else { continue }
            buffer.append(counted: request.bytes[field.name])
            buffer.append(counted: request.bytes[field.value])
        }
        if let context, buffer.equals(lines) { return context }
        let found = ClientContext(request, sharedWith: origins)
        (lines, context) = ([UInt8](buffer), found)
        return found
    }
}

extension ClientContext {
    /// Whether the initializer reads the field `name`, so that clients with another value may have another context.
    fileprivate static func depends(on name: ByteSlice, of request: Request) -> Bool {
        switch name.count {
        case 6: request.bytes[name].equals(ignoringCase: "origin")
        case 9: request.bytes[name].equals(ignoringCase: "save-data")
        case 15:
            request.bytes[name].equals(ignoringCase: "accept-encoding")
                || request.bytes[name].equals(ignoringCase: "accept-language")
        default: false
        }
    }
}
