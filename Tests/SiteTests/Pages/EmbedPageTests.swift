import People
import Server
import Site
import Testing

@Suite("The /embed page and fragments for libraries")
struct EmbedPageTests {
    private let users = (1...25).map { User.make($0) }
    private let team = Directory.second("team", title: "<script>T & Co</script>")
    private let client: SiteClient
    init() throws { client = try SiteClient(users) }

    @Test func itsLinesNameThisServerAndItsBasePath() throws {
        let page = try SiteClient(users, configure: Site.Configuration.belowPeople).get("/people/embed").text
        for line in [
            "&lt;script src=\"https://example.org/people/embed.js\" defer&gt;",
            "src=\"https://example.org/people/?embed=1&amp;amp;theme=light\"",
            "src=\"https://example.org/people/?embed=fit&amp;amp;theme=light\"",
            "&lt;script src=\"https://example.org/people/frames.js\" defer&gt;",
            "&lt;style&gt;rollcall-users:not(:defined) { display: block; min-height: 100vh }&lt;/style&gt;",
            "&lt;link rel=\"stylesheet\" href=\"https://example.org/people/fragment.css\"&gt;",
            "hx-get=\"https://example.org/people/fragment?embed=htmx\"",
            "src=\"https://example.org/people/fragment?embed=turbo\"", "up-href=\"/people/fragment?embed=unpoly\"",
            "fetch('https://example.org/people/fragment?embed=html')",
        ] { #expect(page.contains(line), "\(line)") }
        #expect(!page.contains("--public-url"))
        #expect(page.contains("<rollcall-users src=\"/people/fragment\""))
    }

    /// A frame is transparent only if its colour scheme is that of the page around it.
    @Test func itAsksForTheColoursOfThePageAndWritesThemIntoFrames() throws {
        let response = client.get("/embed?theme=dark&view=grid")
        #expect(response.text.contains("<input type=\"radio\" name=\"theme\" value=\"dark\" checked>"))
        #expect(response.text.contains("src=\"http://people.example/?view=grid&amp;amp;embed=fit&amp;amp;theme=dark\""))
        #expect(response.text.contains("<iframe class=\"rollcall\" src=\"/?view=grid&amp;embed=fit&amp;theme=dark\""))
        #expect(response.text.contains("&lt;div class=\"rollcall grid\"&gt;"))
        #expect(!response.text.contains("style=\""), "a strict policy of the page would refuse it")
        #expect(response.fields["Content-Security-Policy"]?.contains("frame-src 'self'") == true)
    }

    @Test func withoutAPublicURLItExplainsItsAddresses() throws {
        for host in ["one.example", "two.example:81", "one.example"] {
            let page = client.get("/embed", host: host).text
            #expect(
                page.contains("src=\"http://\(host)/?embed=1&amp;amp;theme=light\"") && page.contains("--public-url"))
        }
    }

    @Test func theLinesNameTheSelectedDirectoryAndAreValidHTML() throws {
        let client = try SiteClient(users, directories: [.people, team])
        let slug = team.slug.text
        let page = client.get("/embed?directory=\(slug)").text
        // In an HTML attribute, the line needs `&amp;`, which the page escapes again; a shell command needs a plain
        // `&`.
        #expect(page.contains("/fragment?directory=\(slug)&amp;amp;embed=htmx\""))
        #expect(page.contains("'http://people.example/fragment?directory=\(slug)&amp;embed=html'"))
        #expect(page.contains("<option value=\"\(slug)\" selected>"))
        #expect(client.get("/embed?directory=nowhere").status == .notFound)
    }

    @Test func titlesAreEscapedWhateverTheyContain() throws {
        let page = try SiteClient(users, directories: [.people, team]).get("/embed?directory=team").text
        #expect(page.contains("&lt;script&gt;T &amp; Co") && !page.contains("<script>T"))
    }

    /// Visitors copy these lines, so the page offers nothing that browsers would then reject.
    @Test func disabledFeaturesAreNotOffered() throws {
        let page = try SiteClient(users) {
            $0.frameAncestors = .none
            $0.allowedOrigins = .only([])
        }.get("/embed").text
        #expect(page.contains("--frame-ancestors none") && page.contains("--allow-origin none"))
        for word in ["&lt;iframe", "&lt;rollcall-users", "hx-get", "&lt;turbo-frame", "await fetch"] {
            #expect(!page.contains(word), "\(word)")
        }
        // These work on the directory's own origin, and from server to server.
        for word in ["<rollcall-users", "up-href", "curl -fsS", "proxy_pass"] {
            #expect(page.contains(word), "\(word)")
        }
        #expect(!(try SiteClient(users).get("/embed").text.contains("--frame-ancestors")))
    }

