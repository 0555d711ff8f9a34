import Bytes
import Exports
import HTTP

/// What a path leads to.
enum Route {
    /// The base path without its last slash: relative links would go wrong there.
    case bareBase
    case page
    case fragment
    /// How to put people into another site.
    case embedPage
    case apiUsers
    /// The login, percent-decoded.
    case user(String)
    case apiUser(String)
    case apiUserOfID(Int64)
    case apiRateLimit
    case directories
    case export(ExportFormat)
    case twin(CompatibleAPI)
    case robots
    /// What stands between `sitemap` and `.xml`.
    case sitemap(String)
    case openSearch
    case liveness
    case readiness
    case metrics
    /// Perhaps a file: its path below the base, without the first slash.
    case file(UnsafeRawBufferPointer)

    /// `nil` for a path outside the base path, or one that no percent-decoding makes text of.
    init?(path: UnsafeRawBufferPointer, basePath: String, scratch: ByteBuffer) {
        guard let path = path.removingPrefix(basePath), path.isEmpty || path.first == UInt8(ascii: "/") else {
            return nil
        }
        if path.isEmpty {
            self = .bareBase
        } else if path.count == 1 {
            self = .page
        } else if path.equals("/fragment") {
            self = .fragment
        } else if path.equals("/embed") {
            self = .embedPage
        } else if path.equals("/api/v3/users") {
            self = .apiUsers
        } else if path.starts(with: "/users/") {
            guard let login = Self.login(path, after: 7, scratch) else { return nil }
            self = .user(login)
        } else if path.starts(with: "/api/v3/users/") {
            guard let login = Self.login(path, after: 14, scratch) else { return nil }
            self = .apiUser(login)
        } else if let id = Self.id(path) {
            self = .apiUserOfID(id)
        } else if path.equals("/api/v3/rate_limit") {
            self = .apiRateLimit
        } else if path.equals("/directories") {
            self = .directories
        } else if let twin = CompatibleAPI(path: path, scratch: scratch) {
            self = .twin(twin)
        } else if path.equals("/export.ndjson") {
            self = .export(.ndjson)
        } else if path.equals("/export.csv") {
            self = .export(.csv)
        } else if path.equals("/robots.txt") {
            self = .robots
        } else if let name = Self.sitemap(path) {
            self = .sitemap(name)
        } else if path.equals("/opensearch.xml") {
            self = .openSearch
        } else if path.equals("/healthz") {
            self = .liveness
        } else if path.equals("/readyz") {
            self = .readiness
        } else if path.equals("/metrics") {
            self = .metrics
        } else {
            self = .file(UnsafeRawBufferPointer(rebasing: path[1...]))
        }
    }

    /// What stands in `/sitemap….xml`: nothing, or what begins with a hyphen.
    fileprivate static func sitemap(_ path: UnsafeRawBufferPointer) -> String? {
        guard path.starts(with: "/sitemap"), path.count >= 12 else { return nil }
        let end = path.count - 4
        let name = UnsafeRawBufferPointer(rebasing: path[8..<end])
        guard UnsafeRawBufferPointer(rebasing: path[end...]).equals(".xml"), name.first ?? 45 == UInt8(ascii: "-")
        else {
            return nil
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The id in `/api/v3/user/1`; GitHub has other things there, too, none of which begins with a digit.
    private static func id(_ path: UnsafeRawBufferPointer) -> Int64? {
        path.removingPrefix("/api/v3/user/").flatMap { Int64(digits: String(decoding: $0, as: UTF8.self)) }
    }

    private static func login(_ path: UnsafeRawBufferPointer, after prefix: Int, _ scratch: ByteBuffer) -> String? {
        let login = UnsafeRawBufferPointer(rebasing: path[prefix...])
        guard !login.isEmpty, !login.contains(UInt8(ascii: "/")) else { return nil }
        return scratch.decodedText(login)
    }
}

/// In what form an answer is wanted; errors come in it, too.
enum ResponseFormat {
    case page, fragment, json, text
    /// JSON whose errors are those of another service.
    case stackExchange, rickAndMorty

    init(path: UnsafeRawBufferPointer, basePath: String) {
        guard let path = path.removingPrefix(basePath) else {
            self = .page
            return
        }
        if path.equals("/2.3") || path.starts(with: "/2.3/") {
            self = .stackExchange
        } else if path.starts(with: "/api/character") {
            self = .rickAndMorty
        } else if path.starts(with: "/api/") || path.equals("/export.ndjson") || path.equals("/export.csv") {
            self = .json
        } else if path.equals("/fragment") {
            self = .fragment
        } else if path.equals("/healthz") || path.equals("/readyz") || path.equals("/metrics")
            || path.equals("/robots.txt") || Route.sitemap(path) != nil || path.equals("/opensearch.xml")
        {
            self = .text
        } else {
            self = .page
        }
    }

    /// Whether scripts of other origins may read it (`--allow-origin`).
    var isShared: Bool { self == .fragment || isJSON }

    var isJSON: Bool { self == .json || self == .stackExchange || self == .rickAndMorty }
}

extension UnsafeRawBufferPointer {
    /// What follows `prefix`; `nil` where these bytes do not start with it.
    func removingPrefix(_ prefix: String) -> UnsafeRawBufferPointer? {
        if prefix.isEmpty { return self }
        guard starts(with: prefix.utf8) else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[prefix.utf8.count...])
    }
}
