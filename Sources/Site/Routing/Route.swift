import Server

/// A row of the ``RouteTable``: everything that depends on the path of a URL.
///
/// ```swift
/// Route(.path("/keys"), .page, "keys", .noIndex, .cached { try KeysRequest($0) })
/// ```
struct Route: Sendable {
    let pattern: PathPattern
    /// The format of responses and of errors.
    let format: ResponseFormat
    /// The value of the label `route` in `/metrics`. Several rows may share one.
    let metric: String
    let crawlers: CrawlerRule
    /// Whether a file of the same path in `--public` is served instead.
    let yieldsToFile: Bool
    let handler: Handler
    /// The position of `metric` in ``RouteTable/metrics``, which responses carry.
    var metricIndex: UInt8 = 0

    init(
        _ pattern: PathPattern, _ format: ResponseFormat, _ metric: String, _ crawlers: CrawlerRule,
        yieldsToFile: Bool = false, _ handler: Handler
    ) {
        self.pattern = pattern
        self.format = format
        self.metric = metric
        self.crawlers = crawlers
        self.yieldsToFile = yieldsToFile
        self.handler = handler
    }
}

/// How a route responds, and how long its responses may be kept.
enum Handler: Sendable {
    /// The handler reads the request. A ``PageRenderer`` renders the resource once, and the ``ResponseCache`` keeps the
    /// response until the directory changes. Clients ask each time whether their copy is current.
    case cached(@Sendable (RoutedRequest) throws -> any Resource)
    /// Made for every request. Clients ask each time whether their copy is current.
    case revalidated(@Sendable (RoutedRequest) throws -> Reply)
    /// Made for every request. The URL says everything that the response depends on, so clients keep it for a year and
    /// do not ask again.
    case unchanging(@Sendable (RoutedRequest) throws -> Reply)
    /// As ``unchanging``, but for a month only: somebody may be forgotten. The handler uses the ``ResponseCache``.
    case forgettable(@Sendable (RoutedRequest) throws -> Reply)
    /// Made for every request, and kept nowhere.
    case notStored(@Sendable (RoutedRequest) throws -> Reply)

    var cacheControl: StaticString {
        switch self {
        // Kept by any cache, but not used without asking: readers see new users within a second.
        case .cached, .revalidated: "no-cache"
        case .unchanging: "public, max-age=31536000, immutable"
        case .forgettable: "public, max-age=2592000, immutable"
        case .notStored: "no-store"
        }
    }

    /// Whether clients ask each time whether their copy is current. Only shared caches may be allowed to do otherwise:
    /// ``Site/Configuration/sharedMaxAge``.
    var isRevalidated: Bool {
        switch self {
        case .cached, .revalidated: true
        case .unchanging, .forgettable, .notStored: false
        }
    }

    /// Responds with 404.
    static let notFound = Handler.notStored { _ in throw HTTPError.notFound }
}

/// The rule for crawlers, in `robots.txt` (RFC 9309) and `X-Robots-Tag`.
enum CrawlerRule: Sendable {
    /// A page for search engines, unless the page itself excludes itself (``Resource/isRepetition``).
    case index
    /// `robots.txt` disallows this prefix, and responses say `noindex`: crawlers read `robots.txt` only at the root of
    /// a host, which a site below a base path does not have.
    case exclude(StaticString)
    /// Responses say `noindex`. `robots.txt` cannot list the path, because indexed paths have the same prefix.
    case noIndex
    /// `robots.txt` disallows this prefix.
    case disallow(StaticString)
    /// Neither: a document for the crawlers themselves, or no document at all.
    case ignore

    /// The prefix that `robots.txt` disallows.
    var disallowedPrefix: StaticString? {
        switch self {
        case .exclude(let prefix), .disallow(let prefix): prefix
        case .index, .noIndex, .ignore: nil
        }
    }

    /// Whether responses carry `X-Robots-Tag: noindex`.
    var isNoIndex: Bool {
        switch self {
        case .exclude, .noIndex: true
        case .index, .disallow, .ignore: false
        }
    }
}

/// The format of a response. Errors have it, too.
enum ResponseFormat {
    case page, fragment, json, text
    /// A vCard. Errors are text.
    case vCard
    /// A file whose resource sets the type and header fields. Errors are text.
    case file
    /// A picture that Rollcall draws. Errors are text.
    case drawing
    /// A stored picture. Errors are text.
    case picture
    /// JSON with the errors of another service.
    case stackExchange, rickAndMorty

    /// Whether scripts of other origins may read the response (`--allow-origin`).
    var isShared: Bool { self == .fragment || self == .drawing || self == .picture || isJSON }

    /// Whether the response has texts of the interface. Responses for programs are in English.
    var isLocalized: Bool { self == .page || self == .fragment }

    var isJSON: Bool { self == .json || self == .stackExchange || self == .rickAndMorty }

    /// The format of errors.
    var ofErrors: ResponseFormat { [.vCard, .file, .drawing, .picture].contains(self) ? .text : self }

    var contentType: StaticString {
        switch self {
        case .page, .fragment: "text/html; charset=utf-8"
        case .json, .stackExchange, .rickAndMorty: "application/json; charset=utf-8"
        case .text, .file: "text/plain; charset=utf-8"
        case .vCard: "text/vcard; charset=utf-8"
        case .drawing: "image/svg+xml; charset=utf-8"
        case .picture: "image/jpeg"
        }
    }
}
