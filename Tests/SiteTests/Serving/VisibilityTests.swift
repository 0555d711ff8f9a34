import People
import Publishing
import Server
import Testing

@testable import Site

/// Both suites walk through these, in every form that a directory has.
private let targets = [
    "/", "/?q=user", "/fragment", "/users/user1", "/api/v3/users", "/api/v3/users/user1", "/api/v3/user/1", "/embed",
    "/export.ndjson", "/export.csv", "/opensearch.xml", "/2.3/users", "/api/character",
]

@Suite("A server for some directories (--directories)")
struct ServedDirectoriesTests {
    private static let guests = Directory.second("guests", title: "Guests")

    private func client(_ slugs: String...) throws -> SiteClient {
        var people = Directory.people
        people.title = "Secret"
        return try SiteClient([.make(1)], directories: [people, Self.guests]) {
            $0.directories = slugs.compactMap { Slug($0) }
            $0.metrics = .everybody
        }
    }

    @Test(arguments: targets)
    func anotherDirectoryDoesNotExist(_ target: String) throws {
        let named = target + (target.contains("?") ? "&" : "?")
        let name = target.hasPrefix("/2.3") ? "site" : "directory"
        let client = try client("guests")
        let (hidden, absent) = (client.get(named + "\(name)=people"), client.get(named + "\(name)=nowhere"))
        #expect(hidden.status == absent.status && hidden.status != .ok)
        // Errors speak of people, too.
        let texts = [hidden, absent].map { $0.text.replacing("nowhere", with: "people") }
        #expect(texts[0] == texts[1])
        #expect(client.get(named + "\(name)=guests").status == .ok)
    }

    @Test(arguments: targets + ["/directories", "/sitemap.xml", "/robots.txt", "/2.3/sites", "/metrics", "/readyz"])
    func nothingNamesIt(_ target: String) throws {
        for _ in 0..<2 {
            let text = try client("guests").get(target).text
            #expect(!text.contains("Secret") && !text.contains("directory=people"))
            #expect(!text.contains(/(value=|directory=|parameter":)"people"/))
        }
        #expect(try client("guests").get("/sitemap-people-1.xml").status == .notFound)
    }

    @Test func theFirstIsTheDefault() throws {
        let client = try client("guests", "people")
        #expect(client.get("/").text.contains("<title>Guests"))
        #expect(client.get("/").text.contains("<a href=\"/?directory=people\""))
        #expect(client.get("/?directory=people").status == .ok)
    }

    @Test func withoutItsFirstDirectoryItIsNotReady() throws {
        let client = try client("guests")
        #expect(client.get("/readyz").status == .ok)
        client.store.state.withLock { _ = $0.directories.removeLast() }
        #expect(client.get("/readyz").status == .serviceUnavailable)
        for target in targets where !target.hasPrefix("/api/character") && !target.hasPrefix("/2.3") {
            #expect(client.get(target).status == .notFound, "\(target)")
        }
    }
}

@Suite("A site behind a sign-in (--private)")
struct PrivateSiteTests {
    private func client() throws -> SiteClient {
        try SiteClient((1...60).map { .make($0) }) { $0.makePrivate() }
    }

    @Test(arguments: targets + ["/nowhere", "/?sort=nope", "/directories", "/users/nobody", "/fragment?since=x"])
    func nothingKeepsACopy(_ target: String) throws {
        let client = try client()
        for _ in 0..<3 {
            let response = client.get(target)
            #expect(response.fields["Cache-Control"] == "private, no-store")
            #expect(response.fields["X-Robots-Tag"] == "noindex")
            guard let tag = response.fields["ETag"] else { continue }
            let same = client.get(target, "If-None-Match: \(tag)")
            #expect(same.status == .notModified && same.fields["Cache-Control"] == "private, no-store")
        }
    }

    @Test(arguments: targets + ["/nowhere", "/style.css", "/embed.js"])
    func noOtherOriginCanReadAnything(_ target: String) throws {
        let client = try client()
        for method in ["GET", "OPTIONS"] {
            let response = client.get(target, "Origin: https://example.org", method: method)
            #expect(!"\(response.fields)".lowercased().contains("access-control"), "\(method)")
        }
    }

