import People
import Server
import Site
import Testing

@Suite("A person and the controls of a list, for other sites")
struct PersonFragmentTests {
    private let users = (1...25).map { User.make($0, name: "Person \($0)") }

    /// A directory whose filters are those of characters.
    private func crew() throws -> SiteClient {
        let status = FilterCounts(.status, (1...60).map { .init(value: "s\($0)", count: 100 - $0) })
        let species = FilterCounts(.species, ["Human": 9, "Alien": 4])
        return try SiteClient(users, directories: [.of(.rickAndMorty, status, species)])
    }

    @Test func aPersonIsOneArticleThatEndsWithTheLinkToThePage() throws {
        let response = try SiteClient(users).get("/fragment/users/user3")
        #expect(response.status == .ok && response.fields["X-Robots-Tag"] == "noindex")
        #expect(response.fields["Access-Control-Allow-Origin"] == "*" && response.fields["ETag"] != nil)
        #expect(response.text.hasPrefix("<article class=\"person\" data-id=\"3\" data-handle=\"user3\">\n"))
        #expect(response.text.contains("<h2 dir=\"auto\">Person 3</h2>"))
        #expect(response.text.hasSuffix("<a class=\"full\" href=\"/users/user3\">Full page</a>\n</article>\n"))
    }

    @Test func forAnotherSiteItsLinksAreAbsoluteAndItsInitialsAreDrawn() throws {
        let text = try SiteClient(users).get("/fragment/users/user3?embed=html").text
        #expect(text.contains("<a class=\"full\" href=\"http://people.example/users/user3\">"))
        #expect(text.contains("data-initials=\"P3\" aria-hidden=\"true\"></span>"))
        #expect(try SiteClient(users).get("/fragment/users/user3?embed=turbo").status == .badRequest)
    }

    /// On the person's own page, too.
    @Test(arguments: ["/fragment/users/user1", "/users/user1"])
    func paragraphsStayAndAddressesInTextsAreLinks(target: String) throws {
        let more =
            #"{"bio":"Plays <b>.\n\nSee https://a.example/x?y=1&z, or ftp://b.example.","note":"(http://c.example)"}"#
        let text = try SiteClient([.make(1, more: more)]).get(target).text
        let link = { (url: String, shown: String) in #"<a href="\#(url)" rel="nofollow ugc noopener">\#(shown)</a>"# }
        let whole = link("https://a.example/x?y=1&amp;z", "https://a.example/x?y=1&amp;z")
        #expect(
            text.contains(
                #"<p class="biography" dir="auto">Plays &lt;b&gt;.</p><p class="biography" dir="auto">See \#(whole), or ftp://b.example.</p>"#
            ))
        #expect(text.contains("(\(link("http://c.example", "http://c.example")))</dd>"))
    }

    @Test func anOldHandleRedirectsAndNobodyIsAnAlert() throws {
        let client = try SiteClient(users)
        client.store.state.withLock { $0.formerHandles["ada"] = "user3" }
        let moved = client.get("/fragment/users/ada?embed=html")
        #expect(moved.status == .movedPermanently && moved.fields["Location"] == "/fragment/users/user3?embed=html")
        let nobody = client.get("/fragment/users/nobody?lang=de")
        #expect(nobody.status == .notFound && nobody.text.hasPrefix("<p role=\"alert\""))
        #expect(nobody.fields["Access-Control-Allow-Origin"] == "*")
    }

    @Test func theControlsHaveWhatTheRequestNamesInItsOrder() throws {
        let response = try crew().get(
            "/fragment/find?controls=sort,search&filters=species,status&q=Person&species=Human")
        let text = response.text
        #expect(response.fields["X-Robots-Tag"] == "noindex" && response.fields["ETag"] != nil)
        #expect(text.hasPrefix("<form class=\"find\" role=\"search\" action=\"/\" data-total="))
        #expect(text.contains("<span>Search people</span> <input type=\"search\" name=\"q\" value=\"Person\""))
        #expect(text.contains("<input type=\"checkbox\" name=\"species\" value=\"Human\" checked> <bdi>Human</bdi>"))
        #expect(text.matches(of: /data-field="(\w+)"/).map { String($0.1) } == ["species", "status"])
        #expect(text.contains("<span>Sort</span> <select name=\"sort\">"))
        #expect(try crew().get("/fragment/find").text.contains("role=\"status\">25 people</p></form>"))
    }

    @Test func aFilterListsFiftyValuesAndALinkToAll() throws {
        let text = try crew().get("/fragment/find?filters=status").text
        #expect(text.components(of: "type=\"checkbox\"").count == 50)
        #expect(text.contains("<span class=\"count\">99</span>"))
        #expect(text.contains("<a class=\"all\" href=\"/fields/status\">All 60</a>"))
        #expect(!text.contains("name=\"q\"") && !text.contains("<select"))
    }

    @Test(arguments: [
        ("filters=track", "filters: expected some of status, species, found “track”"),
        ("controls=find", "controls: expected some of search, sort, found “find”"),
        ("tracks=Web", "tracks: unknown; expected a parameter or one of the filters status, species"),
    ])
    func aWrongNameIsAnErrorThatNamesTheRightOnes(_ query: String, _ message: String) throws {
        let response = try crew().get("/fragment/find?\(query)")
        #expect(response.status == .badRequest && response.text.contains("<p role=\"alert\">\(message)</p>"))
    }

    @Test func whatNoControlShowsIsKept() throws {
        let text = try crew().get("/fragment/find?filters=species&status=s1&per_page=5").text
        #expect(text.contains("<input type=\"hidden\" name=\"status\" value=\"s1\">"))
        #expect(text.contains("<input type=\"hidden\" name=\"per_page\" value=\"5\">"))
    }

    @Test(arguments: ["", "htmx", "turbo", "unpoly", "html"])
    func theLastElementCarriesTheNumberOfPeople(_ embedding: String) throws {
        let client = try SiteClient(users)
        for start in ["", "&since=20"] {
            let response = client.get("/fragment?embed=\(embedding)\(start)")
            #expect(response.fields["X-Total-Count"] == "25")
            #expect(response.text.components(of: " data-total=\"25\"").count == 1)
        }
        #expect(client.get("/").text.components(of: "data-total").count == 1, "the list itself carries it")
    }

    @Test func initialsOfOtherSitesAreNeverTextBesideAPhoto() throws {
        for embedding in ["html", "htmx", "turbo", "unpoly"] {
            let text = try SiteClient(users).get("/fragment?embed=\(embedding)").text
            #expect(text.components(of: " data-initials=\"P").count == 10)
            #expect(text.components(of: "aria-hidden=\"true\"></span>").count == 10)
        }
        #expect(try SiteClient(users).get("/fragment").text.contains("aria-hidden=\"true\">P1</span>"))
    }

    @Test func nobodyFoundIsSaid() throws {
        #expect(try SiteClient([]).get("/fragment").text.contains(">Nobody found.</p>"))
    }
}