    @Test func allowedOriginsAreNamed() throws {
        let page = try SiteClient(users) {
            $0.frameAncestors = try! FrameAncestors("self,https://*.a.example")
            $0.allowedOrigins = .only(["https://b.example", "https://c.example"])
        }.get("/embed").text
        #expect(page.contains("Only pages of this very origin, https://*.a.example can"))
        #expect(page.contains("only pages of https://b.example, https://c.example can load"))
        #expect(page.contains("&lt;iframe") && page.contains("hx-get"))
    }

    @Test func anUnchangedPageIsNotSentAgain() throws {
        let tag = try #require(client.get("/embed").fields["ETag"])
        #expect(client.get("/embed", "If-None-Match: \(tag)").status == .notModified)
    }

    // MARK: Libraries

    /// htmx replaces the link with the fragment that it requested, which ends in another such link.
    @Test func htmxFragmentsEndInTheNextLink() throws {
        #expect(
            client.get("/fragment?embed=htmx").text.contains(
                "<a class=\"next\" rel=\"next\" href=\"http://people.example/?since=10\" hx-get=\"http://people.example/fragment?since=10&amp;per_page=10&amp;embed=htmx\" hx-trigger=\"intersect once, click\" hx-swap=\"outerHTML\" data-total=\"25\">"
            ))
        #expect(!client.get("/fragment?embed=htmx&since=20").text.contains("hx-"))
    }

    /// A `<turbo-frame>` takes only the frame with its own id from the response.
    @Test func turboFragmentsHaveTheFrameThatTheLastOneNamed() throws {
        for sort in ["", "&sort=name"] {
            var (frame, target) = ("rollcall", "/fragment?embed=turbo\(sort)")
            var count = 0
            while true {
                let text = client.get(target).text
                #expect(text.hasPrefix("<turbo-frame id=\"\(frame)\" target=\"_top\">\n"))
                #expect(text.hasSuffix("</turbo-frame>\n"))
                count += text.components(of: "<article").count
                guard
                    let next = text.firstMatch(
                        of: /<turbo-frame id="([^"]+)" src="http:\/\/people.example([^"]+)" loading/)
                else { break }
                (frame, target) = (String(next.1), String(next.2).replacing("&amp;", with: "&"))
            }
            #expect(count == 25)
        }
    }

    /// Unpoly takes the elements of the link's target from a successful response, and those of its fail target from any
    /// other.
    @Test func unpolyFragmentsContainTheTargetOfTheirLink() throws {
        for (target, isEnd) in [("", false), ("&since=10", false), ("&since=20", true), ("&since=25", true)] {
            let text = client.get("/fragment?embed=unpoly\(target)").text
            #expect(text.hasPrefix("<div id=\"rollcall-users\">\n"))
            #expect(text.components(of: "\n</div>\n<div id=\"rollcall-next\">\n").count == 1)
            #expect(
                text.contains(
                    "up-defer=\"reveal\" up-target=\"#rollcall-users:after, #rollcall-next\" up-fail-target=\"#rollcall-next\""
                ) == !isEnd)
            #expect(text.contains("<p class=\"end\" data-total=\"25\">") == isEnd)
        }
    }

    @Test(arguments: ["htmx", "turbo", "unpoly", "html"])
    func failuresReplaceTheUsersAndOfferARetry(_ library: String) throws {
        client.store.breakDown()
        let target = "/fragment?embed=\(library)&since=10&per_page=5"
        let text = client.get(target).text
        let again = "http://people.example\(target)".replacing("&", with: "&amp;")
        #expect(text.components(of: "role=\"alert\"").count == 1 && text.contains(" <a href=\"\(again)\""))
        let parts = [
            "htmx": "hx-get=\"\(again)\" hx-target=\"closest p\" hx-swap=\"outerHTML\"",
            "turbo": "<turbo-frame id=\"rollcall-10\" target=\"_top\">", "unpoly": "<div id=\"rollcall-next\">",
        ]
        for (name, part) in parts { #expect(text.contains(part) == (name == library), "\(name)") }
    }

    @Test func aPreflightAllowsTheFieldsOfLibraries() throws {
        let response = client.get("/fragment?embed=turbo", method: "OPTIONS")
        #expect(response.fields["Access-Control-Allow-Headers"] == "*, Authorization")
        #expect(response.fields["Access-Control-Allow-Credentials"] == nil)
    }
}
