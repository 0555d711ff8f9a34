import People
import Server
import Testing

@Suite("Pages and fragments")
struct PageTests {
    let client: SiteClient
    init() throws { client = try SiteClient((1...45).map { .make($0 * 2) }) }

    @Test func thePageHasThirtyUsersAndTheFragmentTen() {
        #expect(client.get("/").text.components(of: "<article").count == 30)
        #expect(client.get("/fragment").text.components(of: "<article").count == 10)
    }

    @Test func theLastFragmentHasTheRestAndPastTheEndIsOnlyTheEndMark() {
        #expect(client.get("/fragment?since=80").text.components(of: "<article").count == 5)
        let past = client.get("/fragment?since=9000")
        #expect(past.status == .ok && past.text.hasPrefix(#"<p class="end" data-total="45">"#))
        #expect(client.get("/?theme=auto").text == client.get("/").text)
        #expect([client.get("/?view=wall"), client.get("/?theme=pink")].allSatisfy { $0.status == .badRequest })
    }

    /// The page that would begin there has few people, and the reader asked for one of many.
    @Test(arguments: [(43, 16), (16, 16), (17, 16), (45, 16)])
    func aPositionNearTheEndShowsTheLastFullPageAndMarksThePerson(position: Int, first: Int) {
        let page = client.get("/?at=\(position)").text
        #expect(page.components(of: "<article").count == 30 && page.contains("<title>People, 16 to 45</title>"))
        let mark = #"aria-posinset="\#(position)" aria-setsize="45" aria-current="true""#
        #expect(page.contains(mark) == (position > first))
        #expect(page.components(of: #" aria-current="true" aria-labelledby"#).count == (position > first ? 1 : 0))
    }

    @Test func aListThatIsShorterThanAPageBeginsAtItsStart() {
        let page = client.get("/?at=44&per_page=60").text
        #expect(page.components(of: "<article").count == 45 && !page.contains("rel=\"prev\""))
        #expect(client.get("/fragment?at=44").text.components(of: "<article").count == 2)
        #expect(client.get("/?at=46").text.components(of: "<article").isEmpty)
    }

