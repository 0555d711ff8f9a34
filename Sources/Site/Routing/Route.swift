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
