import Assets
import Directories
import HTTP
import Logging
import Metrics
import Mustache
import Synchronization

/// The whole site: its configuration, and what all event queues share.
///
/// A request passes ``SiteResponder``, ``RouteTable``, ``PageRequest``, ``PageRenderer``, a template and ``ResponseCache``.
public final class Site: Application {
    let configuration: Configuration
    let store: any UserStore
    let templates: Templates
    let files: StaticFiles
    let cache: ResponseCache
    let logger: Logger
    /// All that `/metrics` tells; the site itself is in it.
    public let registry: Registry
    let allCounters = Mutex<[SiteCounters]>([])
    /// Part of every validator: changes with the database, the templates, the files, the program's version and what of the
    /// configuration changes bytes.
    let fingerprint: UInt64
    private let isStopping = Atomic(false)
    /// See ``warnOfUntrustedProxy()``.
    private let hasWarnedOfProxy = Atomic(false)
    /// See ``checkShownDirectory()``.
    let lacksDirectory: Atomic<Bool>
    /// See ``ExportSlot``.
    let openExports = Atomic(0)
    /// Workbenches of the server's pool that nobody is working at. As many are made as there are workers at one time.
    private let idleRenderers = Mutex<[SendableRenderer]>([])

    /// Throws a `TemplateError` with file, line and column if a template is broken.
    public init(
        configuration: Configuration, store: any UserStore, assets: Assets, registry: Registry = Registry(),
        logger: Logger
    )
        throws
    {
        self.configuration = configuration
        self.store = store
        self.logger = logger
        self.registry = registry
        templates = try Templates(assets)
        files = StaticFiles(assets)
        cache = ResponseCache(capacity: configuration.cacheBytes)
        var hash = StableHash()
        hash.combine(store.instance)
        hash.combine(templates.fingerprint)
        hash.combine(files.fingerprint)
        hash.combine("\(configuration.ofContent)")
        fingerprint = hash.value
        lacksDirectory = Atomic(configuration.missingDirectory(among: store.directories) != nil)
    }

    /// From now on `/readyz` says no: whoever spreads the load looks for another server. Answers whether that is new.
    public func announceStop() -> Bool { !isStopping.exchange(true, ordering: .relaxed) }

    var willStop: Bool { isStopping.load(ordering: .relaxed) }

    /// Logs once that absolute links are wrong behind a TLS proxy that the server does not know.
    func warnOfUntrustedProxy() {
        guard configuration.publicURL == nil, !hasWarnedOfProxy.load(ordering: .relaxed),
            !hasWarnedOfProxy.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            """
            A request with “X-Forwarded-Proto: https” came from an address that is not in --trusted-proxies, so absolute \
            links begin with http://. Set --public-url, or name the proxy's address in --trusted-proxies.
            """)
    }

    public func makeResponder() -> any Responder {
        SiteResponder(self)
    }

    public var routes: [String] { RouteTable.site.metrics }

    /// A place to count, for one queue at a time.
    func makeCounters() -> SiteCounters {
        let counters = SiteCounters()
        allCounters.withLock { $0.append(counters) }
        return counters
    }

    /// Runs `body` with a workbench that nobody else uses meanwhile: for work that left its event queue.
    func withRenderer<Result>(_ body: (PageRenderer) -> Result) -> Result {
        let renderer = idleRenderers.withLock { $0.popLast() } ?? SendableRenderer(PageRenderer(self))
        defer { idleRenderers.withLock { $0.append(renderer) } }
        return body(renderer.value)
    }

    /// Carries a workbench from one worker to the next.
    ///
    /// `@unchecked`: a workbench is either in the list, where nobody touches it, or was taken out by the one worker that
    /// uses it; the list's lock orders the one before the other.
    private struct SendableRenderer: @unchecked Sendable {
        let value: PageRenderer
        init(_ value: PageRenderer) { self.value = value }
    }
}

/// The compiled templates.
struct Templates: Sendable {
    let page: PageTemplate
    let fragment: PageTemplate
    /// Fragments with the markup of a library in them.
    let htmx, turbo, unpoly: PageTemplate
    let user: Template
    let directories: Template
    let embedPage: Template
    let error: Template
    let fragmentError: Template
    /// Changes with any byte of any template.
    let fingerprint: UInt64

    init(_ assets: Assets) throws {
        var hash = StableHash()
        for name in assets.templateNames.sorted() {
            hash.combine(name)
            assets.template(name)?.withUnsafeBytes { hash.combine($0) }
        }
        fingerprint = hash.value
        func template(_ name: String, _ schema: Schema) throws -> Template {
            try Template(name, schema: schema, in: assets.template)
        }
        page = PageTemplate(try template("page", Schema(PageField.self)))
        fragment = PageTemplate(try template("fragment", Schema(PageField.self)))
        htmx = PageTemplate(try template("fragment-htmx", Schema(PageField.self)))
        turbo = PageTemplate(try template("fragment-turbo", Schema(PageField.self)))
        unpoly = PageTemplate(try template("fragment-unpoly", Schema(PageField.self)))
        embedPage = try template("embed", Schema(EmbedPageField.self))
        user = try template("user", Schema(UserPageField.self))
        directories = try template("directories", Schema(DirectoriesField.self))
        error = try template("error", Schema(ErrorField.self))
        fragmentError = try template("fragment-error", Schema(ErrorField.self))
    }
}

/// A template for a page of users, and what of the document around the list it shows: a fragment that has none of it costs
/// a tenth less when that is not filled in.
struct PageTemplate: Sendable {
    let template: Template
    let showsDocument: Bool
    let showsForm: Bool

    init(_ template: Template) {
        self.template = template
        showsDocument = PageField.document.contains(where: template.mentions)
        showsForm = PageField.form.contains(where: template.mentions)
    }
}
