import Server
import Testing

@testable import Site

@Suite("Caches that serve many readers (--shared-max-age)")
struct SharedCacheTests {
    private static let shared = "max-age=0, s-maxage=5, stale-while-revalidate=5"
    private static let targets = [
        "/", "/?q=user", "/?embed=1", "/fragment", "/keys", "/directories", "/fields.json",
        "/letters.json?sort=name", "/events.json", "/style.css", "/embed.js",
    ]
    /// Absolute links are in these.
    private static let absoluteTargets = [
        "/api/v3/users", "/api/v3/users/user1", "/api/v3/user/1", "/2.3/users", "/api/character", "/embed",
        "/fragment?embed=html", "/users/user1", "/users/user1.vcf", "/sitemap.xml", "/opensearch.xml",
    ]

    private func client(_ configure: (inout Site.Configuration) -> Void = { _ in }) throws -> SiteClient {
        try SiteClient([.make(1), .make(2)]) {
            $0.sharedMaxAge = 5
            $0.metrics = .everybody
            configure(&$0)
        }
    }

    @Test(arguments: targets)
    func mayUsePublicPagesForAWhile(_ target: String) throws {
        let client = try client()
        for _ in 0..<2 {
            let response = client.get(target)
            #expect(response.status == .ok && response.fields["Cache-Control"] == Self.shared)
            let unchanged = client.get(target, "If-None-Match: \(try #require(response.fields["ETag"]))")
            #expect(unchanged.status == .notModified && unchanged.fields["Cache-Control"] == Self.shared)
        }
    }

    @Test(arguments: absoluteTargets)
    func askForPagesThatNameTheHostOfTheRequest(_ target: String) throws {
        #expect(try client().get(target).fields["Cache-Control"] == "no-cache")
        let known = try client { $0.publicURL = "https://people.example.org" }
        let responses = ["a.example", "b.example"].map { known.get(target, host: $0) }
        #expect(responses[0].fields["Cache-Control"] == Self.shared)
        #expect(responses[0].text == responses[1].text && responses[0].fields["Link"] == responses[1].fields["Link"])
    }

    @Test(arguments: [
        "/nothing", "/?since=abc", "/users/nobody", "/fragment?per_page=0", "/api/v3/users/nobody", "/?directory=none",
        "/readyz", "/healthz", "/metrics", "/robots.txt", "/events", "/export.ndjson", "/export.csv",
    ])
    func neverKeepErrorsStatesStreamsAndExports(_ target: String) throws {
        let client = try client { $0.publicURL = "https://people.example.org" }
        #expect(client.get(target).fields["Cache-Control"]?.contains("no-store") == true)
    }

    @Test func askForTheRedirectOfAFormerHandle() throws {
        let client = try client { $0.publicURL = "https://people.example.org" }
        client.store.state.withLock { $0.formerHandles["old"] = "user1" }
        for target in ["/users/old", "/api/v3/users/old"] {
            let response = client.get(target)
            #expect(response.status == .movedPermanently && response.fields["Cache-Control"] == "no-cache")
        }
    }

    @Test(arguments: ["/", "/style.css", "/pictures/initials/5/AB.svg"])
    func neverKeepAFailedPrecondition(_ target: String) throws {
        let response = try client().get(target, "If-Match: \"other\"")
        #expect(response.status == .preconditionFailed && response.fields["Cache-Control"] == "no-store")
    }

    @Test(arguments: targets + absoluteTargets)
    func keepNothingOfAPrivateSite(_ target: String) throws {
        let response = try client { $0.makePrivate() }.get(target)
        #expect(response.fields["Cache-Control"]?.contains("s-maxage") != true)
    }

    @Test(arguments: targets + absoluteTargets)
    func areToldEveryFieldThatTheResponseDependsOn(_ target: String) throws {
        let client = try client {
            $0.publicURL = "https://people.example.org"
            $0.allowedOrigins = .only(["https://a.example", "https://b.example"])
        }
        let plain = client.get(target)
        let fields = [
            "Accept-Encoding: gzip", "Accept-Language: ko", "Save-Data: on", "Origin: https://a.example",
            "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example", "User-Agent: x", "Accept: application/json",
            "Cookie: a=b", "Authorization: Basic eA==", "Referer: https://a.example/",
        ]
        for field in fields {
            let other = client.get(target, field)
            let name = String(field.prefix { $0 != ":" })
            let isNamed = plain.fields["Vary"]?.components(separatedBy: ", ").contains(name) == true
            #expect(Self.isSame(other, plain) || isNamed, "\(field)")
        }
    }

    /// Whether a reader may get one response in place of the other. Their validators may differ.
    private static func isSame(_ one: Response, _ other: Response) -> Bool {
        let names = ["Content-Type", "Content-Encoding", "Content-Language", "Link", "Access-Control-Allow-Origin"]
        return one.status == other.status && one.body == other.body
            && names.allSatisfy { one.fields[$0] == other.fields[$0] }
    }

    @Test func changesNoValidator() throws {
        let (with, without) = (try client(), try client { $0.sharedMaxAge = 0 })
        #expect(with.get("/").fields["ETag"] == without.get("/").fields["ETag"])
        #expect(without.get("/").fields["Cache-Control"] == "no-cache")
    }
}
