import Base
import People
import Server
import Site
import Testing

@Suite("Embedding in other sites")
struct EmbeddingTests {
    private let users = (1...60).map { User.make($0) }
    private let client: SiteClient
    init() throws { client = try SiteClient(users) }

    private func policy(_ response: Response) -> String { response.fields["Content-Security-Policy"] ?? "" }

    // MARK: In a frame

    @Test(arguments: ["1", "fit"])
    func aFramedPageContainsOnlyTheList(_ value: String) throws {
        let page = client.get("/?embed=\(value)").text
        for chrome in ["<header>", "<form", "<footer", "<h1>"] { #expect(!page.contains(chrome), "\(chrome)") }
        #expect(page.components(of: "<article").count == 30)
        #expect(page.contains("<meta name=\"robots\" content=\"noindex\">"))
    }

    @Test func anOrdinaryPageHasNoFrameMarkup() throws {
        let page = client.get("/").text
        for part in ["target=", "embed="] { #expect(!page.contains(part), "\(part)") }
    }

    @Test func listLinksStayInTheFrameAndUserLinksLeaveIt() throws {
        for target in ["/?embed=1&since=10", "/fragment?embed=1&since=10"] {
            let response = client.get(target)
            for link in response.text.hrefs where !link.hasPrefix("/users/") && link.contains("?") {
                #expect(link.contains("embed=1"), "\(link)")
            }
            #expect(response.text.contains("data-fragment=\"/fragment?since="))
            #expect(
                response.text.components(of: "target=\"_top\"").count == response.text.components(of: "<article").count)
            #expect(
                response.fields["Link"]?.components(of: "embed=1").count
                    == response.fields["Link"]?.components(of: "rel=").count)
        }
    }

    @Test func aFittedFrameLoadsPagesOnlyOnClick() throws {
        #expect(client.get("/?embed=fit").text.contains("data-auto-pages=\"-1\""))
        #expect(client.get("/?embed=1").text.contains("data-auto-pages=\"0\""))
    }

    @Test func theCanonicalAddressOfAFramedPageIsTheOrdinaryPage() throws {
        let client = try SiteClient(users) { $0.publicURL = "https://people.example.org" }
        #expect(
            client.get("/?embed=1&since=30").text.contains(
                "<link rel=\"canonical\" href=\"https://people.example.org/?since=30\">"))
    }

    @Test func anySiteMayFrameOnlyEmbeddablePages() throws {
        for target in ["/?embed=1", "/?embed=fit", "/?embed=1&sort=nope", "/?embed=1&directory=nowhere"] {
            let response = client.get(target)
            #expect(policy(response).hasSuffix("frame-ancestors *"), "\(target)")
            #expect(response.fields["X-Frame-Options"] == nil, "\(target)")
        }
        for target in ["/", "/?embed=", "/?sort=nope", "/users/user1", "/nowhere"] {
            let response = client.get(target)
            #expect(policy(response).hasSuffix("frame-ancestors 'self'"), "\(target)")
            #expect(response.fields["X-Frame-Options"] == "SAMEORIGIN", "\(target)")
        }
    }

    @Test(arguments: [
        ("none", "'none'"), ("self", "'self'"), ("https://example.org", "https://example.org"),
        ("self, https://*.example.org:8443", "'self' https://*.example.org:8443"),
        ("http://localhost:*", "http://localhost:*"),
    ])
    func thePublisherRestrictsFraming(_ option: String, _ sources: String) throws {
        let ancestors = try FrameAncestors(option)
        let client = try SiteClient(users) { $0.frameAncestors = ancestors }
        #expect(policy(client.get("/?embed=1")).hasSuffix("; frame-ancestors \(sources)"))
        #expect(policy(client.get("/")).hasSuffix("; frame-ancestors 'self'"))
    }

    @Test(arguments: [
        "example.org", "https://example.org/", "https://example.org; script-src *", "https://a.org\r\nX: y", "'self'",
        "https://*", "https://a.*.org", "self,", "https://a.org https://b.org", "https://", "data:",
    ])
    func invalidOriginsAreRejected(_ option: String) {
        #expect(throws: RollcallError.self) { try FrameAncestors(option) }
    }

    @Test func anErrorInAFrameHasNoHeaderAndLinksToTheSite() throws {
        let page = client.get("/?embed=1&sort=nope").text
        #expect(!page.contains("<form") && !page.contains("<footer"))
        #expect(page.contains("<a class=\"button act\" href=\"/\" target=\"_top\">"))
    }

    // MARK: Included in a page of another origin

    @Test func aFragmentForAnotherOriginHasAbsoluteAddresses() throws {
        let client = try SiteClient(users, configure: Site.Configuration.belowPeople)
        let text = client.get("/people/fragment?embed=html&per_page=5&q=user").text
        #expect(text.hrefs.allSatisfy { $0.hasPrefix("https://example.org/people/") })
        #expect(
            text.contains(
                "data-fragment=\"https://example.org/people/fragment?since=m75&amp;per_page=5&amp;q=user&amp;embed=html\""
            ))
        #expect(text.contains("href=\"https://example.org/people/?since=m75&amp;per_page=5&amp;q=user\""))
    }

    @Test(arguments: ["html", "htmx", "turbo", "unpoly"])
    func aWrongOneSaysWhyAndNotToTryAgain(_ embedding: String) throws {
        let response = client.get("/fragment?embed=\(embedding)&sort=nope")
        #expect(response.status == .badRequest && response.text.hrefs == [])
        #expect(response.text.contains("<p role=\"alert\">sort: expected one of"))
    }

    @Test func aPageCannotBeEmbeddedAsAFragment() throws {
        #expect(try SiteClient(users).get("/?embed=html").status == .badRequest)
    }

    @Test func jsonIsTheSameForEmbedding() throws {
        let response = client.get("/api/v3/users?embed=whatever")
        #expect(response.status == .ok && response.fields["Link"]?.contains("embed") == false)
    }

    @Test(arguments: [
        ("https://a.example", true), ("https://b.example", true), ("https://a.example.evil.example", false),
        ("http://a.example", false), ("null", false), ("https://A.example", false), ("https://a.example:444", false),
    ])
    func onlyListedOriginsAreAllowedAndNeverWithCredentials(_ origin: String, _ isAllowed: Bool) throws {
        let client = try SiteClient(users) { $0.allowedOrigins = .only(["https://a.example", "https://b.example"]) }
        for path in ["/fragment", "/events.json"] {
            let fields = client.get(path, "Origin: \(origin)").fields
            #expect(fields["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil), "\(path)")
            #expect(fields["Access-Control-Allow-Credentials"] == nil && fields["Vary"]?.contains("Origin") == true)
        }
    }
}

extension String {
    /// The values of all `href` attributes, as they are in the markup.
    fileprivate var hrefs: [String] { matches(of: /\shref="([^"]*)"/).map { String($0.1) } }
}