    @Test(arguments: ["/", "/users/user1", "/nowhere", "/?embed=1", "/?embed=fit", "/directories"])
    func noOtherPageCanFrameIt(_ target: String) throws {
        let response = try client().get(target)
        #expect(response.fields["Content-Security-Policy"]?.hasSuffix("frame-ancestors 'none'") == true)
        #expect(response.fields["X-Frame-Options"] == (target.contains("embed=") ? nil : "DENY"))
    }

    @Test func nothingIsForOtherSites() throws {
        let client = try client()
        #expect(client.get("/embed").status == .notFound)
        for target in ["/?embed=1", "/?embed=fit", "/fragment?embed=html", "/fragment?embed=htmx"] {
            let response = client.get(target)
            #expect(response.status == .badRequest && response.text.contains("embed: this site is private"))
        }
        for target in ["/", "/users/user1", "/directories"] {
            let text = client.get(target).text
            #expect(!text.contains("/embed") && !text.contains("/export."), "\(target)")
        }
    }

    @Test func exportsCanBeTurnedOff() throws {
        let client = try SiteClient([.make(1)]) { $0.allowsExports = false }
        for target in ["/export.csv", "/export.ndjson", "/export.xlsx"] {
            #expect(client.get(target).status == .notFound, "\(target)")
        }
        for target in ["/", "/users/user1", "/embed", "/openapi.json"] {
            #expect(!client.get(target).text.contains("/export."), "\(target)")
        }
    }

    @Test(arguments: ["/export.csv", "/export.ndjson", "/export.xlsx"])
    func exportsAreAnOption(_ target: String) throws {
        #expect(try client().get(target).status == .notFound)
        let client = try SiteClient([.make(1)]) { $0.makePrivate(withExports: true) }
        let response = client.get(target)
        #expect(response.status == .ok && response.fields["Cache-Control"] == "private, no-store")
        #expect(response.fields["Access-Control-Allow-Origin"] == nil)
        #expect(response.fields["X-Robots-Tag"] == "noindex")
        #expect(client.get("/users/user1").text.contains("\"/export.xlsx\""))
    }

    @Test func searchEnginesFindNothing() throws {
        let client = try client()
        #expect(client.get("/robots.txt").text == "User-agent: *\nDisallow: /\n")
        #expect(client.get("/sitemap.xml").status == .notFound)
        #expect(client.get("/opensearch.xml").fields["X-Robots-Tag"] == "noindex")
    }

    @Test func onlyTheReaderKeepsFiles() throws {
        let client = try client()
        let page = client.get("/").text
        let hashed = try #require(page.firstMatch(of: /href="(\/style\.[0-9a-f]+\.css)"/)?.1)
        #expect(client.get(String(hashed)).fields["Cache-Control"] == "private, max-age=31536000, immutable")
        #expect(client.get("/style.css").fields["Cache-Control"] == "private, no-cache")
        #expect(client.get("/style.css").fields["X-Robots-Tag"] == "noindex")
    }

    @Test func onlyPrivateSitesShowPrivateDirectories() throws {
        var board = Directory.second("board", title: "The board")
        board.settings = .own { $0.isPrivate = true }
        let store = FakeStore([.make(1)], directories: [.people, board])
        let (closed, open) = try (SiteClient(store: store) { $0.makePrivate() }, SiteClient(store: store))
        for target in ["/", "/events", "/events.json"] {
            #expect(closed.get(target + "?directory=board").status == .ok, "\(target)")
        }
        #expect(closed.get("/directories").text.contains("The board"))
        for target in targets + ["/events", "/events.json"] where !target.hasPrefix("/2.3") {
            #expect(open.get("\(target)\(target.contains("?") ? "&" : "?")directory=board").status == .notFound)
        }
        #expect(!open.get("/directories").text.contains("The board"))
        #expect(["/directories", "/sitemap.xml"].allSatisfy { !open.get($0).text.contains("=board") })
        store.state.withLock { _ = $0.directories.removeFirst() }
        #expect(open.get("/").status == .notFound, "an empty site would ask for a first import")
        #expect(open.get("/users/user1").status == .notFound)
    }

    /// A client could send any of these fields itself.
    @Test func noFieldThatNamesAPersonChangesAResponse() throws {
        let client = try client()
        let plain = client.get("/")
        for field in ["Authorization: Basic YTpi", "Remote-User: ann", "X-Forwarded-User: ann", "X-Remote-User: ann"] {
            let response = client.get("/", field)
            #expect(response.text == plain.text && "\(response.fields)" == "\(plain.fields)")
        }
    }
}
