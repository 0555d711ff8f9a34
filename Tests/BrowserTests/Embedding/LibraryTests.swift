import TestSupport
import Testing

extension BrowserTests {
    /// The real libraries in a page at another origin, with the exact lines that `/embed` shows.
    @Suite("The lines of /embed, with htmx, Turbo and plain fetch")
    struct LibraryTests {
        struct Case {
            let heading: String
            /// The library's path in the build folder, or `nil` if the library needs no file.
            var path: String?
        }

        static let htmx2 = Case(heading: "htmx", path: "django_htmx/static/django_htmx/htmx-2.min.js")
        static let htmx4 = Case(heading: "htmx", path: "django_htmx/static/django_htmx/htmx-4.min.js")
        static let turbo = Case(heading: "Turbo", path: "turbo/static/turbo/js/turbo.min.js")
        static let fetch = Case(heading: "Plain fetch")

        /// Opens a page with the library and the lines under a heading of `/embed`, with `query` added to the request.
        private func host(_ stage: BrowserFixture, _ library: Case, query: String = "") throws -> Browser {
            let lines = try lines(stage, under: library.heading)
            var pages: [String: HostSite.Page] = [:]
            if let path = library.path {
                pages["/library.js"] = HostSite.Page(
                    try Library.read(path), fields: ["Content-Type": "text/javascript; charset=utf-8"])
            }
            pages["/"] = HostSite.Page(
                """
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
                \(pages.isEmpty ? "" : "<script src=\"/library.js\" defer></script>")
                <main>\(lines.replacing("?embed=", with: "?\(query)embed="))</main><p id="mine">Mine</p>
                """)
            try stage.browser.open(HostSite(pages).url)
            return stage.browser
        }

        /// Returns the first lines under a heading of `/embed`, as a reader would copy them.
        private func lines(_ stage: BrowserFixture, under heading: String) throws -> String {
            let page = try Exchange(port: stage.proxy.port, target: "/embed").text
            let section = page.components(separatedBy: "<h2>\(heading)</h2>")[1]
            let code = section.components(separatedBy: "<pre><code>")[1].components(separatedBy: "</code>")[0]
            return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(code) {
                $0.replacing($1.0, with: $1.1)
            }
        }

        private func scroll(_ stage: BrowserFixture, until condition: String) throws {
            for _ in 0..<400 {
                if try stage.value("!!(\(condition))", as: Bool.self) { return }
                try stage.scrollToEnd()
                try stage.drawFrames(2)
            }
            throw Failure("scrolling did not lead to: \(condition)")
        }

        @Test func everyUserLoadsOnceAndInOrderAsTheReaderScrolls() throws {
            let stage = try BrowserFixture.open(users: 45, height: 500)
            for library in [Self.htmx2, Self.htmx4, Self.turbo] {
                let browser = try host(stage, library)
                try browser.wait(until: "$$('.user').length >= 10")
                try browser.drawFrames()
                #expect(try stage.count < 45, "\(library)")
                try scroll(stage, until: "$('.end')")
                #expect(try stage.ids == stage.everyone, "\(library)")
                let links = try browser.value("$$('main a').map(link => link.getAttribute('href'))", as: [String].self)
                #expect(links.count == 45 && links.allSatisfy { $0.hasPrefix(stage.site + "/users/") }, "\(library)")
                #expect(try browser.value("mine.textContent") == "Mine")
            }
        }

        @Test func htmxLoadsOnInABoxThatScrolls() throws {
            let stage = try BrowserFixture.open(users: 45, height: 500)
            for library in [Self.htmx2, Self.htmx4] {
                let browser = try host(stage, library)
                try browser.run("$('main').style = 'height: 300px; overflow: auto'")
                for _ in 0..<400 where try browser.value("!$('.end')") {
                    try browser.run("$('main').scrollTo(0, 1e6)")
                    try browser.drawFrames(2)
                }
                #expect(try stage.ids == stage.everyone, "\(library)")
            }
        }

