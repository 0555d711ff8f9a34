import TestSupport
import Testing

extension BrowserTests {
    /// What pages and themes of other sites do.
    @Suite("<rollcall-users> in pages that were not made for it")
    struct HostPageTests {
        /// A page at another origin, with the script of the element.
        private func host(_ stage: BrowserFixture, _ body: String) throws -> Browser {
            try stage.openHost("<script src=\"\(stage.site)/embed.js\"></script>" + body)
            return stage.browser
        }

        /// Such boxes do not scroll, though their `overflow` says that they may.
        @Test(arguments: Engine.allCases)
        func nobodyScrollsAndTheListWaits(engine: Engine) throws {
            let stage = try BrowserFixture.open(in: engine)
            for style in ["overflow-x: hidden", "overflow: auto"] {
                let browser = try host(stage, "<div style=\"\(style)\">\(element(stage))</div><footer>Mine</footer>")
                try browser.wait(until: "\(users).length >= 40")
                try browser.drawFrames(30)
                let count = try browser.value("\(users).length", as: Int.self)
                #expect(count <= 60, "\(style)")
                try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
                try browser.wait(until: "\(users).length > \(count)")
            }
        }

        /// Else each person that Tab comes to would bring more of them before the footer.
        @Test func tabLeadsPastTheListToTheFooter() throws {
            let stage = try BrowserFixture.open(height: 300)
            let body = element(stage, "?per_page=5") + "<footer><a id=\"mine\" href=\"/mine\">Mine</a></footer>"
            let browser = try host(stage, body)
            try browser.wait(until: "\(users).length >= 10")
            // Until it has loaded what comes without scrolling.
            try browser.drawFrames(30)
            try browser.type(.tab)
            // The other keys of the keyboard come with the first one.
            try browser.drawFrames(30)
            let stops = try browser.value("\(users).length * 2 + 2", as: Int.self)
            for _ in 0..<stops where try browser.value("document.activeElement.id != 'mine'") { try browser.type(.tab) }
            #expect(try browser.value("document.activeElement.id") == "mine")
            let count = try browser.value("\(users).length", as: Int.self)
            try browser.type(Browser.Key.tab.rawValue, with: .shift)
            try browser.type(.enter, until: "\(users).length > \(count)")
        }

        /// With a small root, in type of its own, in the element and in a fragment.
        @Test func whatThePageSaysOfTextAndArticlesDoesNotSpoilIt() throws {
            let style = """
                html { font-size: 62.5% }
                body { font: 16px serif; white-space: nowrap; text-indent: 3em; letter-spacing: 1em; word-break: break-all;
                  text-transform: uppercase; direction: rtl; list-style: square }
                article { width: 90px; float: left } p { text-indent: 2em }
                """
            let stage = try BrowserFixture.open(users: 80)
            let fragment = try Exchange(port: stage.directPort, target: "/fragment?embed=html&per_page=4").text
            let body = """
                <style>\(style)</style><link rel="stylesheet" href="\(stage.site)/fragment.css">
                \(element(stage, "?view=grid", attributes: "search sort"))<div class="rollcall">\(fragment)</div>
                """
            let browser = try host(stage, body)
            try browser.wait(until: "\(users).length >= 10 && \(root).querySelector('form')")
            let field = "\(root).querySelector('[type=search]').offsetHeight"
            #expect(try browser.value(field, as: Int.self) >= 36)
            #expect(try browser.value("\(users)[0].offsetWidth", as: Int.self) >= 144)
            let row = "$('.rollcall > .user')"
            #expect(try browser.value("\(row).offsetWidth", as: Int.self) > 300)
            for person in ["\(users)[0]", row] {
                let names = ["whiteSpace", "textIndent", "letterSpacing", "wordBreak", "textTransform", "direction"]
                let found =
                    "(style => \(names).map(name => style[name]))(getComputedStyle(\(person).querySelector('.facts')))"
                #expect(
                    try browser.value(found, as: [String].self) == ["normal", "0px", "normal", "normal", "none", "ltr"])
            }
        }

