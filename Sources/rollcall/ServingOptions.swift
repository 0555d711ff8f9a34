import ArgumentParser
import Directories
import Foundation
import HTTPServer
import Site

/// What `serve` and `demo` have in common.
struct ServingOptions: ParsableArguments {
    @Option(help: "The host name or address to listen on; '*' for all.")
    var hostname = Environment.string("HOSTNAME") ?? "127.0.0.1"

    @Option(parsing: .unconditional, help: "The port to listen on; 0 picks a free one.")
    var port = Environment.int("PORT") ?? 8080

    @Option(help: ArgumentHelp("Listen on a Unix socket instead.", valueName: "path"))
    var unixSocket: String?

    @Flag(
        help: """
            Listen beside another server at the same port, which has this option too, or take over its Unix socket: a new \
            version starts, then the old one gets its SIGTERM.
            """)
    var reusePort = false

    @Option(help: ArgumentHelp("The directory to show where a URL names none; else the first.", valueName: "slug"))
    var directory: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("A folder whose files replace, and add to, the built-in public files.", valueName: "dir"))
    var publicFolder: String?

    @Option(
        name: .customLong("templates"),
        help: ArgumentHelp("A folder whose templates replace the built-in ones.", valueName: "dir"))
    var templatesFolder: String?

    @Option(help: "The path that everything is served below, such as /people.")
    var basePath = Environment.string("BASE_PATH") ?? "/"

    @Option(help: ArgumentHelp("The absolute URL of the home page, as the world sees it.", valueName: "url"))
    var publicUrl: String?

    @Option(
        help: ArgumentHelp(
            "Proxies whose X-Forwarded-Proto is believed, beside those on a Unix socket: addresses or blocks such as 10.0.0.0/8, separated by commas.",
            valueName: "addresses"))
    var trustedProxies = Environment.string("TRUSTED_PROXIES") ?? ""

    @Flag(help: "Ask search engines to keep away: robots.txt, X-Robots-Tag and no sitemap.")
    var noindex = false

    @Option(help: "Which origins' pages may read fragments and JSON: '*', 'none', or origins separated by commas.")
    var allowOrigin = Environment.string("ALLOW_ORIGIN") ?? "*"

    @Option(help: "Which pages may frame /?embed=1: '*', 'none', or self and origins separated by commas.")
    var frameAncestors = Environment.string("FRAME_ANCESTORS") ?? "*"

    @Option(parsing: .unconditional, help: "After how many pages the list waits for a click; 0 for never.")
    var autoPages = Environment.int("AUTO_PAGES") ?? 0

    @Option(parsing: .unconditional, help: "MiB of memory for finished pages.")
    var cacheSize = Environment.int("CACHE_SIZE") ?? 32

    @Option(help: "Log requests to standard output, a line each: off, common or json.")
    var accessLog: AccessLogOption = Environment.value("ACCESS_LOG") ?? .off

    @Option(
        help: ArgumentHelp(
            "Who may read /metrics: local (clients on this machine, not through a proxy), public, off; or a port or address for it alone.",
            valueName: "local|public|off|address"))
    var metrics = MetricsOption(Environment.string("METRICS") ?? "local")

    @Flag(help: "Say in every answer what it took (Server-Timing).")
    var serverTiming = false

    @Option(help: "How sockets are watched: epoll, or sources (a dispatch source a connection).")
    var transport: TransportOption = Environment.value("TRANSPORT") ?? .platformDefault

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func validate() throws {
        _ = Environment.bool("REUSE_PORT")
        _ = Environment.bool("SERVER_TIMING")
        _ = Environment.bool("NOINDEX")
        try Environment.check()
        guard (0...65_535).contains(port) else { throw ValidationError("--port: expected 0 to 65535, found \(port)") }
        guard autoPages >= 0 else { throw ValidationError("--auto-pages: expected 0 or more, found \(autoPages)") }
        guard (0...65_536).contains(cacheSize) else {
            throw ValidationError("--cache-size: expected 0 to 65536 MiB, found \(cacheSize)")
        }
        _ = try site()
        _ = try Self.addressRanges(trustedProxies)
    }

    /// The folders of ``Assets``.
    var folders: (public: String?, templates: String?) {
        (publicFolder ?? Environment.string("PUBLIC"), templatesFolder ?? Environment.string("TEMPLATES"))
    }

    /// What the site is told.
    func site() throws -> Site.Configuration {
        var site = Site.Configuration()
        site.defaultDirectory = try (directory ?? Environment.string("DIRECTORY")).map { text in
            guard let slug = Slug(text) else {
                throw ValidationError("--directory: expected 1 to 64 of a–z, 0–9, - and _, found “\(text)”")
            }
            return slug
        }
        site.basePath = try Self.basePath(basePath)
        site.publicURL = try (publicUrl ?? Environment.string("PUBLIC_URL")).map {
            try Self.publicURL($0, basePath: site.basePath)
        }
        site.isHiddenFromSearch = noindex || Environment.bool("NOINDEX") == true
        site.allowedOrigins = try Self.origins(allowOrigin)
        do {
            site.frameAncestors = try FrameAncestors(frameAncestors)
        } catch {
            throw ValidationError("--frame-ancestors: \(error)")
        }
        site.autoPages = autoPages
        site.cacheBytes = cacheSize << 20
        site.maxExports = limits.maxExports
        site.metrics = try metrics.access()
        site.version = Rollcall.version
        return site
    }

    /// What the server is told.
    func server() throws -> Server.Configuration {
        let socket = unixSocket ?? Environment.string("UNIX_SOCKET")
        let address: Server.Address = socket.map { .unix(path: $0) } ?? .tcp(hostname: hostname, port: port)
        // Sockets that were handed over count more than any option.
        let handedOver = try Activation.addresses()
        var server = Server.Configuration(addresses: handedOver.isEmpty ? [address] : handedOver)
        server.takesOver = reusePort || Environment.bool("REUSE_PORT") == true
        server.transport = transport.value
        server.tellsTimings = serverTiming || Environment.bool("SERVER_TIMING") == true
        server.accessLog = Server.AccessLog(accessLog.value)
        server.trustedProxies = try Self.addressRanges(trustedProxies)
        limits.apply(to: &server)
        return server
    }

    /// Addresses and blocks of them, separated by commas.
    static func addressRanges(_ text: String) throws -> [AddressRange] {
        if text.isEmpty { return [] }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { item in
            let item = item.trimmingCharacters(in: .whitespaces)
            guard let range = AddressRange(item) else {
                throw ValidationError(
                    "--trusted-proxies: expected addresses like 127.0.0.1 or 10.0.0.0/8, found “\(item)”")
            }
            return range
        }
    }

    /// `/people/` and `people` become `/people`, `/` becomes nothing.
    static func basePath(_ text: String) throws -> String {
        let segments = text.split(separator: "/")
        guard segments.allSatisfy({ $0.utf8.allSatisfy(isUnreserved) && $0 != "." && $0 != ".." }) else {
            throw ValidationError("--base-path: expected a path of letters, digits and -._~, found “\(text)”")
        }
        return segments.map { "/" + $0 }.joined()
    }

    /// The URL of the home page without its last slash. One without a path gets the base path.
    static func publicURL(_ text: String, basePath: String) throws -> String {
        guard let url = URLComponents(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { throw ValidationError("--public-url: expected one like https://people.example.org, found “\(text)”") }
        // Not repeated: there may be a password in it.
        guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil else {
            throw ValidationError(
                "--public-url: expected one like https://people.example.org, found one with a user, a query or a fragment"
            )
        }
        let path = url.path.split(separator: "/").map { "/" + $0 }.joined()
        guard path.isEmpty || path == basePath else {
            throw ValidationError(
                "--public-url: its path, \(path), is not --base-path, \(basePath.isEmpty ? "/" : basePath)")
        }
        let origin =
            text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).prefix(2).joined(separator: "/")
            + "/" + (text.dropFirst(scheme.count + 3).split(separator: "/").first ?? "")
        return origin + basePath
    }

    static func origins(_ text: String) throws -> Site.Configuration.AllowedOrigins {
        switch text {
        case "*": return .any
        case "none", "": return .only([])
        default:
            let origins = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            for origin in origins {
                guard let url = URLComponents(string: origin), url.scheme != nil, url.host != nil, url.path.isEmpty,
                    url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
                else {
                    throw ValidationError(
                        "--allow-origin: expected '*', 'none' or origins like https://example.org, found “\(origin)”")
                }
            }
            guard origins.count < 60 else { throw ValidationError("--allow-origin: expected at most 59 origins") }
            return .only(origins)
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 65...90, 97...122, 48...57, 45, 46, 95, 126: true
        default: false
        }
    }
}

