import Foundation
import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("Fields on pages")
struct FieldPageTests {
    private let client: SiteClient
    init() throws { client = try Staff.client() }

    // MARK: Rows

    private static let facts =
        #"<p class="facts"><bdi data-field="title" part="title">Leiterin</bdi> · "#
        + #"<bdi data-field="department" part="department">Vertrieb</bdi></p>"#
    private static let withLogin =
        #"<p class="facts"><bdi data-field="login" part="login">@zoe</bdi> · "#
        + #"<bdi data-field="department" part="department">Vertrieb</bdi></p>"#

    static let shown =
        ["/", "/fragment", "/?embed=1", "/fragment?embed=html", "/fragment?embed=htmx"].map {
            Shown("rows show the chosen fields", $0, facts, withLogin)
        } + [
            Shown(
                "cards show their own", "/?view=grid",
                #"<p class="facts"><bdi data-field="title" part="title">Leiterin</bdi></p>"#),
            Shown(
                "rows show what the source gave and nothing that Rollcall made", "/", #"data-id="1""#,
                #"href="/users/anna-mueller""#, #"<bdi data-field="login" part="login">@kim</bdi>"#,
                without: "anna-mueller</bdi>", "#1<", #"class="id""#),
            Shown(
                "a person's page shows an id that the source gave", "/users/kim", "<dt>ID</dt><dd>3</dd>",
                "profile:username"),
        ]

    @Test(arguments: shown) func pagesShow(_ shown: Shown) throws { shown.check(try Staff.client()) }

    @Test func fieldsThatSomebodyLacksAreLeftOut() throws {
        #expect(client.get("/?view=grid").text.components(of: #"data-field="title""#).count == 2, "one has no title")
        #expect(client.get("/").text.components(of: #"data-field="login""#).count == 2, "two are from the source")
    }

    @Test func idsAreFieldsOfRowsIfTheSettingsAskForThem() throws {
        let text = try Staff.client { $0.rows = ["id"] }.get("/").text
        #expect(text.contains(#" · <bdi data-field="id" part="id">3</bdi></p>"#))
        #expect(!text.contains(#">1</bdi>"#) && !text.contains(#">2</bdi>"#))
    }

    @Test func aDirectoryWithoutSettingsShowsLoginsAndNoIDs() throws {
        let client = try SiteClient([.make(7, "ada", name: "Ada", more: #"{"Position":"x"}"#)])
        let text = client.get("/").text
        #expect(text.contains(#"<p class="facts"><bdi data-field="login" part="login">@ada</bdi></p>"#))
        #expect(!text.contains("#7<") && !text.contains(#"name="order""#))
        for part in ["logo", "intro", "brand.css", "lead"] {
            #expect(!text.contains(part) && !client.get("/users/ada").text.contains(part), "\(part)")
        }
    }

    // MARK: A person's page

    @Test func aPersonsPageListsTheFieldsByTypeInTheirOrder() throws {
        let text = client.get("/users/anna-mueller").text
        let lines = text.matches(of: /<div><dt>([^<]*)<\/dt>(.*)<\/div>/).map { "\($0.1) = \($0.2)" }
        #expect(
            lines == [
                #"Abteilung = <dd dir="auto">Vertrieb</dd>"#, #"Kenntnisse = <dd dir="auto">Swift, Rust</dd>"#,
                #"Dabei seit = <dd dir="auto"><time datetime="2019-03-01">1 March 2019</time></dd>"#,
                #"Budget = <dd dir="auto">1,234.5</dd>"#, #"Mobil = <dd dir="auto">Yes</dd>"#,
                #"E-Mail = <dd dir="auto"><a href="mailto:anna@example.org" rel="nofollow">anna@example.org</a></dd>"#,
                #"Raum = <dd dir="auto">12</dd>"#,
            ])
        #expect(text.contains(#"<p class="biography" dir="auto">Über mich</p>"#))
        // The title stands below the name, the department leads to its people, and the website is a button.
        #expect(text.contains(#"<p class="title"><bdi>Leiterin</bdi></p>"#))
        #expect(text.contains(#"<a href="/?department=Vertrieb"><bdi>Vertrieb</bdi></a>"#))
        #expect(text.contains(#"href="https://anna.example/" rel="me nofollow"><bdi>anna.example</bdi></a>"#))
        #expect(!text.contains("<dt>ID</dt>"))
        for part in [#"class="id""#, #"class="login""#, "profile:username", "(anna-mueller)"] {
            #expect(!text.contains(part), "\(part)")
        }
    }

    /// Years and member numbers are not amounts.
    @Test func plainNumbersAreNeitherGroupedNorFigures() throws {
        for (format, text, isFigure) in [("plain", "12345", false), (nil, "12,345", true)] as [(String?, String, Bool)]
        {
            var anna = Staff.users[0]
            anna.more = #"{"Budget":"12345"}"#
            var (settings, directory) = (Staff.settings, Staff.directory)
            let index = settings.fields.firstIndex { $0.key == "budget" } ?? 0
            settings.fields[index].format = format
            (settings.rows, settings.sorts) = (["budget"], ["name", "budget"])
            directory.settings = ResolvedSettings(DirectorySettings(own: settings)).shown
            let client = try SiteClient([anna], directories: [directory])
            let page = client.get("/users/anna-mueller").text
            #expect(page.contains("class=\"figures\"") == isFigure && page.contains(">\(text)<"), "\(page)")
            #expect(client.get("/").text.contains(#"part="budget">\#(text)</bdi>"#))
        }
    }

    @Test(arguments: [
        (FieldLabel.text("Eintritt"), "Eintritt"), (.byLanguage(["de": "Dabei seit", "en": "Joined"]), "Joined"),
        (.byLanguage(["fr": "Depuis", "de": "Dabei seit"]), "Dabei seit"), (.byLanguage(["fr": "Depuis"]), "Depuis"),
    ])
    func labelsAreInTheLanguageOfThePageOrOfTheDirectory(_ label: FieldLabel, _ expected: String) throws {
        let client = try Staff.client { settings in
            let index = settings.fields.firstIndex { $0.key == "joined" } ?? 0
            settings.fields[index].label = label
        }
        #expect(client.get("/users/anna-mueller").text.contains("<dt>\(expected)</dt>"))
        #expect(client.get("/fields.json").text.contains(#""key":"joined","label":"\#(expected)""#))
    }

    @Test func neighboursAndTheWayBackAreInTheDirectorysOrder() throws {
        let anna = client.get("/users/anna-mueller").text
        #expect(anna.contains(#"<a class="crumb" href="/">"#))
        #expect(
            anna.contains(#"<link rel="next" href="/users/zoe">"#) && anna.contains("<p>1 of 3 by <bdi>name</bdi></p>"))
        let kim = client.get("/users/kim").text
        #expect(
            kim.contains(#"<link rel="prev" href="/users/zoe">"#) && kim.contains("<p>3 of 3 by <bdi>name</bdi></p>"))
        let since = try #require(kim.firstMatch(of: /class="crumb" href="\/\?since=(k[^"]+)"/)?.1)
        #expect(client.get("/?since=\(since)").text.components(of: "<article").count == 1)
    }

    // MARK: Former handles, search engines

    @Test func aFormerHandleLeadsToTheCurrentOne() throws {
        let client = try Staff.client { $0.basePath = "/p" }
        client.store.state.withLock { $0.formerHandles["anna-maier"] = "anna-mueller" }
        for (old, new) in [
            ("/users/anna-maier", "/users/anna-mueller"), ("/users/anna-maier.vcf", "/users/anna-mueller.vcf"),
            ("/api/v3/users/anna-maier", "/api/v3/users/anna-mueller"),
        ] {
            let response = client.get("/p" + old)
            #expect(response.status == .movedPermanently && response.fields["Location"] == "/p" + new)
            #expect(response.fields["Cache-Control"] == "no-cache")
        }
        let json = client.get("/p/api/v3/users/anna-maier").text
        #expect(json.contains(#""message":"Moved Permanently","url":"/p/api/v3/users/anna-mueller""#))
        #expect(client.get("/p/users/anna-nobody").status == .notFound)
        #expect(client.get("/p/users/anna-maier?lang=de").fields["Location"] == "/p/users/anna-mueller?lang=de")
    }

    @Test func aPersonMayBeLeftOutOfSearchEngines() throws {
        client.store.state.withLock { $0.unindexed = [2] }
        #expect(client.get("/users/zoe").fields["X-Robots-Tag"] == "noindex")
        #expect(client.get("/users/kim").fields["X-Robots-Tag"] == nil)
        let hidden = try SiteClient(store: client.store) { $0.isNoIndex = true }.get("/users/zoe")
        #expect(String(decoding: hidden.fields.bytes, as: UTF8.self).components(of: "X-Robots-Tag").count == 1)
    }

    // MARK: The directory's looks

    @Test func theFirstPageHasTheIntroductionAndTheLogo() throws {
        let client = try Staff.client {
            $0.intro = "Who we are <b>.\nSecond line.\n\nMore: https://example.org/a?b=1&c=2."
            $0.logo = "logo.svg"
            $0.accent = "#0a7d5a"
            $0.links = [
                SettingsLink(label: "Imprint", url: "https://example.org/imprint"),
                SettingsLink(label: "Mail", url: "mailto:a@example.org"), SettingsLink(label: "X", url: "javascript:x"),
            ]
        }
        let text = client.get("/").text
        #expect(text.contains("<p dir=\"auto\">Who we are &lt;b&gt;.\nSecond line.</p>\n"))
        let link = "https://example.org/a?b=1&amp;c=2"
        #expect(text.contains("<p dir=\"auto\">More: <a href=\"\(link)\">\(link)</a>.</p>"))
        #expect(text.contains(#"<img class="logo" src="/logo" alt="" decoding="async">"#))
        #expect(text.contains(#"<link rel="stylesheet" href="/brand.css">"#))
        for target in ["/", "/users/kim", "/embed"] {
            let page = client.get(target).text
            #expect(page.contains(#"<a href="https://example.org/imprint" dir="auto">Imprint</a>"#))
            #expect(page.contains(#"<a href="mailto:a@example.org" dir="auto">Mail</a>"#))
            #expect(page.contains("/brand.css") && !page.contains("javascript:"))
        }
        for target in ["/?q=anna", "/?since=1", "/?embed=1"] {
            #expect(!client.get(target).text.contains("class=\"intro\""), "\(target)")
        }
    }

    @Test func theLogoIsServedAsAPictureWithoutScripts() throws {
        let client = try Staff.client { $0.logo = "logo.svg" }
        #expect(client.get("/logo").status == .notFound)
        client.store.change { _ in }
        client.store.state.withLock {
            $0.logo = Logo(name: "logo.svg", type: "image/svg+xml", bytes: Array("<svg/>".utf8))
        }
        let response = client.get("/logo")
        #expect(response.text == "<svg/>" && response.fields["Content-Type"] == "image/svg+xml")
        #expect(response.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        client.store.change { _ in }
        client.store.state.withLock { $0.logo?.type = "text/html" }
        #expect(client.get("/logo").status == .notFound)
    }
}
