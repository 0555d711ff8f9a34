import People
import Server
import Testing

@testable import Site

@Suite("Absolute links and the cache")
struct OriginTests {
    private static let targets = [
        "/", "/users/user1", "/fragment", "/fragment?embed=html", "/fragment?embed=htmx", "/fragment?embed=turbo",
        "/fragment?embed=unpoly", "/fragment?embed=1", "/?embed=1", "/?embed=fit", "/embed", "/api/v3/users",
        "/api/v3/users/user1", "/api/v3/user/1", "/2.3/users", "/2.3/sites", "/api/character", "/api/character/1",
    ]

    /// Requests without a host (HTTP/1.0, or an empty one), for two hosts, and through a proxy that ends TLS.
    private enum Client: CaseIterable {
        case old, hostless, one, two, encrypted

        func get(_ target: String, from client: SiteClient) -> Response {
            switch self {
            case .old: client.send(["GET \(target) HTTP/1.0"])
            case .hostless: client.send(["GET \(target) HTTP/1.1", "Host:"])
            case .one: client.send(["GET \(target) HTTP/1.1", "Host: one.example"])
            case .two: client.send(["GET \(target) HTTP/1.1", "Host: two.example:8080"])
            case .encrypted:
                client.send(
                    ["GET \(target) HTTP/1.1", "Host: one.example", "X-Forwarded-Proto: https"],
                    isFromTrustedProxy: true)
            }
        }
    }

    /// Whoever asked first, and however often, everybody gets what a server without a cache would answer.
    @Test(arguments: targets)
    func nobodyGetsTheLinksOfAnother(_ target: String) throws {
        let users = (1...60).map { User.make($0) }
        let fresh = try SiteClient(users) { $0.cacheBytes = 0 }
        for first in Client.allCases {
            let cached = try SiteClient(users)
            for client in [first, first, first] + Client.allCases + Client.allCases {
                let (answer, expected) = (client.get(target, from: cached), client.get(target, from: fresh))
                #expect(answer.status == .ok && answer.text == expected.text, "\(client) after \(first)")
                #expect(answer.fields["Link"] == expected.fields["Link"], "\(client) after \(first)")
                #expect(answer.fields["ETag"] == expected.fields["ETag"], "\(client) after \(first)")
            }
        }
    }

    @Test func theyAreAnsweredFromTheCacheAllTheSame() throws {
        let client = try SiteClient((1...60).map { .make($0) })
        for target in Self.targets {
            for _ in 1...3 { _ = Client.one.get(target, from: client) }
            let reads = client.store.reads
            #expect(Client.one.get(target, from: client).origin == .cache, "\(target)")
            #expect(client.store.reads == reads, "\(target)")
        }
    }

    @Test func theSchemeIsThatOfATrustedProxyAlone() throws {
        let client = try SiteClient((1...60).map { .make($0) })
        func link(_ scheme: String, isTrusted: Bool) -> String? {
            client.send(
                ["GET /api/v3/users HTTP/1.1", "Host: one.example", "X-Forwarded-Proto: \(scheme)"],
                isFromTrustedProxy: isTrusted
            ).fields["Link"]
        }
        #expect(try #require(link("https", isTrusted: true)).hasPrefix("<https://one.example/"))
        #expect(try #require(link("https", isTrusted: false)).hasPrefix("<http://one.example/"))
        for scheme in ["http", "ftp", "https, http", "HTTPS", "https://evil.example/", ""] {
            #expect(try #require(link(scheme, isTrusted: true)).hasPrefix("<http://one.example/"), "\(scheme)")
        }
        let twice = client.send(
            [
                "GET /api/v3/users HTTP/1.1", "Host: one.example", "X-Forwarded-Proto: https",
                "X-Forwarded-Proto: https",
            ], isFromTrustedProxy: true)
        #expect(try #require(twice.fields["Link"]).hasPrefix("<http://one.example/"))
    }

    @Test func aPublicURLCountsMoreThanAnyRequest() throws {
        let client = try SiteClient((1...60).map { .make($0) }, configure: Site.Configuration.belowPeople)
        for asking in Client.allCases {
            let link = try #require(asking.get("/people/api/v3/users", from: client).fields["Link"])
            #expect(link.hasPrefix("<https://example.org/people/api/v3/users?"))
        }
    }
}
