import Base
import People
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
struct Handler: Sendable {
    let respond: @Sendable (RoutedRequest) throws -> Reply
    /// The value of `Cache-Control` on a public site.
    let cacheControl: StaticString
    /// Whether clients ask each time whether their copy is current. Only shared caches may be allowed to do otherwise:
    /// ``Site/Configuration/sharedMaxAge``.
    private(set) var isRevalidated = false

    /// The handler reads the request. A ``PageRenderer`` renders the resource once, and the ``ResponseCache`` keeps the
    /// response until the directory changes. Clients ask each time whether their copy is current.
    static func cached(_ read: @escaping @Sendable (RoutedRequest) throws -> any Resource) -> Handler {
        revalidated { try $0.responder.respond(with: try read($0), to: $0) }
    }

    /// Made for every request. Clients ask each time whether their copy is current.
    static func revalidated(_ make: @escaping @Sendable (RoutedRequest) throws -> Reply) -> Handler {
        // Kept by any cache, but not used without asking: readers see new users within a second.
        Handler(respond: make, cacheControl: "no-cache", isRevalidated: true)
    }

    /// Made for every request. The URL says everything that the response depends on, so clients keep it for a year and
    /// do not ask again.
    static func unchanging(_ make: @escaping @Sendable (RoutedRequest) throws -> Reply) -> Handler {
        Handler(respond: make, cacheControl: "public, max-age=31536000, immutable")
    }

    /// As ``unchanging(_:)``, but for a month only: somebody may be forgotten. The handler uses the ``ResponseCache``.
    static func forgettable(_ make: @escaping @Sendable (RoutedRequest) throws -> Reply) -> Handler {
        Handler(respond: make, cacheControl: "public, max-age=2592000, immutable")
    }

    /// Made for every request, and kept nowhere.
    static func notStored(_ make: @escaping @Sendable (RoutedRequest) throws -> Reply) -> Handler {
        Handler(respond: make, cacheControl: "no-store")
    }

    /// Responds with 404.
    static let notFound = notStored { _ in throw HTTPError.notFound }
}