        @Test func anArabicListInAnEnglishPageHasOneDirection() throws {
            let stage = try BrowserFixture.open(users: 80)
            let browser = try host(stage, element(stage, attributes: "lang=\"ar\" search"))
            try browser.wait(until: "\(root).querySelector('form') && \(users).length >= 10")
            let directions =
                "[...\(root).querySelectorAll('form, #users, #more')].map(part => getComputedStyle(part).direction)"
            #expect(try browser.value(directions, as: [String].self) == ["rtl", "rtl", "rtl"])
        }

        /// Controls take two lines on a phone, however large they are, and what follows the list is out of the window
        /// from the first paint on.
        @Test(arguments: [(1_280, 16), (390, 16), (390, 28)])
        func nothingMovesWhileItLoads(width: Int, size: Int) throws {
            let stage = try BrowserFixture.open(width: width)
            try stage.browser.runFirst(BrowserFixture.observingShifts)
            let style =
                "<meta name=viewport content=\"width=device-width\"><style>body { font: \(size)px sans-serif }</style><h1>People</h1>"
            let list = element(stage, "?view=grid", attributes: "search sort filters=\"type,location\"")
            let browser = try host(stage, style + list + "<footer>Mine</footer>")
            try browser.wait(until: "\(root).querySelector('form') && \(users).length >= 10")
            try browser.drawFrames(30)
            #expect(try browser.value("shift", as: Double.self) < 0.05)
            let lines =
                "new Set([...\(root).querySelectorAll('form input[type=search], form summary, form select')].map(item => item.getBoundingClientRect().top)).size"
            #expect(try browser.value(lines, as: Int.self) == (width == 390 ? 2 : 1))
            let width = "document.documentElement.scrollWidth"
            #expect(try browser.value("\(width) <= innerWidth"), "the menus in the second line scroll alone")
        }

        /// The line of `/embed` keeps the room until the script is there.
        @Test func aPageThatIsPaintedBeforeTheScriptComesDoesNotMove() throws {
            let stage = try BrowserFixture.open(width: 390)
            try stage.browser.runFirst(BrowserFixture.observingShifts)
            let late = """
                <script>requestAnimationFrame(() => requestAnimationFrame(() =>
                  document.head.append(Object.assign(document.createElement('script'), { src: '\(stage.site)/embed.js' }))))</script>
                """
            let line = "<style>rollcall-users:not(:defined) { display: block; min-height: 100vh }</style>"
            for (line, moves) in [(line, false), ("", true)] {
                try stage.openHost(
                    line + "<h1>People</h1>" + element(stage) + "<footer><p>Mine<p>Yours</footer>" + late)
                try stage.wait(until: "\(users).length >= 10")
                try stage.drawFrames(30)
                #expect(try (stage.value("shift", as: Double.self) > 0.05) == moves)
            }
        }

        @Test func onPaperStandThePeopleAndHowManyOfHowMany() throws {
            let stage = try BrowserFixture.open(users: 80)
            let browser = try host(stage, element(stage, attributes: "search filters=\"type\""))
            try browser.wait(until: "\(root).querySelector('form') && \(users).length >= 40")
            try browser.devTools("Emulation.setEmulatedMedia", ["media": "print"])
            try browser.wait(until: "!\(root).querySelector('form').checkVisibility()")
            #expect(try !browser.value("\(root).getElementById('more').checkVisibility()"))
            let (count, people) = (
                try browser.value("\(users).length", as: Int.self), "\(root).getElementById('users')"
            )
            #expect(try browser.value("\(people).dataset.place") == "\(count) of 80")
            let isCut =
                "\(users).some(user => { const facts = user.querySelector('.facts'); return facts.scrollHeight > facts.clientHeight + 1; })"
            #expect(try !browser.value(isCut))
        }

        @Test func theLinesMayStandTwice() throws {
            let stage = try BrowserFixture.open(users: 80)
            let again = "<script src=\"\(stage.site)/embed.js\"></script>"
            let browser = try host(stage, element(stage, "?per_page=3") + again + element(stage, "?per_page=3"))
            try browser.wait(until: "$$('rollcall-users').every(list => list.shadowRoot?.querySelector('.user'))")
            #expect(try browser.takeLog().filter { $0.message.contains("NotSupportedError") }.isEmpty)
        }
    }
}