enum AccessLogOption: String, ExpressibleByArgument, CaseIterable {
    case off, common, json

    var value: Server.AccessLog.Format { self == .off ? .off : self == .common ? .common : .json }
}

/// `local`, `public`, `off`, or where metrics have a listener of their own.
enum MetricsOption: ExpressibleByArgument, Equatable {
    case local, everybody, off
    case address(hostname: String, port: Int)
    case malformed(String)

    init?(argument: String) { self = Self(argument) }

    init(_ text: String) {
        switch text {
        case "local": self = .local
        case "public": self = .everybody
        case "off": self = .off
        default:
            let colon = text.lastIndex(of: ":")
            let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
            let hostname = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
            guard let port = Int(port), (0...65_535).contains(port) else {
                self = .malformed(text)
                return
            }
            self = .address(hostname: hostname.isEmpty ? "*" : hostname, port: port)
        }
    }

    /// What `/metrics` of the site itself is: nothing where it has a listener of its own.
    func access() throws -> Site.Configuration.MetricsAccess {
        switch self {
        case .local: return .loopback
        case .everybody: return .everybody
        case .off, .address: return .nobody
        case .malformed(let text):
            throw ValidationError(
                "--metrics: expected local, public, off, a port, or an address like 127.0.0.1:9187, found “\(text)”")
        }
    }

    /// Where its own listener is, if it has one.
    var address: Server.Address? {
        guard case .address(let hostname, let port) = self else { return nil }
        return .tcp(hostname: hostname, port: port)
    }

    var defaultValueDescription: String { "local" }
}

enum TransportOption: String, ExpressibleByArgument, CaseIterable {
    case epoll, sources

    static var platformDefault: Self { Server.Transport.platformDefault == .epoll ? .epoll : .sources }

    var value: Server.Transport { self == .epoll ? .epoll : .sources }
}
