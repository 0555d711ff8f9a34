import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("Bounded list", .tags(.long))
    final class BoundedListTests: Stage {
        /// Scrolls to the end of the loaded users until the end mark appears or `limit` users have been loaded, and
        /// records how many elements the page holds meanwhile.
        private static let drain = """
            window.elements = window.met = 0;
            window.limit ??= Infinity;
            window.follow = event => {
              met += event?.detail.users.length ?? 0;
              elements = Math.max(elements, document.getElementsByTagName('*').length);
              if (met < limit) scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
            };
            addEventListener('sentinel:append', follow);
            addEventListener('sentinel:end', () => removeEventListener('sentinel:append', follow));
            follow();
            """

        /// Is true when every user in view is present.
        private static let isFull = """
            users.dataset.state != 'loading' && $$('.gap, #more:has(a)').every(place => {
              const { top, bottom } = place.getBoundingClientRect();
              return place.hidden || top >= innerHeight || bottom <= 0;
            })
            """

        /// Scrolls over the whole list in steps, and returns the ids that were in view, in order. Throws an error with
        /// the scroll position if it takes too long.
        private func walk(_ browser: Browser, by step: Int) throws -> [Int] {
            try browser.run("window.met = []; window.last = -1")
            // In parts, because a driver ends a script that takes two minutes.
            while try !browser.value(Self.part(by: step), as: Bool.self) {}
            return try browser.value("[...new Set(met)]")
        }

        /// Walks ten steps and returns whether that was the end.
        private static func part(by step: Int) -> String {
            """
            (() => {
              const frame = () => new Promise(requestAnimationFrame);
              const walk = async () => {
                for (let count = 0; count < 10; count++) {
                  do await frame(); while (!(\(isFull)));
                  if (last == scrollY) return true;
                  last = scrollY;
                  for (const user of $$('.user')) {
                    const { top, bottom } = user.getBoundingClientRect();
                    if (bottom > 0 && top < innerHeight) met.push(+user.dataset.id);
                  }
                  scrollBy({ top: \(step), behavior: 'instant' });
                }
                return false;
              };
              const end = new Promise((_, stop) => setTimeout(() => {
                const places = $$('.gap:not([hidden]), #more').map(place => {
                  const { top, bottom } = place.getBoundingClientRect();
                  return `${place.className || place.id} ${top} to ${bottom}: ${place.innerText}`;
                });
                stop(Error(`${users.dataset.state}, ${document.visibilityState}, after ${met.length} at ${scrollY} of `
                  + `${document.documentElement.scrollHeight}; ${places}`));
              }, 100_000));
              return Promise.race([walk(), end]);
            })()
            """
        }

        @Test func sixThousandUsersKeepOnlyAFewHundredInThePage() throws {
            // A small window, so that drawing does not slow the test down.
            let stage = try BrowserFixture.open(users: 6_000, width: 500, height: 300)
            struct Usage: Decodable { let usedSize: Double }
            func heap() throws -> Double {
                try stage.browser.devTools("HeapProfiler.collectGarbage")
                return try stage.browser.devTools("Runtime.getHeapUsage", as: Usage.self).usedSize
            }
            // Bypasses the proxy and uses the largest pages: only memory matters here.
            try stage.browser.open("http://127.0.0.1:\(stage.directPort)/?per_page=100")
            try stage.wait(until: "document.readyState == 'complete'")
            try stage.run("window.limit = 1200")
            try stage.run(Self.drain, until: "met >= 1200 && users.dataset.state == 'idle'")
            let early = try heap()
            try stage.run("limit = Infinity; follow()", until: "users.dataset.state == 'end'")
            #expect(try stage.value("met") == 5_900)
            #expect(try stage.value("elements", as: Int.self) <= 6_000)
            // The browser frees some memory later.
            try eventually("the heap is as small as with a fifth of them, \(early)") { try heap() - early < 300_000 }

            // From the end to the beginning and to the middle, in one jump each.
            try stage.run("window.scrollTo(0, 0)", until: "$('\(stage.user(1))') && \(Self.isFull)")
            #expect(try stage.value("$('h1').getBoundingClientRect().top >= 0"))
            try stage.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
            try stage.wait(until: "scrollY > 1e5 && \(Self.isFull)")
            let middle = stage.number(of: try stage.firstInView)
            #expect(abs(middle - 3_000) < 50, "\(middle)")
            #expect(
                try stage.ids.elementsEqual(
                    stage.everyone.dropFirst(stage.number(of: stage.ids[0]) - 1).prefix(stage.count)))
        }

        /// A page keeps about 400 of them. The window is tall, so that each frame shows many.
        @Test(arguments: ["/?per_page=30", "/?view=grid&per_page=30"])
        func scrollingBackShowsTheSameUsersWithoutGaps(_ path: String) throws {
            let stage = try BrowserFixture.open(users: 700, height: 1_800).visit(path)
            #expect(try walk(stage.browser, by: 1_750) == stage.everyone)
            #expect(try stage.value("document.getElementsByTagName('*').length", as: Int.self) <= 6_000)
            #expect(try stage.value("$$('.gap:not([hidden])').length") == 1)
            #expect(try walk(stage.browser, by: -1_750).sorted() == stage.everyone)
            // The only traces left are the users in the page and the gap below for the users that were removed.
            #expect(try stage.ids.elementsEqual(stage.everyone.prefix(stage.count)))
            #expect(try stage.value("users.previousElementSibling.hidden"))
            #expect(try walk(stage.browser, by: 1_750) == stage.everyone)
            #expect(try stage.state == "end")
            #expect(stage.proxy.mostFlights == 1)
        }

        /// Users at the beginning are taken out for those who come back at the end, where the page cannot be scrolled
        /// any further.
        @Test func theViewStaysWhenTheLastUsersComeBack() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit("/?per_page=100")
            try stage.run(Self.drain, until: "users.dataset.state == 'end'")
            let first = stage.number(of: try stage.ids[0])
            try #require(first > 100)
            try stage.scroll(toUser: first, further: 600)
            try stage.wait(
                until: """
                    $('\(stage.user(first - 1))') && \(Self.isFull)
                      && $$('.gap:not([hidden])').length == 2
                    """)
            stage.proxy.set(then: .hold)
            let last = stage.number(of: try stage.ids[stage.count - 1])
            try #require(last < 1_000)
            try stage.scroll(toUser: last - 3)
            try stage.wait(until: "users.dataset.state == 'loading'")
            let place = try stage.top(ofUser: last)
            let before = try stage.ids[0]
            stage.proxy.release()
            try stage.wait(until: "$('\(stage.user(last + 1))') && users.dataset.state != 'loading'")
            try stage.drawFrames()
            #expect(try stage.ids[0] != before)
            let moved = try stage.top(ofUser: last) - place
            #expect(abs(moved) < 1, "\(moved)")
        }

        @Test func usersWithFocusOrSelectionAreNeverRemoved() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit("/?per_page=100")
            try stage.run(
                """
                $('\(stage.user(20)) a').focus();
                getSelection().selectAllChildren($('\(stage.user(22)) h2'));
                window.focused = document.activeElement;
                window.text = getSelection().toString();
                """)
            let start = try stage.value("\(place(20)) + scrollY", as: Double.self)
            func expectKept() throws {
                #expect(try stage.value("document.activeElement == focused && focused.isConnected"))
                #expect(try stage.value("getSelection().toString() == text && text.length > 2"))
                #expect(try abs(stage.value("\(place(20)) + scrollY", as: Double.self) - start) < 1)
            }
            func place(_ number: Int) -> String {
                "$('\(stage.user(number))').getBoundingClientRect().top"
            }

            try stage.run(Self.drain, until: "users.dataset.state == 'end' && !$('\(stage.user(21))')")
            try expectKept()
            // The neighbours of the kept user come back around it.
            try stage.run("window.scrollTo(0, 600)", until: "$('\(stage.user(21))') && \(Self.isFull)")
            try expectKept()
            #expect(try stage.ids.prefix(50).elementsEqual(stage.everyone.prefix(50)))
        }

        /// On the way back, users added or removed outside the page appear or are gone; no other user is lost or
        /// repeated.
        @Test func changesMadeMeanwhileAppearOnTheWayBack() throws {
            func save(_ ids: [Int]) throws {
                let lines = ids.map { #"{"id": \#($0), "login": "user\#($0)"}"# }
                try load(lines.joined(separator: "\n"), into: "people", "--prune=all", "--order", "id")
            }
            // Rows of users with a login only are small: a page keeps a thousand of them.
            let early = (1...1_500).map { $0 * 10 }
            try save(early)
            let program = try serve()
            let browser = try Browser.open(height: 1_800)
            try browser.open(program.url + "/?per_page=100")
            try browser.run(Self.drain, until: "users.dataset.state == 'end'")

            // The last user of a block, the first of the next, some within, and new users at such positions.
            let gone = Set([500, 510, 1_230, 1_240, 1_250, 1_800])
            let late = (early.filter { !gone.contains($0) } + [5, 495, 505, 2_001, 2_002, 2_003]).sorted()
            try save(late)
            #expect(try walk(browser, by: -1_500).sorted() == late)
            #expect(try walk(browser, by: 1_500) == late)
            #expect(try browser.value("users.dataset.state") == "end")
        }

        @Test func removedUsersCanBeRetriedWhereLoadingFails() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit("/?per_page=100")
            try stage.run(Self.drain, until: "users.dataset.state == 'end'")
            stage.proxy.set(then: .busy)
            try stage.run("window.scrollTo(0, 0)", until: "users.dataset.state == 'error'")
            #expect(try stage.value("$('.gap #error button').getBoundingClientRect().top < innerHeight"))
            stage.proxy.set()
            try stage.click(".gap #error button", until: "$('\(stage.user(1))') && \(Self.isFull)")
            #expect(try stage.ids.prefix(50).elementsEqual(stage.everyone.prefix(50)))
        }

        @Test func findInPageFindsTheKeptUsers() throws {
            let stage = try BrowserFixture.open(users: 300).visit("/?per_page=100")
            try stage.scroll(untilUsers: 300)
            let login = try stage.value("$('\(stage.user(40)) h2 a').textContent", as: String.self)
            #expect(try stage.value("window.find('\(login)', false, true, true)"))
            #expect(
                try stage.value("getSelection().anchorNode.parentElement.closest('.user').id", as: String.self)
                    == stage.user(40).dropFirst())
        }
    }
}