    @Test func linksAndTotalAreInTheHeader() {
        let fields = client.get("/?since=20&per_page=5").fields
        #expect(
            fields["Link"]
                == #"</?since=30&per_page=5>; rel="next", </?before=22&per_page=5>; rel="prev", </?per_page=5>; rel="first""#
        )
        #expect(fields["X-Total-Count"] == "45")
        #expect(fields["Vary"] == "Accept-Encoding, Accept-Language, Save-Data")
        #expect(fields["Cache-Control"] == "no-cache")
    }

    @Test func linksOfTheJSONAreAbsolute() {
        #expect(
            client.get("/api/v3/users?per_page=5").fields["Link"]
                == #"<http://people.example/api/v3/users?since=10&per_page=5>; rel="next", <http://people.example/api/v3/users?per_page=5>; rel="first""#
        )
    }

    @Test func programsThatShowLinksGetTitleAndDescription() {
        let page = client.get("/?q=user+4").text
        for (name, tag) in [
            ("title", /<title>(.*?)<\/title>/), ("description", /<meta name="description" content="(.*?)">/),
        ] {
            let text = page.firstMatch(of: tag)?.1 ?? "none"
            #expect(page.contains("<meta property=\"og:\(name)\" content=\"\(text)\">"))
        }
    }

    @Test func anEmptyDatabaseHasAPage() throws {
        let client = try SiteClient([], directories: [.people])
        #expect(client.get("/").status == .ok)
        #expect(client.get("/").text.contains("Nobody here yet"))
        #expect(client.get("/").text.contains("<code>rollcall import file people.csv</code>"))
        #expect(client.get("/api/v3/users").text == "[]")
    }

    @Test func theMenuOfTheListLeadsToOtherDirectoriesEmbeddingAndExports() throws {
        let client = try SiteClient([.make(1)])
        #expect(client.get("/").text.contains(#"<a href="/embed" dir="auto">Embed this list</a>"#))
        let link = #"<a href="/export.csv?q=user&amp;spreadsheet=1" dir="auto">"#
        #expect(client.get("/?q=user&view=grid").text.contains(link))
        #expect(client.get("/embed").text.contains(#"<a href="/export.xlsx">"#))
        client.store.state.withLock { $0.directories.append(DirectoriesTests.crew) }
        #expect(client.get("/").text.contains(#"href="/directories""#))
        #expect(client.get("/").text.contains(#"<a href="/?directory=crew" dir="auto">The &lt;Crew&gt;</a>"#))
        #expect(client.get("/?directory=crew").text.contains(#"<a href="/" dir="auto">People</a>"#))
        #expect(client.get("/?directory=crew").text.contains(#"<a href="/embed?directory=crew" dir="auto">"#))
    }

    static let shown = [
        Shown(
            "the sentinel leads to the next page and its fragment", "/",
            #"<a class="next" rel="next" href="/?since=60" data-fragment="/fragment?since=60&amp;per_page=10">More people</a>"#,
            "<body>", without: #"rel="prev""#),
        Shown(
            "the one of a fragment, too", "/fragment?since=60&per_page=10",
            #"href="/?since=80" data-fragment="/fragment?since=80&amp;per_page=10""#),
        Shown(
            "the last fragment ends", "/fragment?since=80", #"<p class="end" data-total="45">"#,
            without: #"class="next""#),
        Shown("past the end is no list", "/?since=9000", "Past the end", without: "role=\"feed\""),
        Shown(
            "positions count from the first of the list", "/fragment?since=60",
            #"id="user-62" data-id="62" tabindex="0" aria-posinset="31" aria-setsize="45""#),
        Shown(
            "links keep search, view and page size", "/?q=user+4&per_page=1&view=grid",
            #"href="/?since=m74&amp;per_page=1&amp;q=user%204&amp;view=grid""#,
            #"data-fragment="/fragment?since=m74&amp;per_page=1&amp;q=user%204&amp;view=grid""#, "<body class=\"grid\">"
        ),
        Shown(
            "a later page has a previous one", "/?since=30",
            #"rel="prev" href="/?before=32" data-fragment="/fragment?before=32&amp;per_page=10""#),
        Shown(
            "before means the preceding people in order", "/fragment?before=62&per_page=2", #"id="user-58""#,
            #"id="user-60""#, #"data-fragment="/fragment?since=60&amp;per_page=2""#),
        Shown("a view is a list", "/?view=list", "<body>"),
        Shown(
            "or photos", "/?view=photos", "<body class=\"photos\">", #"value="photos" aria-label="Photos" checked>"#,
            #"data-fragment="/fragment?since=60&amp;per_page=10&amp;view=photos""#),
        Shown("and nothing else", "/?view=wall", "view: expected one of"),
        // Without a script the theme travels in the links of pages. Fragments have no colours of their own.
        Shown(
            "the theme is in the form and in the links", "/?theme=dark&view=grid",
            #"<input type="radio" name="theme" value="dark" checked>"#, #"<body class="grid dark">"#,
            #"href="/?since=60&amp;view=grid&amp;theme=dark" data-fragment="/fragment?since=60&amp;per_page=10&amp;view=grid""#
        ),
        Shown("a frame has one, too", "/?theme=light&embed=1", #"<body class="light">"#),
        Shown("there are three", "/?theme=pink", "theme: expected one of auto, light, dark"),
    ]

    @Test(arguments: shown) func pagesAndFragmentsShow(_ shown: Shown) { shown.check(client) }

    @Test func picturesShowWhatAnAccountIs() throws {
        let users = ["Organization", "Bot", "User"].enumerated().map { id, type in
            User.make(Int64(id + 1), more: #"{"type":"\#(type)"}"#)
        }
        let text = try SiteClient(users, directories: [.of(.gitHub)]).get("/").text
        let shapes = text.matches(of: /<span class="avatar hue-\d+( [a-z]+)?" aria-hidden/).map {
            $0.1.map(String.init) ?? ""
        }
        #expect(shapes == [" org", " bot", ""])
    }
}

@Suite("Escaping")
struct EscapingTests {
    @Test func namesAreEscapedWhateverTheyContain() throws {
        let awkward = #"<script>alert("x")</script> & 'you'"#
        let client = try SiteClient([.make(1, "a\"b", name: awkward)])
        for target in ["/", "/fragment", "/users/a%22b", "/?q=%3Cscript%3E"] {
            let response = client.get(target)
            #expect(response.status == .ok && !response.text.contains("<script>alert"), "\(target)")
            #expect(response.text.contains("&lt;script&gt;"), "\(target)")
        }
    }

    @Test func onlyWebURLsBecomeLinksOrImages() throws {
        let user = User.make(1, avatarURL: "javascript:alert(1)", more: #"{"html_url":"data:text/html,x"}"#)
        let client = try SiteClient([user], directories: [.of(.gitHub)]) { $0.pictures = .link }
        #expect(!client.get("/").text.contains("javascript:"))
        #expect(!client.get("/users/user1").text.contains("data:text"))
        #expect(!client.get("/api/v3/users").text.contains("data:text"))
    }
}

@Suite("Base path and public URL")
struct BaseTests {
    @Test func everythingIsBelowTheBasePath() throws {
        let client = try SiteClient((1...40).map { .make($0) }) { $0.basePath = "/people" }
        let page = client.get("/people/").text
        #expect(page.contains(#"href="/people/?since=30" data-fragment="/people/fragment?since=30&amp;per_page=10""#))
        #expect(page.contains(#"href="/people/users/user1""#))
        #expect(page.contains(#"action="/people/""#))
        #expect(client.get("/").status == .notFound)
        #expect(client.get("/people").fields["Location"] == "/people/")
        #expect(client.get("/people?lang=fr&q=%C3%A4").fields["Location"] == "/people/?lang=fr&q=%C3%A4")
        #expect(client.get("/peoplefragment").status == .notFound)
        #expect(
            client.get("/people/api/v3/users").fields["Link"]?.contains(
                "<http://people.example/people/api/v3/users?since=30>") == true)
    }

    @Test(arguments: ["/people", "//evil.example/people", "/people//evil.example", "/people/%2f%2fevil.example"])
    func noLinkOrRedirectLeadsToAnotherHost(target: String) throws {
        let answer = try SiteClient((1...40).map { .make($0) }) { $0.basePath = "/people" }.get(target)
        #expect(answer.fields["Location"] ?? "/people/" == "/people/")
        #expect(!answer.text.contains("href=\"//") && !answer.text.contains("href=\"/\\"))
    }

    @Test func pagesHaveSecurityFieldsAndAreForTheirOwnOrigin() throws {
        let client = try SiteClient([.make(1)])
        let fields = client.get("/", "Origin: https://elsewhere.example").fields
        let policy = try #require(fields["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(fields["X-Content-Type-Options"] == "nosniff" && fields["Access-Control-Allow-Origin"] == nil)
        #expect(fields["Referrer-Policy"] != nil && fields["X-Frame-Options"] != nil)
        let style = client.get("/style.css", "Origin: https://elsewhere.example")
        #expect(style.fields["Access-Control-Allow-Origin"] == "*")
        #expect(client.get("/favicon.ico").fields["Content-Type"] == "image/x-icon")
        #expect(client.get("/healthz").text == "ok\n" && client.get("/fragment?q=김").status == .ok)
    }

    @Test func headingsLinkToTheirDirectory() throws {
        let other = Directory.second("other", title: "Others")
        let client = try SiteClient([.make(1)], directories: [.people, other])
        #expect(
            client.get("/?directory=other").text.contains(
                #"<h1><a href="/?directory=other"><span dir="auto">Others</span></a>"#))
        #expect(client.get("/").text.contains(#"<h1><a href="/"><span dir="auto">People</span></a>"#))
    }
}
