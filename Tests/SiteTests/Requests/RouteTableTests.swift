import Base
import People
import Server
import TestSupport
import Testing

@testable import Site

@Suite("Route table")
struct RouteTableTests {
    /// Each path with the metric name, the format and the part that its route leaves open.
    static let paths: [(path: String, metric: String, format: ResponseFormat, wildcard: String)] = [
        ("/", "page", .page, ""), ("/fragment", "fragment", .fragment, ""), ("/fragment/", "none", .page, "fragment/"),
        ("/fragment/users/ada", "fragment_user", .fragment, "ada"), ("/fragment/find", "fragment_find", .fragment, ""),
        ("/users/ada", "user", .page, "ada"), ("/users/%41da", "user", .page, "%41da"),
        ("/users/", "none", .page, "users/"), ("/users/a/b", "none", .page, "users/a/b"),
        ("/api/v3/users", "api_users", .json, ""), ("/api/v3/users/ada", "api_user", .json, "ada"),
        ("/api/v3/user/7", "api_user", .json, "7"), ("/api/v3/user/x", "none", .json, "v3/user/x"),
        ("/api/v3/rate_limit", "api_rate_limit", .json, ""), ("/api/x", "none", .json, "x"),
        ("/2.3", "stack_exchange", .stackExchange, ""),
        ("/2.3/users/1;2", "stack_exchange", .stackExchange, "/users/1;2"), ("/2.30", "none", .page, "2.30"),
        ("/api/character/1", "characters", .rickAndMorty, "/1"), ("/api/characters", "none", .rickAndMorty, "s"),
        ("/export.csv", "export", .json, ""), ("/sitemap.xml", "sitemap", .text, ""),
        ("/sitemap-team-1.xml", "sitemap", .text, "team-1"), ("/sitemap-.xml", "sitemap", .text, ""),
        ("/sitemaps.xml", "none", .page, "sitemaps.xml"), ("/opensearch.xml", "opensearch", .text, ""),
        ("/wall.svg", "wall", .drawing, ""), ("/healthz", "healthz", .text, ""), ("/x", "none", .page, "x"),
    ]

    @Test(arguments: ["", "/people"], paths)
    func aPathHasOneRow(
        _ basePath: String, _ expected: (path: String, metric: String, format: ResponseFormat, wildcard: String)
    ) throws {
        let path = basePath + expected.path
        let bytes = Array(path.utf8)
        guard let match = RouteTable.site.match(bytes.span, below: basePath) else { throw Failure("no row") }
        let (route, wildcard, rest) = (match.route, String(match.wildcard), String(match.path))
        #expect(route.metric == expected.metric)
        #expect(route.format == expected.format)
        #expect(wildcard == expected.wildcard)
        #expect(rest == expected.path)
    }

    @Test(arguments: ["/peoples", "/other", "/peopl"])
    func aPathOutsideTheBasePathHasNone(_ path: String) {
        let bytes = Array(path.utf8)
        let isFound = RouteTable.site.match(bytes.span, below: "/people") != nil
        #expect(!isFound)
    }

    @Test func theNamesInMetricsAreUnique() {
        let metrics = RouteTable.site.metrics
        #expect(Set(metrics).count == metrics.count)
        #expect(metrics[Int(RouteTable.noneIndex)] == "none" && metrics[Int(RouteTable.fileIndex)] == "file")
        for row in RouteTable.site.rows { #expect(metrics[Int(row.metricIndex)] == row.metric) }
    }
}

@Suite("Canonical keys")
struct CanonicalKeyTests {
    /// Requests for the same bytes, spelled differently.
    @Test(arguments: [
        ("/?sort=id&order=asc&view=list", "/"), ("/?order=desc&q=user", "/?q=user&order=desc"),
        ("/fragment?per_page=10", "/fragment"), ("/fragment?directory=people", "/fragment"),
        ("/api/v3/users?view=grid", "/api/v3/users"), ("/users/%75ser1", "/users/user1"),
        ("/2.3/users/?order=desc", "/2.3/users?page=1"), ("/api/character/1,2", "/api/character/[1,2]"),
        ("/embed?x=1", "/embed?directory="),
    ])
    func oneURLIsRenderedOnce(_ one: String, _ other: String) throws {
        let client = try SiteClient([.make(1), .make(2)])
        let first = client.get(one)
        #expect(first.status == .ok && first.origin != .cache)
        let second = client.get(other)
        #expect(second.origin == .cache && second == first.cached)
    }

    @Test(arguments: [
        ("/", "/?per_page=30"), ("/", "/fragment"), ("/users/user1", "/api/v3/users/user1"),
        ("/api/v3/users/1", "/api/v3/user/1"), ("/fragment?embed=htmx", "/fragment?embed=turbo"),
        ("/api/character", "/api/character/"), ("/2.3/users", "/2.3/users?filter=total"),
        ("/?q=a", "/?q=a%26order=desc"), ("/2.3/users/1", "/2.3/users/1;2"),
    ])
    func differentURLsHaveDifferentKeys(_ one: String, _ other: String) throws {
        let client = try SiteClient([.make(1), .make(2), .make(3, "1")])
        #expect(client.get(one).fields["ETag"] != nil)
        let second = client.get(other)
        #expect(second.origin != .cache && second.fields["ETag"] != client.get(one).fields["ETag"])
    }
}

extension Response {
    /// The response as the cache returns it.
    fileprivate var cached: Response {
        var response = self
        response.origin = .cache
        return response
    }
}
