import People
import Server
import Testing

@testable import Site

@Suite("The people around a person")
struct PersonAroundTests {
    private let users: [User] = [
        .make(2, "two", name: "Cleo Ann"), .make(4, "four", name: "Bea Ann"), .make(9, "nine", name: "Ada"),
        .make(11, "eleven", name: "Dora Ann"),
    ]
    private let client: SiteClient
    init() throws { client = try SiteClient(users) }

    static let neighbours = [
        Shown(
            "neighbours are those of an order", "/users/four?sort=name",
            #"<link rel="prev" href="/users/nine?sort=name">"#, #"<link rel="next" href="/users/two?sort=name">"#,
            "2 of 4 by <bdi>name</bdi>"),
        Shown(
            "in its direction", "/users/four?sort=-name",
            #"<link rel="prev" href="/users/two?sort=name&amp;order=desc">"#),
        Shown("of the list", "/users/four", #"<link rel="prev" href="/users/two">"#, "<p>2 of 4</p>"),
        Shown(
            "of a search", "/users/four?q=ann", #"rel="prev" href="/users/two?q=ann""#,
            #"rel="next" href="/users/eleven?q=ann""#, "<bdi>“ann”</bdi>"),
        Shown(
            "and of both", "/users/two?q=ann&sort=name", #"rel="prev" href="/users/four?q=ann&amp;sort=name""#,
            #"rel="next" href="/users/eleven?q=ann&amp;sort=name""#),
        Shown("links of a list lead to the person's page", "/", #"href="/users/two""#),
        Shown(
            "and carry the list", "/?q=ann&sort=-name&view=grid",
            #"href="/users/two?q=ann&amp;sort=name&amp;order=desc&amp;view=grid""#),
        Shown("but for a view of fragments", "/fragment?q=ann&view=wall", #"href="/users/two?q=ann""#),
    ]

    @Test(arguments: neighbours) func listsAndNeighboursLeadToEachOther(_ shown: Shown) throws {
        shown.check(try SiteClient(users))
    }

    /// A link that was kept for months may name a search that no longer finds the person, or a filter that is gone.
    @Test(arguments: ["?q=dora", "?sort=nope", "?status=Alive", "?q=nobody&sort=name", "?view=wall"])
    func aListWithoutThePersonIsIgnored(query: String) throws {
        let response = client.get("/users/four\(query)")
        #expect(response.status == .ok && response.text.contains(#"rel="prev" href="/users/two""#), "\(query)")
        #expect(response.text.contains(#"rel="next" href="/users/nine""#), "\(query)")
    }

    @Test func theLinkBackLeadsToThePersonInTheSameList() throws {
        func back(_ target: String) -> String? {
            client.get(target).text.firstMatch(of: /class="crumb" href="([^"]*)"/).map { String($0.1) }
        }
        #expect(back("/users/two") == "/")
        #expect(back("/users/four") == "/?since=2")
        #expect(back("/users/two?q=ann&view=grid") == "/?q=ann&amp;view=grid")
        let list = try client.get(#require(back("/users/two?sort=name")).replacing("&amp;", with: "&")).text
        #expect(list.firstMatch(of: /id="user-(\d+)"/)?.1 == "2")
    }

    /// Search engines get one address for a person.
    @Test func theCanonicalAddressHasNoList() throws {
        let client = try SiteClient(users) { $0.publicURL = "https://people.example" }
        let response = client.get("/users/four?q=ann&sort=name")
        #expect(response.text.contains(#"<link rel="canonical" href="https://people.example/users/four">"#))
        #expect(response.fields["X-Robots-Tag"] == "noindex")
        #expect(client.get("/users/four").fields["X-Robots-Tag"] == nil)
    }

    static let staff = [
        Shown(
            "colleagues share the department", "/users/anna-mueller", "<h2>Also in <bdi>Vertrieb</bdi></h2>",
            #"<a href="/users/zoe"><span class="avatar"#),
        Shown("a department of one has none", "/users/kim", without: "Also in"),
        Shown(
            "chips lead to their filter", "/users/anna-mueller",
            #"<p class="chips"><a href="/?department=Vertrieb"><bdi>Vertrieb</bdi></a>"#,
            #"<p class="title"><bdi>Leiterin</bdi></p>"#),
        Shown(
            "ways to reach a person are buttons with mail first, and the address stays readable", "/users/anna-mueller",
            #"<a class="button act" href="mailto:anna@example.org"><bdi>E-Mail</bdi></a>"#,
            #"<a class="button" href="https://anna.example/" rel="me nofollow"><bdi>anna.example</bdi></a>"#,
            #"<dd dir="auto"><a href="mailto:anna@example.org""#),
    ]

    @Test(arguments: staff) func aPersonOfTheStaffHas(_ shown: Shown) throws { shown.check(try Staff.client()) }

    // MARK: Other directories

    private func twoDirectories(_ more: (String, String)) throws -> SiteClient {
        var other = Directory.second("crew", title: "The crew")
        other.total = 1
        let store = FakeStore([.make(1, "ada", name: "Ada Lovelace", more: more.0)], directories: [.people, other])
        store.state.withLock { $0.others[2] = [.make(7, "countess", name: "Ada Lovelace", more: more.1)] }
        return try SiteClient(store: store)
    }

    @Test func aPersonWithAnEqualLinkIsFoundInOtherDirectories() throws {
        let client = try twoDirectories((#"{"blog":"https://www.ada.example/"}"#, #"{"website":"http://ada.example"}"#))
        let page = client.get("/users/ada").text
        #expect(page.contains(#"<a href="/users/countess?directory=crew">"#))
        #expect(page.contains(#"<strong dir="auto">The crew</strong> <small>as <bdi>countess</bdi>, 1 person</small>"#))
        #expect(client.get("/users/countess?directory=crew").text.contains(#"<a href="/users/ada">"#))
    }

    @Test(arguments: ["{}", #"{"blog":"https://ada.example/other"}"#])
    func aNamesakeIsNotTheSamePerson(more: String) throws {
        let client = try twoDirectories((#"{"blog":"https://ada.example"}"#, more))
        #expect(!client.get("/users/ada").text.contains("countess"))
    }

    /// Somebody who is removed there must not be named here any longer.
    @Test func aChangeThereReachesThePageHere() throws {
        let client = try twoDirectories((#"{"blog":"https://ada.example"}"#, #"{"blog":"https://ada.example"}"#))
        let first = client.get("/users/ada")
        let tag = try #require(first.fields["ETag"])
        #expect(first.text.contains("countess"))
        #expect(client.get("/users/ada", "If-None-Match: \(tag)").status == .notModified)
        client.store.state.withLock {
            $0.others[2] = []
            $0.directories[1].generation += 1
        }
        let second = client.get("/users/ada", "If-None-Match: \(tag)")
        #expect(second.status == .ok && !second.text.contains("countess"))
    }

    // MARK: Nobody

    @Test func aMissingPersonIsAskedForByName() throws {
        client.store.state.withLock { $0.suggestions = [SimilarPerson(name: "Bea Ann", login: "four")] }
        let response = client.get("/users/bea-ahn")
        #expect(response.status == .notFound)
        #expect(response.text.contains("No one here is called “<bdi>bea-ahn</bdi>”"))
        #expect(response.text.contains(#"Did you mean <a href="/users/four" dir="auto">Bea Ann</a>?"#))
        #expect(response.text.contains(#"name="q" value="bea-ahn""#))
        #expect(response.text.contains("Show all 4 people") && response.text.contains("Error 404"))
        #expect(client.get("/api/v3/users/bea-ahn").text.contains(#""message":"Not Found""#))
    }

    /// A new reader knows no directory and has read no page of the database.
    @Test func askingForNobodyKeepsTheReader() throws {
        var readers: [Int] = []
        for name in ["bea-ahn", "bea-lee", "bea-kim"] {
            for path in ["/users/\(name)", "/api/v3/users/\(name)", "/users/\(name).vcf", "/users/\(name)?q=a"] {
                #expect(client.get(path).status == .notFound)
            }
            #expect(client.get("/users/two?q=\(name)").status == .ok)
            readers.append(client.store.state.withLock { $0.readers })
        }
        #expect(readers == Array(repeating: readers[0], count: 3))
    }

    @Test func theErrorShowsPeopleUnlessTheyCannotBeRead() throws {
        #expect(client.get("/nowhere").text.components(of: "<span class=\"avatar").count == 5)
        client.store.breakDown()
        let broken = client.get("/users/two")
        #expect(broken.status == .serviceUnavailable && broken.text.contains(#"<span class="avatar absent">!</span>"#))
    }
}
