import Dispatch
import Logging
import Metrics
import People
import Server
import Synchronization
import Template

/// The whole site: its configuration, and the state that all event loops share.
///
/// A request passes ``SiteResponder``, ``RouteTable``, ``PageRequest``, ``PageRenderer``, a template and
/// ``ResponseCache``.
public final class Site: Application {
    let configuration: Configuration
    let store: any UserStore
    let languages: Languages
    let files: StaticFiles
    let cache: ResponseCache
    let logger: Logger
    let errors: ErrorLog
    let events: EventHub
    /// The open pages that load again: see ``Configuration/Updates``.
    let reloads = PageReloads()
    /// The collectors of `/metrics`, beside the site.
    public let registry = Registry()
    let allCounters = Mutex<[SiteCounters]>([])
    /// Part of every validator: changes with the database, the templates, the files, the program's version and the
    /// settings that change bytes.
    let fingerprint: UInt64
    private let isStopping = Atomic(false)
    /// See ``warnOfUntrustedProxy()``.
    private let hasWarnedOfProxy = Atomic(false)
    /// See ``checkShownDirectory()``.
    let lacksDirectory: Atomic<Bool>
    /// See ``ExportLimit``.
    let openExports: ExportLimit
    /// A workbook is made as a whole, by a worker that has no time for others meanwhile. Two: half of the workers of a
    /// small server.
    let openWorkbooks = ExportLimit(2)
    /// The latest figures of a store on a server, for `/metrics`.
    let lastStoredFigures = Mutex<StoredFigures>((PictureTotals(), [:], StoreSize()))
    let storedFiguresQueue = DispatchQueue(label: "rollcall.stored-figures")
    /// Renderers of the server's pool that are not in use. Their number is the largest number of workers at one time.
    private let idleRenderers = Mutex<[SendableRenderer]>([])

    /// Throws a `TemplateError` with file, line and column if a template is broken, and a `RollcallError` if a
    /// catalogue of messages is.
    /// - Parameter languages: those of `assets`, which several sites may share.
    package init(
        configuration: Configuration, store: any UserStore, assets: Assets, languages: Languages? = nil, logger: Logger
    ) throws {
        let languages = try languages ?? Languages(assets)
        self.configuration = configuration
        self.store = store
        self.logger = logger
        errors = ErrorLog(logger)
        self.languages = languages
        events = EventHub(EventCounter(store, configuration, errors), languages)
        files = StaticFiles(assets, configuration)
        cache = ResponseCache(capacity: configuration.cacheBytes)
        openExports = ExportLimit(configuration.maxExports)
        var hash = StableHash()
        hash.combine(store.instance)
        hash.combine(languages.fingerprint)
        hash.combine(files.fingerprint)
        hash.combine("\(configuration.ofContent)")
        fingerprint = hash.value
        lacksDirectory = Atomic(configuration.missingDirectory(among: store.directories) != nil)
    }

    /// Stops everything that the site has started, waits for it, and closes its readers. Call this when the server of
    /// the site has stopped; the store is still open.
    public func close() {
        events.stop()
        storedFiguresQueue.sync {}
        // Renderers keep the site, which keeps them.
        let renderers = idleRenderers.withLock { idle in
            defer { idle = [] }
            return idle
        }
        withExtendedLifetime(renderers) {}
    }

    /// Warnings about fields that templates name by their keys and that no directory has.
    public var templateWarnings: [String] {
        let known = Set(store.directories.flatMap { $0.settings.fields.map(\.key) })
        return languages[.en].templates.namedFields.filter { !known.contains($0.key) }.map {
            "\($0.place): no directory has a field \"\($0.key)\""
        }
    }

    /// Makes `/readyz` fail from now on, so that load balancers choose another server. Returns whether this is the
    /// first call.
    public func announceStop() -> Bool { !isStopping.exchange(true, ordering: .relaxed) }

    var willStop: Bool { isStopping.load(ordering: .relaxed) }

    /// Logs once that absolute links are wrong behind a TLS proxy that the server does not know.
    func warnOfUntrustedProxy() {
        guard configuration.publicURL == nil, !hasWarnedOfProxy.load(ordering: .relaxed),
            !hasWarnedOfProxy.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            """
            A request with “X-Forwarded-Proto: https” came from an address that is not in --trusted-proxies, so \
            absolute links begin with http://. Set --public-url, or name the proxy's address in --trusted-proxies.
            """)
    }

    public func makeResponder() -> any Responder {
        SiteResponder(self)
    }

    public var routes: [String] { RouteTable.site.metrics }

    func makeCounters() -> SiteCounters {
        let counters = SiteCounters()
        allCounters.withLock { $0.append(counters) }
        return counters
    }

    /// Runs `body` with a renderer that no other worker uses. For work outside event loops.
    func withRenderer<Result>(_ body: (PageRenderer) throws -> Result) rethrows -> Result {
        let renderer = idleRenderers.withLock { $0.popLast() } ?? SendableRenderer(value: PageRenderer(self))
        defer { idleRenderers.withLock { $0.append(renderer) } }
        return try body(renderer.value)
    }

    /// Carries a renderer from one worker to the next.
    ///
    /// Unchecked: a renderer is either in the list, where no worker uses it, or was taken out by the one worker that
    /// does. The list's lock orders one before the other.
    private struct SendableRenderer: @unchecked Sendable {
        let value: PageRenderer
    }
}
