import Directories
import HTTP
import Testing

@testable import Site

@Suite("Monitoring")
struct MonitoringTests {
    /// Health checks must not wait for a busy worker pool.
    @Test(arguments: ["/healthz", "/readyz", "/metrics"])
    func monitoringRespondsAtOnce(_ target: String) throws {
        let client = try SiteClient([.make(1)]) { $0.metrics = .everybody }
        let bytes = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        try bytes.withUnsafeBytes { bytes in
            var head = RequestHead()
            _ = RequestParser().parse(bytes, into: &head)
            guard case .now(let response) = client.responder.respond(to: Request(bytes: bytes, head: head)) else {
                throw HTTPError.notFound
            }
            #expect(response.status == .ok)
            #expect(response.fields["Cache-Control"] == "no-store")
        }
    }

    @Test func aBrokenDatabaseIsAliveAndNotReady() throws {
        let client = try SiteClient([.make(1)])
        client.store.breakDown()
        #expect(client.get("/healthz").status == .ok)
        #expect(client.get("/readyz").status == .serviceUnavailable)
    }

    @Test func withoutItsDefaultDirectoryItIsNotReady() throws {
        let client = try SiteClient([.make(1)]) { $0.defaultDirectory = Slug("team") }
        #expect(client.get("/readyz").status == .serviceUnavailable)
        client.store.state.withLock { $0.directories[0].slug = Slug(literal: "team") }
        #expect(client.get("/readyz").status == .ok)
        client.store.state.withLock { $0.directories = [] }
        #expect(client.get("/readyz").status == .ok, "an empty database waits for its first import")
    }

    @Test(arguments: [
        "/", "/fragment", "/fragment?per_page=0", "/users/user1", "/users/nobody", "/api/v3/users",
        "/api/v3/user/1", "/api/v3/rate_limit", "/x", "/style.css",
    ])
    func everyResponseNamesItsRoute(_ target: String) throws {
        let names = [
            "/": "page", "/fragment": "fragment", "/fragment?per_page=0": "fragment", "/users/user1": "user",
            "/users/nobody": "user", "/embed": "embed", "/api/v3/users": "api_users", "/api/v3/user/1": "api_user",
            "/api/v3/rate_limit": "api_rate_limit", "/x": "none", "/style.css": "file",
        ]
        let client = try SiteClient([.make(1)])
        for _ in 0..<2 { #expect(RouteTable.site.metrics[Int(client.get(target).route)] == names[target]) }
    }
}
