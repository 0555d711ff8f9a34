import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("Pages")
    struct PageTests {
        static let paths = [
            "/", "/?view=grid", "/?since=30", "/?q=nobody-has-this-name", "/?since=99999999", "/?since=abc", "/nowhere",
            "/?embed=1",
        ]

        @Test func pagesViolateNoPolicyAndLogNothing() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.runFirst(
                "window.violations = []; addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective + ' ' + event.blockedURI))"
            )
            for path in try Self.paths + [stage.path(ofUser: 1)] {
                try stage.visit(path)
                if path == "/" { try stage.scroll(untilUsers: 60) }
                try stage.drawFrames(5)
                #expect(try stage.value("violations", as: [String].self) == [], "\(path)")
                // The browser logs the status of an error page; generated avatars have no host.
                let log = try stage.browser.takeLog().filter { $0.source != "network" && $0.level != "INFO" }
                #expect(log.map(\.message) == [], "\(path)")
            }
        }

        /// Pages of ten, and enough pages of fifty that users above are removed.
        @Test(arguments: [("/", 12), ("/?per_page=50", 9)])
        func nothingShiftsWhilePagesLoad(path: String, pages: Int) throws {
            let stage = try BrowserFixture.open(users: 1_000)
            stage.proxy.set(then: .delay(0.1))
            try stage.browser.runFirst(BrowserFixture.observingShifts)
            try stage.visit(path)
            // At a reader's pace: for a reader faster than the network, the end moves away. A step is less than
            // half a window: people who come into view may turn out lower than estimated.
            while stage.proxy.fragments.count < pages {
                try stage.wait(
                    until: "users.dataset.state == 'idle' && more.getBoundingClientRect().top > 2 * innerHeight")
                try stage.run("scrollBy(0, 400)")
                try stage.drawFrames(2)
            }
            try stage.wait(until: "users.dataset.state == 'idle'")
            #expect(try stage.number(of: stage.ids.last ?? 0) >= 10 * pages)
            try stage.drawFrames()
            let shifts = try stage.value("shifts", as: [String].self)
            #expect(try stage.value("shift", as: Double.self) < 0.01, "\(shifts)")
        }

        @Test func focusIsVisibleAndTargetsAreLargeEnough() throws {
            let stage = try BrowserFixture.open(width: 320).visit()
            let small = try stage.value(
                """
                $$('input:not([type=hidden]), select, button, summary, #more a, .bar a, footer a')
                  .filter(item => item.getClientRects().length)
                  .filter(item => (/checkbox|radio/.test(item.type) ? item.closest('label') : item)
                    .getBoundingClientRect().height < 23.9)
                  .map(item => item.outerHTML)
                """, as: [String].self)
            #expect(small == [], "the label of a checkbox is its target")
            try stage.browser.press("Tab", code: 9)
            #expect(try stage.value("document.activeElement.className") == "skip")
            #expect(try stage.value("getComputedStyle(document.activeElement).outlineStyle") == "solid")
        }

        @Test func onANarrowScreenTheErrorAndTheFormFit() throws {
            let stage = try BrowserFixture.open(width: 320, height: 700).withFaults(then: .busy).visit()
            // The form with four filters and, above it, an introduction of four lines.
            #expect(try stage.value("$('#users').getBoundingClientRect().top < 640"))
            try stage.scrollToEnd(untilState: "error")
            #expect(try stage.box("$('#error')").bottom <= stage.box("$('#more')").bottom)
        }

        @Test(arguments: [1280, 1000, 500])
        func theButtonBelowTheValuesOfAFilterCoversWholeRows(width: Int) throws {
            let stage = try BrowserFixture.open(width: width, height: 800)
            try stage.browser.open(stage.site + "/fields/location")
            // By the height of a row: whether its values show where they begin and where they end.
            let rows = """
                (() => {
                  const rows = {};
                  for (const label of $$('.choices label')) {
                    const { left, right, top, bottom } = label.getBoundingClientRect(), y = (top + bottom) / 2;
                    if (y < innerHeight) for (const x of [left + 16, right - 16]) {
                      (rows[y] ??= new Set).add(label.contains(document.elementFromPoint(x, y)));
                    }
                  }
                  return Object.values(rows).map(shows => [...shows]);
                })()
                """
            let found = try stage.value(rows, as: [[Bool]].self)
            #expect(found.contains([true]) && found.contains([false]) && found.allSatisfy { $0.count == 1 })
            let covered = """
                $$('.choices input').filter(box => {
                  box.focus();
                  const { left, top, width, height } = box.getBoundingClientRect();
                  return document.elementFromPoint(left + width / 2, top + height / 2) != box;
                }).map(box => box.value)
                """
            #expect(try stage.value(covered, as: [String].self) == [], "the focus is never below it")
        }

        @Test func whatChoosesTheLookOfAnEmbeddedListIsOnOneLine() throws {
            let stage = try BrowserFixture.open(width: 1280)
            try stage.browser.open(stage.site + "/embed")
            let tops = """
                $$('.narrow > button, .narrow label:has(:checked)')
                  .map(part => part.getBoundingClientRect().top)
                """
            let found = try stage.value(tops, as: [Double].self)
            #expect(found.count == 3 && Set(found).count == 1, "\(found)")
        }

        @Test func aSecondVisitRequestsOnlyTheDocument() throws {
            let stage = try BrowserFixture.open(height: 600, faultsAt: "/").visit()
            #expect(stage.proxy.fragments.contains { $0.hasPrefix("/style.") })
            try stage.browser.open("about:blank")
            try stage.visit()
            #expect(repeated(stage.proxy.fragments) == ["/"])
        }

        /// Returns the targets requested more than once. Chromium may request the icon as late as the second visit, and
        /// the OpenSearch description at any time. Pages open their stream of events when they have time.
        private func repeated(_ targets: [String]) -> [String] {
            var known: Set<String> = []
            return targets.filter { target in
                if target == "/opensearch.xml" || target.hasPrefix("/events") { return false }
                return !known.insert(target).inserted
            }
        }

        /// The page, its style and its scripts fit the first round trip. The scripts of the form, and the style of
        /// other views, come with the first touch.
        @Test func aPageThatIsOnlyLookedAtIsSmall() throws {
            let stage = try BrowserFixture.open()
            // On a busy machine, Chromium sometimes moves a mouse to the corner by itself.
            try stage.browser.runFirst(
                """
                addEventListener('pointermove', event => {
                  if (!event.clientX && !event.clientY) event.stopImmediatePropagation();
                }, true);
                """)
            try stage.browser.open(stage.site + "/")
            try stage.wait(until: "users.sentinel?.begin && document.readyState == 'complete'")
            try stage.drawFrames(5)
            let files = try stage.value(
                """
                [...performance.getEntriesByType('resource').map(entry => entry.name), $('[rel=icon]').href]
                  .map(name => new URL(name).pathname).filter(path => !/^.(pictures|fragment|events|speculation)/.test(path))
                """, as: [String].self)
            func exchange(_ target: String) throws -> Exchange {
                try Exchange(port: stage.directPort, target: target, headers: ["Accept-Encoding": "gzip"])
            }
            func bytes(_ targets: some Sequence<String>) throws -> Int {
                try targets.reduce(0) { try $0 + exchange($1).byteCount }
            }
            let page = try exchange("/")
            let rules = try #require(page.fields["speculation-rules"]).trimmingCharacters(in: ["\""])
            let paths = Set(files + [rules])
            #expect(paths.count + 1 <= 6, "\(paths)")
            #expect(try page.byteCount + bytes(paths) <= 20_992, "\(paths)")
            let first = try stage.value(
                """
                [$('link[rel=stylesheet]'), ...$$('script[src]')]
                  .map(item => new URL(item.href || item.src).pathname)
                """, as: [String].self)
            #expect(try page.byteCount + bytes(first) <= 14_336, "\(first)")
        }
    }
}
