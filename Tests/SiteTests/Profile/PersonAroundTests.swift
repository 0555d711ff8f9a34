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

    @Test func neighboursFollowTheOrderOfTheList() throws {
        let client = try SiteClient(users)
        let byName = client.get("/users/four?sort=name").text
        #expect(byName.contains(#"<link rel="prev" href="/users/nine?sort=name">"#))
        #expect(byName.contains(#"<link rel="next" href="/users/two?sort=name">"#))
        #expect(byName.contains("2 of 4 by <bdi>name</bdi>"))
        let reversed = client.get("/users/four?sort=-name").text
        #expect(reversed.contains(#"<link rel="prev" href="/users/two?sort=name&amp;order=desc">"#))
        let whole = client.get("/users/four").text
        #expect(whole.contains(#"<link rel="prev" href="/users/two">"#) && whole.contains("<p>2 of 4</p>"))
    }

    @Test func neighboursAreThoseOfASearch() throws {
        let client = try SiteClient(users)
        let found = client.get("/users/four?q=ann").text
        #expect(found.contains(#"rel="prev" href="/users/two?q=ann""#))
        #expect(found.contains(#"rel="next" href="/users/eleven?q=ann""#))
        #expect(found.contains("<bdi>“ann”</bdi>"))
        let sorted = client.get("/users/two?q=ann&sort=name").text
        #expect(sorted.contains(#"rel="prev" href="/users/four?q=ann&amp;sort=name""#))
        #expect(sorted.contains(#"rel="next" href="/users/eleven?q=ann&amp;sort=name""#))
    }

    /// A link that was kept for months may name a search that no longer finds the person, or a filter that is gone.
    @Test(arguments: ["?q=dora", "?sort=nope", "?status=Alive", "?q=nobody&sort=name", "?view=wall"])
    func aListWithoutThePersonIsIgnored(query: String) throws {
        let response = try SiteClient(users).get("/users/four\(query)")
        #expect(response.status == .ok)
        #expect(response.text.contains(#"rel="prev" href="/users/two""#), "\(query)")
        #expect(response.text.contains(#"rel="next" href="/users/nine""#), "\(query)")
    }

    @Test func theLinkBackLeadsToThePersonInTheSameList() throws {
        let client = try SiteClient(users)
        func back(_ target: String) -> String? {
            client.get(target).text.firstMatch(of: /class="crumb" href="([^"]*)"/).map { String($0.1) }
        }
        #expect(back("/users/two") == "/")
        #expect(back("/users/four") == "/?since=2")
        #expect(back("/users/two?q=ann&view=grid") == "/?q=ann&amp;view=grid")
        let sorted = try #require(back("/users/two?sort=name"))
        let list = client.get(sorted.replacing("&amp;", with: "&")).text
        #expect(list.firstMatch(of: /id="user-(\d+)"/)?.1 == "2")
    }

    @Test func linksOfAListCarryItToThePersonsPage() throws {
        let client = try SiteClient(users)
        #expect(client.get("/").text.contains(#"href="/users/two""#))
        let list = client.get("/?q=ann&sort=-name&view=grid").text
        #expect(list.contains(#"href="/users/two?q=ann&amp;sort=name&amp;order=desc&amp;view=grid""#))
        #expect(client.get("/fragment?q=ann&view=wall").text.contains(#"href="/users/two?q=ann""#))
    }

    /// Search engines get one address for a person.
    @Test func theCanonicalAddressHasNoList() throws {
        let client = try SiteClient(users) { $0.publicURL = "https://people.example" }
        let response = client.get("/users/four?q=ann&sort=name")
        #expect(response.text.contains(#"<link rel="canonical" href="https://people.example/users/four">"#))
        #expect(response.fields["X-Robots-Tag"] == "noindex")
        #expect(client.get("/users/four").fields["X-Robots-Tag"] == nil)
    }

    @Test func colleaguesShareTheDepartment() throws {
        let client = try Staff.client()
        let page = client.get("/users/anna-mueller").text
        #expect(page.contains("<h2>Also in <bdi>Vertrieb</bdi></h2>"))
        #expect(page.contains(#"<a href="/users/zoe"><span class="avatar"#))
        #expect(
            !page.contains(#"<a href="/users/kim"><span class="avatar"#)
                || page.contains(#"rel="next" href="/users/kim""#))
        // A department of one has no colleagues.
        #expect(!client.get("/users/kim").text.contains("Also in"))
    }

    @Test func chipsLeadToTheirFilter() throws {
        let page = try Staff.client().get("/users/anna-mueller").text
        #expect(page.contains(#"<p class="chips"><a href="/?department=Vertrieb"><bdi>Vertrieb</bdi></a>"#))
        #expect(page.contains(#"<p class="title"><bdi>Leiterin</bdi></p>"#))
    }

    @Test func waysToReachAPersonAreButtonsWithMailFirst() throws {
        let page = try Staff.client().get("/users/anna-mueller").text
        #expect(page.contains(#"<a class="button act" href="mailto:anna@example.org"><bdi>E-Mail</bdi></a>"#))
        #expect(
            page.contains(
                #"<a class="button" href="https://anna.example/" rel="me nofollow"><bdi>anna.example</bdi></a>"#))
        #expect(page.contains(#"<dd dir="auto"><a href="mailto:anna@example.org""#), "the address stays readable")
    }

    // MARK: Other directories

    private func twoDirectories(_ more: (String, String)) throws -> SiteClient {
        var other = Directory(
            id: 2, slug: Slug(literal: "crew"), title: "The crew", source: "file", total: 1, generation: 3)
        other.total = 1
        let store = FakeStore(
            [.make(1, "ada", name: "Ada Lovelace", more: more.0)], directories: [.people, other])
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
        let client = try SiteClient(users)
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
        let client = try SiteClient(users)
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
        let client = try SiteClient(users)
        #expect(client.get("/nowhere").text.components(of: "<span class=\"avatar").count == 5)
        client.store.breakDown()
        let broken = client.get("/users/two")
        #expect(broken.status == .serviceUnavailable && broken.text.contains(#"<span class="avatar absent">!</span>"#))
    }
}
