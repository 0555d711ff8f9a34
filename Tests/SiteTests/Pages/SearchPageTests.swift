import Foundation
import People
import Testing

@testable import Site

@Suite("Pages of a search")
struct SearchPageTests {
    private let client: SiteClient

    init() throws {
        client = try SiteClient([
            .make(1, "ann", name: "Ann <Lee>"), .make(2, "bo", name: "Bo Hann"), .make(3, "cy", name: "Cy"),
        ])
    }

    @Test(arguments: ["/?q=ann", "/fragment?q=ann", "/fragment?q=ann&embed=html"])
    func wordsAreMarkedInNamesAndLogins(target: String) {
        let text = client.get(target).text
        #expect(text.contains("dir=\"auto\"><mark>Ann</mark> &lt;Lee&gt;</a>"))
        #expect(text.contains(">@<mark>ann</mark></bdi>"))
        #expect(text.contains("dir=\"auto\">Bo H<mark>ann</mark></a>"))
        #expect(text.contains("aria-labelledby=\"name-2\""))
    }

    @Test func nothingIsMarkedInJSONAndWithoutWords() {
        #expect(!client.get("/api/v3/users?q=ann").text.contains("<mark>"))
        #expect(!client.get("/").text.contains("<mark>"))
    }

    /// The API of GitHub's clients keeps the order by id.
    @Test func pagesAndFragmentsAreInTheOrderByRelevanceAndJSONIsByID() throws {
        for path in ["/", "/fragment"] {
            let response = client.get("\(path)?q=ann&per_page=1")
            #expect(response.fields["Link"]?.contains("since=m71&per_page=1&q=ann>") == true)
            #expect(response.text.contains("data-cursor=\"m71\""))
            let byID = client.get("\(path)?q=ann&since=0&per_page=1")
            #expect(byID.fields["Link"]?.contains("since=1&per_page=1&q=ann&sort=id>") == true)
        }
        let json = client.get("/api/v3/users?q=ann&per_page=1").fields["Link"]
        #expect(json?.contains("since=1&per_page=1&q=ann>") == true)
        let page = client.get("/?q=ann").text
        #expect(page.contains("href=\"/api/v3/users?q=ann&amp;sort=relevance\""))
        #expect(page.contains("<option value=\"\" selected>Best match</option>"))
        #expect(page.contains("<option value=\"id\">As listed</option>"))
    }

    @Test func withoutWordsTheOrderByRelevanceIsThatOfTheDirectory() {
        let page = client.get("/").text
        #expect(!page.contains("Best match") && page.contains("<option value=\"\" selected>As listed</option>"))
        #expect(client.get("/?sort=relevance").text == page)
        #expect(client.get("/?q=&sort=relevance&order=desc").text == page)
    }

    // MARK: Positions

    @Test func aPageBeginsAtAPosition() {
        let response = client.get("/?at=2&per_page=1")
        #expect(response.text.contains("data-id=\"2\"") && response.text.contains("aria-posinset=\"2\""))
        #expect(response.fields["Link"]?.contains("</?since=2&per_page=1>; rel=\"next\"") == true)
        #expect(response.fields["Link"]?.contains("</?before=2&per_page=1>; rel=\"prev\"") == true)
        #expect(response.text.contains("href=\"/api/v3/users?at=2&amp;per_page=1\""))
        #expect(client.get("/?at=1").text == client.get("/").text)
        #expect(client.get("/?at=3").text != client.get("/").text)
        let end = client.get("/?at=4")
        #expect(end.status == .ok && end.text.contains("Past the end") && end.text.contains("class=\"end\""))
        #expect(client.get("/api/v3/users?at=3").text.contains("\"login\":\"cy\""))
    }

    @Test func aLongListHasAFormThatGoesToANumber() throws {
        let long = try SiteClient((1...1000).map { .make($0) })
        let page = long.get("/?sort=name&order=desc&per_page=5&view=grid").text
        let form = try #require(page.components(separatedBy: "<form id=\"go\"").dropFirst().first)
        for (name, value) in [("sort", "name"), ("order", "desc"), ("per_page", "5"), ("view", "grid")] {
            #expect(form.contains("<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"))
        }
        #expect(page.contains("form=\"go\" type=\"number\" name=\"at\" min=\"1\" max=\"1000\" required>"))
        #expect(page.contains("<b>1–5</b> of 1,000 "))
        #expect(long.get("/?at=901").text.contains("<b>901–930</b> of 1,000 "))
        #expect(!long.get("/?embed=1").text.contains("id=\"go\""))
        #expect(try !SiteClient((1...999).map { .make($0) }).get("/").text.contains("id=\"go\""))
    }

    /// An order without letters has a jump bar of round numbers.
    @Test func aListOfAHundredHasAJumpBar() throws {
        func jumpBar(_ users: Int, _ target: String) throws -> [String] {
            let text = try SiteClient((1...Int64(users)).map { .make($0) }).get(target).text
            let jumpBar = text.firstMatch(of: /<nav class="jump"(?s).*<\/nav>/).map { String($0.0) } ?? ""
            return jumpBar.matches(of: /<a href="([^"]*)"( aria-current="true")?>([^<]*)</).map {
                "\($0.1)\($0.2 == nil ? "" : "!") \($0.3)"
            }
        }
        #expect(try jumpBar(99, "/") == [])
        #expect(try jumpBar(100, "/").prefix(3) == ["/! 1", "/?at=10 10", "/?at=20 20"])
        // The last one leads to the last page that is full.
        #expect(try jumpBar(100, "/").suffix(2) == ["/?at=70 70", "/?at=71 100"])
        #expect(try jumpBar(100, "/?at=71").last == "/?at=71! 100")
        #expect(try jumpBar(100, "/?per_page=100") == [])
        let long = try jumpBar(1500, "/?at=250&view=grid")
        #expect(long.prefix(3) == ["/?view=grid 1", "/?at=200&amp;view=grid! 200", "/?at=400&amp;view=grid 400"])
        #expect(long.last == "/?at=1400&amp;view=grid 1.4k")
        #expect(try jumpBar(1500, "/?embed=1") == [])
    }

    // MARK: Without matches

    @Test func aSearchWithoutMatchesOffersSimilarNames() {
        client.store.state.withLock { $0.suggestions = [SimilarPerson(name: "Ann <Lee>", login: "ann")] }
        #expect(
            client.get("/?q=anne+le&view=grid").text.contains(
                "<p>Did you mean <a href=\"/?q=Ann%20%3CLee%3E&amp;view=grid\" dir=\"auto\">Ann &lt;Lee&gt;</a>?</p>"))
        client.store.state.withLock {
            $0.suggestions = ["A", "B", "C", "D"].map { SimilarPerson(name: $0, login: $0) }
        }
        let text = client.get("/?q=zzzz").text
        #expect(text.contains(">A</a>, <a href=\"/?q=B\" dir=\"auto\">B</a> or <a href=\"/?q=C\" dir=\"auto\">C</a>?"))
        #expect(!client.get("/?q=ann").text.contains("Did you mean"))
        #expect(client.get("/api/v3/users?q=zzzz").text == "[]")
    }

    @Test func aSearchOfSeveralWordsOffersThoseWithoutOne() {
        let text = client.get("/?q=ann+zzz").text
        #expect(text.contains("<h2>No one matches <q dir=\"auto\">ann zzz</q></h2>"))
        #expect(text.contains("<a class=\"button\" href=\"/?q=ann\">Search for “ann” (2 matches)</a>"))
    }
}
