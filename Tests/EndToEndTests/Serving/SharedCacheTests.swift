import Foundation
import TestSupport
import Testing

/// A cache of nginx, with the lines of Documentation/proxy.
@Suite("A cache in front of the server (--shared-max-age)", .onThreadsForPrograms)
final class SharedCacheTests: Stage {
    override init() throws {
        try super.init()
        try add("ada", "grace")
    }

    private func add(_ logins: String...) throws { try load((["login"] + logins).joined(separator: "\n")) }

    private func serve(_ seconds: Int) throws -> RollcallProcess { try serve("--shared-max-age", "\(seconds)") }

    /// Starts nginx with the documented lines.
    private func cache(before server: RollcallProcess) throws -> Nginx {
        let blocks = try ["nginx-cache-http.conf", "nginx-cache.conf"].map {
            let file = RollcallProcess.packageFolder.appending(path: "Documentation/proxy/\($0)")
            return try String(contentsOf: file, encoding: .utf8)
                .replacing("/var/cache/nginx/rollcall", with: path("cache"))
                .replacing("http://rollcall;", with: "\(server.url);")
        }
        return try Nginx(blocks[1], shared: blocks[0], root: folder.path)
    }

    @Test func pagesComeFromTheCacheUntilTheTimeIsOver() throws {
        let server = try serve(3600)
        let nginx = try cache(before: server)
        func status(_ path: String, _ options: String...) throws -> String? {
            try nginx.page(path, options).fields["x-cache-status"]
        }
        for path in ["/", "/fragment", "/keys"] {
            #expect(try status(path) == "MISS")
            #expect(try status(path) == "HIT")
        }
        // Each coding and each language that the interface has is kept apart.
        let german = try nginx.page("/", "-H", "Accept-Language: de-AT,de;q=0.9", "-H", "Accept-Encoding: gzip, br")
        #expect(german.fields["content-language"] == "de" && german.fields["content-encoding"] == "gzip")
        #expect(try status("/", "-H", "Accept-Language: de;q=0.8", "-H", "Accept-Encoding: deflate, gzip") == "HIT")
        #expect(try nginx.page("/").fields["content-language"] == "en")
        #expect(try nginx.page("/").fields["content-encoding"] == nil)
        #expect(try status("/", "-H", "Save-Data: on") == "MISS")

        let tag = try #require(nginx.page("/").fields["etag"])
        #expect(try nginx.page("/", "-H", "If-None-Match: \(tag)").status == 304)
        for path in ["/api/v3/users", "/nothing", "/readyz", "/export.csv", "/?since=x", "/wall.svg?max=0"] {
            for _ in 0..<2 { #expect(try status(path) != "HIT", "\(path)") }
        }

        try add("alan")
        try eventually("the server shows the new user") { try get(server.url + "/").text.contains("alan") }
        #expect(try !nginx.page("/").text.contains("alan"))
        #expect(try nginx.page("/api/v3/users").text.contains("alan"))
    }

    @Test func aChangeIsSeenWhenTheTimeIsOver() throws {
        let server = try serve(1)
        let nginx = try cache(before: server)
        #expect(try !nginx.page("/").text.contains("alan"))
        try add("alan")
        try eventually("the cache shows the new user") { try nginx.page("/").text.contains("alan") }
    }

    @Test func eventsPassAtOnce() throws {
        let server = try serve(3600)
        let nginx = try cache(before: server)
        let streams = try (0..<2).map { _ in try nginx.listen("/events") }
        defer { for stream in streams { stream.stop() } }
        for stream in streams { _ = try stream.line(with: "retry") }
    }
}
