import TestSupport
import Testing

extension BrowserTests {
    @Suite("/?embed=1 in a frame on another site's page")
    struct FrameTests {
        /// Records every height that the frame reports, and makes the frame taller than that by `extra`.
        private static func listener(adding extra: String) -> String {
            """
            <script>
            window.heights = [];
            addEventListener('message', ({ data, source }) => {
              const frame = document.querySelector('iframe');
              if (source != frame.contentWindow || data.type != 'rollcall:height') return;
              heights.push(data.height);
              \(extra)
            });
            </script>
            """
        }

        /// A page at another origin with the list in a frame.
        private func host(
            _ stage: BrowserFixture, _ query: String, script: String = listener(adding: "")
        ) throws -> Browser {
            let page = """
                \(script)
                <iframe src="\(stage.site)/?\(query)" title="People" width="600" height="600"></iframe><footer>Mine</footer>
                """
            try stage.openHost(page)
            return stage.browser
        }

        @Test func itShowsTheListAndLoadsMoreAsTheReaderScrollsInIt() throws {
            let stage = try BrowserFixture.open()
            let browser = try host(stage, "embed=1")
            try browser.enterFrame("iframe")
            try browser.wait(until: "document.readyState == 'complete' && users.dataset.state == 'idle'")
            #expect(try browser.value("$('header, form, footer') == null"))
            try stage.scroll(untilUsers: 60)
            #expect(try stage.ids == Array(stage.everyone.prefix(stage.count)))
            #expect(stage.proxy.fragments.allSatisfy { $0.contains("embed=1") })
            #expect(try browser.value("location.search.includes('embed=1')"))
        }

        @Test func aUserOpensInTheTopWindow() throws {
            let stage = try BrowserFixture.open()
            let browser = try host(stage, "embed=1")
            try browser.enterFrame("iframe")
            try browser.wait(until: "document.readyState == 'complete'")
            try browser.click(stage.user(1) + " a")
            try browser.leaveFrame()
            try browser.wait(until: "location.pathname.startsWith('/users/') && !$('iframe')")
        }

        @Test func withoutScriptTheNextPageStaysInTheFrame() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
            let browser = try host(stage, "embed=1")
            try browser.enterFrame("iframe")
            try browser.click(".next", until: "location.search == '?since=\(stage.everyone[29])&embed=1'")
            #expect(try stage.ids == Array(stage.everyone[30..<60]))
        }

        @Test(arguments: ["", "frame.height = data.height;", "frame.height = data.height + 37;"])
        func itReportsItsHeightAndDoesNotGrowByItself(_ reaction: String) throws {
            let stage = try BrowserFixture.open()
            let browser = try host(stage, "embed=fit", script: Self.listener(adding: reaction))
            try browser.wait(until: "heights.length > 0")
            try browser.drawFrames(40)
            #expect(stage.proxy.fragments.isEmpty)
            try browser.enterFrame("iframe")
            try browser.wait(until: "document.readyState == 'complete'")
            let height = try browser.value("document.documentElement.offsetHeight", as: Int.self)
            try browser.leaveFrame()
            try browser.wait(until: "heights.at(-1) == \(height)")
            // The first height, and perhaps others until styles and fonts have loaded.
            #expect(try browser.value("heights.length", as: Int.self) <= 4)
            try browser.enterFrame("iframe")
            let isScrolling = "document.documentElement.scrollHeight > document.documentElement.clientHeight"
            if !reaction.isEmpty { try browser.wait(until: "!(\(isScrolling))") }
            try browser.run("$('.next').click()", until: "$$('.user').length == 40")
            try browser.drawFrames(40)
            #expect(try browser.value("document.documentElement.offsetHeight", as: Int.self) > height)
            let last = try browser.value("document.documentElement.offsetHeight", as: Int.self)
            try browser.leaveFrame()
            try browser.wait(until: "heights.at(-1) == \(last)")
            #expect(stage.proxy.fragments.count == 1)
        }

        /// A slow script of the page may hold up the one for frames. A frame that scrolls keeps its height but on
        /// paper.
        @Test(arguments: Engine.allCases)
        func theScriptForFramesMayComeAfterTheHeight(engine: Engine) throws {
            let stage = try BrowserFixture.open(in: engine)
            let page = """
                <body><script>
                window.count = 0;
                addEventListener('message', () => {
                  if (++count == 2) document.body.append(Object.assign(document.createElement('script'), { src: '\(stage.site)/frames.js' }));
                });
                </script>
                <iframe class="rollcall" src="\(stage.site)/?embed=fit" height="600"></iframe>
                <iframe class="rollcall" src="\(stage.site)/?embed=1" height="600"></iframe>
                """
            try stage.openHost(page)
            let heights = "$$('iframe').map(frame => +frame.height)"
            try stage.wait(until: "\(heights)[0] > 1000 && count > 3")
            #expect(try stage.value("\(heights)[1]") == 600)
            try stage.run("dispatchEvent(new Event('beforeprint'))")
            #expect(try stage.value("\(heights)[1] > 1000"))
            try stage.run("dispatchEvent(new Event('afterprint'))")
            #expect(try stage.value("\(heights)[1]") == 600)
        }

        @Test func aFrameThatIsNotShownTellsNoHeight() throws {
            let stage = try BrowserFixture.open()
            let hide = "<style>iframe { display: none }</style>" + Self.listener(adding: "")
            let browser = try host(stage, "embed=fit", script: hide)
            try browser.enterFrame("iframe")
            try browser.wait(until: "$('#users')?.sentinel.begin")
            try browser.leaveFrame()
            try browser.run("frames[0].postMessage({ type: 'rollcall:height' }, '*')")
            try browser.drawFrames()
            #expect(try browser.value("heights.length") == 0)
            try browser.run("$('iframe').style.display = 'block'", until: "heights[0] > 1000")
        }

        @Test func itViolatesNoPolicyAndAFramedErrorIsVisible() throws {
            let stage = try BrowserFixture.open()
            for (query, shown) in [
                ("embed=1&sort=nope", "$('.status')?.textContent.includes('400')"),
                ("embed=1", "$('.user')"),
            ] {
                let browser = try host(stage, query)
                try browser.enterFrame("iframe")
                try browser.wait(until: shown)
            }
            let faults = try stage.browser.takeLog().map(\.message)
            #expect(faults.filter { $0.contains("Content Security Policy") || $0.contains("Refused") } == [])
        }

        @Test func aSiteThatMayNotFrameItSeesNothing() throws {
            let stage = try BrowserFixture.open(options: ["--frame-ancestors", "https://example.org"])
            let browser = try host(stage, "embed=1")
            try eventually("the console reports it") {
                try browser.takeLog().contains { $0.message.contains("frame-ancestors https://example.org") }
            }
        }
    }
}
