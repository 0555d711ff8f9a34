import ArgumentParser
import Base
import Foundation
import Server
import Site

/// The commands that serve, with the options that they share, in the order in which `--help` lists them: the most used
/// first.
///
/// They have these groups themselves, and not one group of them: a debug build checks groups within groups so often
/// that a start took half as long again.
protocol ServingCommand: ParsableCommand {
    var address: AddressOptions { get }
    var pages: PageOptions { get }
    var sharing: SharingOptions { get }
    var observing: ObservingOptions { get }
    var limits: LimitOptions { get }
}

extension ServingCommand {
    var trustedProxies: [AddressRange] {
        get throws { try addressRanges(address.trustedProxies, of: "--trusted-proxies") }
    }

    func site() throws -> Site.Configuration {
        var site = Site.Configuration()
        site.defaultDirectory = pages.shown.directory
        site.basePath = try Self.basePath(address.basePath)
        site.publicURL = try address.site.publicUrl.map {
            try Self.publicURL($0, basePath: site.basePath)
        }
        site.isNoIndex = pages.noindex
        site.allowedOrigins = try Self.origins(sharing.allowOrigin)
        site.frameAncestors = try checked("--frame-ancestors: ") { try FrameAncestors(sharing.frameAncestors) }
        site.pictures = pages.pictures
        site.autoPages = pages.autoPages
        site.sharedMaxAge = pages.sharedMaxAge
        site.updates = pages.live == .on ? .newPeople : .none
        site.cacheBytes = limits.cacheSize << 20
        site.maxExcel = limits.maxExcel
        site.allowsExports = sharing.exports == .on
        site.metrics = try observing.readersOfMetrics.access
        site.version = Rollcall.version
        return site
    }

    /// The configuration of the server. Sockets that were `passed` take precedence over the options.
    func server(_ passed: [Server.Address]) throws -> Server.Configuration {
        let given: Server.Address =
            address.unixSocket.map { .unix(path: $0) } ?? .tcp(hostname: address.hostname, port: address.port)
        var server = Server.Configuration(addresses: passed.isEmpty ? [given] : passed)
        server.takesOver = address.reusePort
        server.tellsTimings = observing.serverTiming
        server.accessLog = Server.AccessLog(observing.accessLog)
        server.trustedProxies = try trustedProxies
        limits.apply(to: &server)
        if pages.live == .off { server.limits.maxLiveBodies = 0 }
        return server
    }

    /// Whether the server listens on a TCP address that other machines may reach.
    var isReachableFromOutside: Bool {
        address.unixSocket == nil && !["localhost", "::1"].contains(address.hostname)
            && !address.hostname.hasPrefix("127.")
    }

    /// Returns the canonical base path: `/people` for `/people/` and `people`, and nothing for `/`.
    static func basePath(_ text: String) throws -> String {
        let segments = text.split(separator: "/")
        try expect(
            segments.allSatisfy { $0.utf8.allSatisfy(\.isUnreserved) && ![".", ".."].contains($0) },
            "--base-path: expected a path of letters, digits and -._~, found “\(text)”")
        return segments.map { "/" + $0 }.joined()
    }

    /// Returns the URL of the home page without its last slash. A URL without a path gets the base path.
    static func publicURL(_ text: String, basePath: String) throws -> String {
        let wrong = "--public-url: expected one like https://people.example.org, found"
        // The message does not repeat the URL, which may contain a password.
        try expect(!text.contains { "@?#".contains($0) }, "\(wrong) one with a user, a query or a fragment")
        let url = URLComponents(string: text) ?? URLComponents()
        try expect(["http", "https"].contains(url.scheme) && url.host?.isEmpty == false, "\(wrong) “\(text)”")
        let path = url.path.split(separator: "/").map { "/" + $0 }.joined()
        try expect(
            path.isEmpty || path == basePath,
            "--public-url: its path, \(path), is not --base-path, \(basePath.isEmpty ? "/" : basePath)")
        // A URL with a host has its path after the third slash.
        let origin = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        return origin.joined(separator: "/") + basePath
    }

    static func origins(_ text: String) throws -> Site.Configuration.AllowedOrigins {
        if text == "*" { return .any }
        let list = text == "none" ? "" : text
        let origins = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        for origin in origins {
            // A scheme, a host and perhaps a port: no user, path, query or fragment.
            let isOrigin = origin.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\/?#@:][^\/?#@]*/) != nil
            try expect(
                isOrigin && URLComponents(string: origin) != nil,
                "--allow-origin: expected '*', 'none' or origins like https://example.org, found “\(origin)”")
        }
        try expect(origins.count < 60, "--allow-origin: expected at most 59 origins")
        return .only(origins)
    }
}
