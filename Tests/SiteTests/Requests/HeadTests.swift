import Testing

@Suite("HTML head of list pages")
struct HeadTests {
    let client: SiteClient
    init() throws { client = try SiteClient((1...45).map { .make($0 * 2) }) }

    private func content(_ pattern: Regex<(Substring, Substring)>, of target: String) -> String? {
        client.get(target).text.firstMatch(of: pattern).map { String($0.1) }
    }

    @Test(arguments: [
        ("/", ""), ("/?since=60", ", 31 to 45"), ("/?since=20&per_page=5", ", 11 to 15"), ("/?sort=name", ", by name"),
        ("/?sort=login&order=desc", ", by login, descending"), ("/?since=9000", ", past the end"),
    ])
    func aTitleNamesThePartOfTheList(_ target: String, _ part: String) throws {
        let home = try #require(content(/<title>(.*)<\/title>/, of: "/"))
        #expect(content(/<title>(.*)<\/title>/, of: target) == home + part)
    }

    @Test func aTitleNamesTheSearch() throws {
        let home = try #require(content(/<title>(.*)<\/title>/, of: "/"))
        let page = client.get("/?q=nobodyiscalledso").text
        #expect(page.contains("<title>“nobodyiscalledso” – 0 people in \(home)</title>"))
    }

    @Test func aDescriptionNamesTheTotalAndThePart() {
        #expect(content(/name="description" content="(.*)"/, of: "/")?.hasPrefix("45 people in ") == true)
        #expect(content(/name="description" content="(.*)"/, of: "/?since=60")?.hasSuffix(", 31 to 45") == true)
    }

    @Test func theHeadLinksToTheOpenSearchDescription() {
        let link = /<link rel="search" type="application\/opensearchdescription\+xml" title=".+" href="(.*)">/
        #expect(content(link, of: "/") == "/opensearch.xml")
    }

    @Test func theHeadLinksToTheNeighbours() {
        #expect(content(/<link rel="next" href="(.*)">/, of: "/") == "/?since=60")
        #expect(content(/<link rel="prev" href="(.*)">/, of: "/") == nil)
        #expect(content(/<link rel="prev" href="(.*)">/, of: "/?since=60") == "/?before=62")
        #expect(content(/<link rel="next" href="(.*)">/, of: "/?since=60") == nil)
    }
}
