import Foundation
import FoundationXML
import People
import Server
import Template
import TestSupport
import Testing

@testable import Site

@Suite("Search engines and browser search")
final class CrawlerTests: TestFolder {
    /// Whether robots.txt allows a crawler to request `target` (RFC 9309 §2.2.2).
    private func isAllowed(_ target: String, by robots: String) throws -> Bool {
        try robots.split(separator: "\n").filter { $0.hasPrefix("Disallow: ") }.allSatisfy { line in
            let pattern = NSRegularExpression.escapedPattern(for: String(line.dropFirst("Disallow: ".count)))
                .replacing("\\*", with: ".*")
            return try target.prefixMatch(of: Regex(pattern)) == nil
        }
    }

    @Test func crawlersReadPlainListsAndNoVariants() throws {
        var people = Directory.people
        people.filters = [.type, .userType, .status].map { FilterCounts($0, ["x": 1]) }
        let client = try SiteClient([.make(1)], directories: [people]) { $0.basePath = "/p" }
        let robots = client.get("/p/robots.txt").text
        #expect(robots.contains("\nSitemap: http://people.example/p/sitemap.xml\n"))
        for target in [
            "/", "/?since=30", "/?since=30&directory=b", "/users/ada?directory=b", "/style.css", "/?directory=b",
        ] {
            #expect(try isAllowed("/p" + target, by: robots), "\(target)")
            #expect(client.get("/p" + target).fields["X-Robots-Tag"] == nil)
        }
        for target in ["/?q=a", "/?since=x&sort=name", "/?order=desc", "/?view=grid", "/?before=9", "/?per_page=5"] {
            #expect(try !isAllowed("/p" + target, by: robots), "\(target)")
        }
        for target in ["/?status=Alive", "/?since=2&type=Bot", "/?directory=b&user_type=moderator"] {
            #expect(try !isAllowed("/p" + target, by: robots), "\(target)")
        }
        let notPages = [
            "/fragment?since=3", "/api/v3/users", "/api/v3/users/user1", "/api/v3/user/1", "/api/v3/rate_limit",
            "/2.3/users", "/2.3/sites", "/api/character", "/api/character/1", "/export.csv", "/export.ndjson",
        ]
        for target in notPages + ["/metrics"] { #expect(try !isAllowed("/p" + target, by: robots), "\(target)") }
        for target in notPages + ["/?q=a", "/?sort=name", "/?order=desc", "/?view=grid", "/?before=9", "/?per_page=5"] {
            #expect(client.get("/p" + target).fields["X-Robots-Tag"] == "noindex", "\(target)")
        }
    }

    /// Every combination of filters is a page of its own with one canonical address, and none is indexed.
    @Test func filteredPagesAreNotIndexed() throws {
        let crew = Directory.of(nil, FilterCounts(.status, ["Alive": 1]))
        let people = [User.make(1, more: #"{"status":"Alive"}"#)]
        let client = try SiteClient(people, directories: [crew]) {
            $0.publicURL = "https://people.example"
        }
        let response = client.get("/?order=asc&status=aLIVE")
        #expect(response.fields["X-Robots-Tag"] == "noindex")
        #expect(response.text.contains(#"<link rel="canonical" href="https://people.example/?status=Alive">"#))
    }

    @Test func aHiddenSiteIsNotIndexed() throws {
        let client = try SiteClient([.make(1)]) { $0.isNoIndex = true }
        #expect(client.get("/robots.txt").text == "User-agent: *\nDisallow: /\n")
        #expect(client.get("/sitemap.xml").status == .notFound)
        #expect(client.get("/sitemap-people-1.xml").status == .notFound)
        for target in ["/", "/?q=a", "/fragment", "/users/user1", "/nowhere", "/api/v3/users", "/export.csv"] {
            #expect(client.get(target).fields["X-Robots-Tag"] == "noindex", "\(target)")
        }
    }

    @Test func aPublishersOwnFilesReplaceThem() throws {
        for name in ["robots.txt", "sitemap.xml", "opensearch.xml"] { try write(name, "mine") }
        let client = try SiteClient([.make(1)], assets: Assets(publicFolder: folder.path, templatesFolder: nil))
        for name in ["robots.txt", "sitemap.xml", "opensearch.xml"] { #expect(client.get("/\(name)").text == "mine") }
    }

    @Test func browsersGetAnOpenSearchDescription() throws {
        let team = Directory.second("team", title: "Friends & <family>\u{1} of everybody")
        let client = try SiteClient([.make(1)], directories: [.people, team]) {
            $0.publicURL = "https://people.example"
        }
        let first = client.get("/opensearch.xml")
        #expect(first.fields["Content-Type"] == "application/opensearchdescription+xml; charset=utf-8")
        #expect(
            first.text.contains(#"type="text/html" rel="results" template="https://people.example/?q={searchTerms}""#))
        let second = client.get("/opensearch.xml?directory=team").text
        #expect(
            second.contains("<ShortName>Friends &amp; &lt;famil</ShortName>")
                && second.contains("family&gt; of everybody"))
        #expect(second.contains(#"template="https://people.example/?q={searchTerms}&amp;directory=team""#))
        for text in [first.text, second] { #expect(XMLParser(data: Data(text.utf8)).parse()) }
        #expect(client.get("/opensearch.xml?directory=none").status == .notFound)
    }
}