        @Test func plainFetchInsertsTheFirstPage() throws {
            let stage = try BrowserFixture.open(users: 45)
            let browser = try host(stage, Self.fetch)
            try browser.wait(until: "$('.next')")
            #expect(try stage.ids == Array(stage.everyone.prefix(10)))
            try browser.click(".next", until: "location.href == '\(stage.site)/?since=\(stage.everyone[9])'")
        }

        @Test func anEmptyResultShowsTheEndMark() throws {
            let stage = try BrowserFixture.open()
            for library in [Self.htmx2, Self.htmx4, Self.turbo, Self.fetch] {
                let browser = try host(stage, library, query: "q=nobodyiscalledso&amp;")
                try browser.wait(until: "$('main .end')")
                #expect(try stage.count == 0)
            }
        }

        /// htmx 4 shows the error response. The others ignore a failure, and the link to the site stays.
        @Test func aFailureIsShownOrLeavesTheLink() throws {
            let stage = try BrowserFixture.open()
            for library in [Self.htmx2, Self.htmx4, Self.turbo, Self.fetch] {
                stage.proxy.forget()
                let browser = try host(stage, library, query: "directory=nowhere&amp;")
                let isShown = library.path == Self.htmx4.path
                if isShown { try browser.wait(until: "$('main [role=alert]')") }
                while stage.proxy.fragments.isEmpty { try browser.drawFrames(2) }
                try browser.drawFrames()
                let text = try browser.value("$('main').innerText", as: String.self)
                let expected = isShown ? "There is nothing here by that address." : "People"
                #expect(text == expected, "\(library)")
                let links = "$$('main a').map(link => link.href)"
                #expect(try browser.value(links, as: [String].self) == (isShown ? [] : [stage.site + "/"]))
            }
        }

        @Test func theErrorThatHTMXShowsCanBeRetriedInPlace() throws {
            let stage = try BrowserFixture.open(faultsAt: "/fragment?")
            let retry = stage.site + "/fragment?embed=htmx"
            let failed =
                #"<p role="alert">The server is busy. <a href="\#(retry)" hx-get="\#(retry)" "#
                + #"hx-target="closest p" hx-swap="outerHTML">Try again</a></p>"#
            // The browser sends a preflight request first.
            let fields = ["Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"]
            stage.proxy.set(next: [.answer(204, fields), .answer(503, fields, body: failed)])
            let browser = try host(stage, Self.htmx4)
            try browser.wait(until: "$('main [role=alert]')")
            try browser.click("main a", until: "$$('.user').length >= 10")
            #expect(try browser.value("$('[role=alert]') == null"))
            #expect(try browser.value("location.pathname") == "/")
        }

        /// A response that is not from the directory does no more harm: a proxy's error page, or a connection that
        /// ends.
        @Test func aLostFragmentLoadsAtAClick() throws {
            let stage = try BrowserFixture.open()
            for fault in [FaultProxy.Fault.cut, .answer(502, body: "<h1>Bad Gateway</h1>")] {
                for library in [Self.htmx2, Self.htmx4, Self.turbo] {
                    stage.proxy.set(then: fault)
                    stage.proxy.forget()
                    let browser = try host(stage, library)
                    while stage.proxy.fragments.isEmpty { try browser.drawFrames(2) }
                    try browser.drawFrames()
                    #expect(try stage.count == 0)
                    let link = try browser.value("$('main a').href", as: String.self)
                    #expect(link == stage.site + "/")
                    stage.proxy.set()
                    try browser.click("main a")
                    // The link leads to the list itself or, with htmx, loads here.
                    try browser.wait(until: "$$('.user').length >= 10")
                }
            }
        }

        /// A user opens in the top window, not inside the list.
        @Test func aUserIsAnOrdinaryLink() throws {
            let stage = try BrowserFixture.open()
            for library in [Self.htmx2, Self.htmx4, Self.turbo] {
                let browser = try host(stage, library)
                try browser.wait(until: "$('.user a')")
                try browser.click(stage.user(1) + " a", until: "location.href.startsWith('\(stage.site)/users/')")
            }
        }
    }
}
