import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("A list of any length")
    struct BoundedListTests {
        /// Scrolls to the end of what there is until the end mark comes, and meanwhile notes what the page holds.
        private static let drain = """
            window.elements = window.met = 0;
            window.follow = event => {
              met += event?.detail.users.length ?? 0;
              elements = Math.max(elements, document.getElementsByTagName('*').length);
              scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
            };
            addEventListener('sentinel:append', follow);
            addEventListener('sentinel:end', () => removeEventListener('sentinel:append', follow));
            follow();
            """

        /// Waits until nobody is missing in view.
        private static let isFull = """
            users.dataset.state != 'loading' && [...document.querySelectorAll('.gap, #more:has(a)')].every(place => {
              const { top, bottom } = place.getBoundingClientRect();
              return place.hidden || top >= innerHeight || bottom <= 0;
            })
            """

        /// Scrolls over the whole list in steps, and gives the ids met in view, in order. Says where it stands if it takes too long.
        private func walk(_ browser: Browser, by step: Int) throws -> [Int] {
            try browser.value(
                """
                (() => {
                  const met = [], frame = () => new Promise(requestAnimationFrame);
                  const walk = async () => {
                    for (let last = -1; last != scrollY;) {
                      do await frame(); while (!(\(Self.isFull)));
                      last = scrollY;
                      for (const user of document.querySelectorAll('.user')) {
                        const { top, bottom } = user.getBoundingClientRect();
                        if (bottom > 0 && top < innerHeight) met.push(+user.dataset.id);
                      }
                      scrollBy({ top: \(step), behavior: 'instant' });
                    }
                    return [...new Set(met)];
                  };
                  const end = new Promise((_, stop) => setTimeout(() => {
                    const places = [...document.querySelectorAll('.gap:not([hidden]), #more')].map(place => {
                      const { top, bottom } = place.getBoundingClientRect();
                      return `${place.className || place.id} ${top} to ${bottom}: ${place.innerText}`;
                    });
                    stop(Error(`${users.dataset.state}, ${document.visibilityState}, after ${met.length} at ${scrollY} of `
                      + `${document.documentElement.scrollHeight}; ${places}`));
                  }, 90_000));
                  return Promise.race([walk(), end]);
                })()
                """)
        }

        @Test func fiftyThousandUsersTakeNoMoreThanAFewHundred() throws {
            // A small window, so that drawing takes no time from what is tried here.
            try BrowserFixture.open(users: 50_000, width: 500, height: 300) { stage in
                struct Usage: Decodable { let usedSize: Double }
                func heap() throws -> Double {
                    try stage.browser.devTools("HeapProfiler.collectGarbage")
                    let usage = try stage.browser.devTools("Runtime.getHeapUsage", as: Usage.self)
                    return usage.usedSize
                }
                // Past the proxy, and as many at once as there can be: what counts here is how much is kept.
                try stage.browser.open("http://127.0.0.1:\(stage.directPort)/?per_page=100")
                try stage.browser.wait(until: "document.readyState == 'complete'")
                try stage.browser.run(Self.drain)
                try stage.browser.wait(until: "met > 10000")
                let early = try heap()
                try stage.browser.wait(until: "users.dataset.state == 'end'")
                #expect(try stage.browser.value("met", as: Int.self) == 49_900)
                #expect(try stage.browser.value("elements", as: Int.self) <= 6_000)
                // What the browser is still at, it lets go of later.
                try eventually("the heap is as small as with a fifth of them, \(early)") {
                    try heap() - early < 1_000_000
                }

                // From the end to the beginning and to the middle, at once.
                try stage.browser.run("window.scrollTo(0, 0)")
                try stage.browser.wait(until: "document.querySelector('\(stage.user(1))') && \(Self.isFull)")
                #expect(
                    try stage.browser.value(
                        "document.querySelector('h1').getBoundingClientRect().top >= 0", as: Bool.self))
                try stage.browser.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
                try stage.browser.wait(until: "scrollY > 1e6 && \(Self.isFull)")
                let middle = stage.number(of: try stage.firstInView)
                #expect(abs(middle - 25_000) < 50, "\(middle)")
                #expect(
                    try stage.ids.elementsEqual(
                        stage.everyone.dropFirst(stage.number(of: stage.ids[0]) - 1).prefix(stage.count)))
            }
        }

        @Test(arguments: ["/", "/?view=grid"])
        func scrollingBackMeetsTheSameUsersWithoutGaps(_ path: String) throws {
            try BrowserFixture.open(users: 1_000) { stage in
                try stage.visit(path)
                #expect(try walk(stage.browser, by: 800) == stage.everyone)
                #expect(try stage.browser.value("document.getElementsByTagName('*').length", as: Int.self) <= 6_000)
                #expect(
                    try stage.browser.value("document.querySelectorAll('.gap:not([hidden])').length", as: Int.self) == 1
                )
                let back = try walk(stage.browser, by: -800)
                #expect(back.sorted() == stage.everyone)
                // Nothing but who stands, and the gap below of who does not, is left to tell of the way.
                #expect(try stage.ids.elementsEqual(stage.everyone.prefix(stage.count)))
                #expect(try stage.browser.value("users.previousElementSibling.hidden", as: Bool.self))
                #expect(try walk(stage.browser, by: 800) == stage.everyone)
                #expect(try stage.state == "end")
                #expect(stage.proxy.mostFlights == 1)
            }
        }

        @Test func focusAndSelectionAreNeverTakenOut() throws {
            try BrowserFixture.open(users: 1_000) { stage in
                try stage.visit("/?per_page=100")
                try stage.browser.run(
                    """
                    document.querySelector('\(stage.user(20)) a').focus();
                    getSelection().selectAllChildren(document.querySelector('\(stage.user(22)) h2'));
                    window.focused = document.activeElement;
                    window.text = getSelection().toString();
                    """)
                let start = try stage.browser.value("\(place(20)) + scrollY", as: Double.self)
                func expectKept() throws {
                    #expect(
                        try stage.browser.value(
                            "document.activeElement == focused && focused.isConnected", as: Bool.self))
                    #expect(
                        try stage.browser.value("getSelection().toString() == text && text.length > 2", as: Bool.self))
                    let place = try stage.browser.value("\(place(20)) + scrollY", as: Double.self)
                    #expect(abs(place - start) < 1)
                }
                func place(_ number: Int) -> String {
                    "document.querySelector('\(stage.user(number))').getBoundingClientRect().top"
                }

                try stage.browser.run(Self.drain)
                try stage.browser.wait(
                    until: "users.dataset.state == 'end' && !document.querySelector('\(stage.user(21))')")
                try expectKept()
                // Its neighbours come back around it.
                try stage.browser.run("window.scrollTo(0, 600)")
                try stage.browser.wait(until: "document.querySelector('\(stage.user(21))') && \(Self.isFull)")
                try expectKept()
                #expect(try stage.ids.prefix(50).elementsEqual(stage.everyone.prefix(50)))
            }
        }

        /// Whoever came or went where nobody stood is there, or not, on the way back; nobody else is lost or doubled.
        @Test func whatChangedMeanwhileIsMetOnTheWayBack() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-bounded-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let database = folder.appending(path: "people.sqlite").path
            func save(_ ids: [Int]) throws {
                let lines = ids.map { #"{"id": \#($0), "login": "user\#($0)"}"# }
                let importing = try Program(
                    RollcallProcess.executable(),
                    ["import", "file", "-", "--database", database, "--prune", "--directory", "people"],
                    input: Data(lines.joined(separator: "\n").utf8))
                #expect(importing.wait() == 0)
            }
            let early = (1...1_000).map { $0 * 10 }
            try save(early)
            let program = try RollcallProcess(["serve", "--database", database])
            defer { program.stop() }
            let browser = try Browser()
            defer { browser.quit() }
            try browser.open(program.url + "/?per_page=100")
            try browser.run(Self.drain)
            try browser.wait(until: "users.dataset.state == 'end'")

            // The last of a run, the first of the next, some within, and new ones at such places.
            let gone = Set([500, 510, 1_230, 1_240, 1_250, 1_800])
            let late = (early.filter { !gone.contains($0) } + [5, 495, 505, 2_001, 2_002, 2_003]).sorted()
            try save(late)
            #expect(try walk(browser, by: -700).sorted() == late)
            #expect(try walk(browser, by: 700) == late)
            #expect(try browser.value("users.dataset.state", as: String.self) == "end")
        }

        @Test func whoWasTakenOutIsOfferedAgainWhereLoadingFails() throws {
            try BrowserFixture.open(users: 1_000) { stage in
                try stage.visit("/?per_page=100")
                try stage.browser.run(Self.drain)
                try stage.browser.wait(until: "users.dataset.state == 'end'")
                stage.proxy.set(then: .answer(503, ["Retry-After": "3600"]))
                try stage.browser.run("window.scrollTo(0, 0)")
                try stage.browser.wait(until: "users.dataset.state == 'error'")
                #expect(
                    try stage.browser.value(
                        "document.querySelector('.gap #error button').getBoundingClientRect().top < innerHeight",
                        as: Bool.self))
                stage.proxy.set()
                try stage.browser.click(".gap #error button")
                try stage.browser.wait(until: "document.querySelector('\(stage.user(1))') && \(Self.isFull)")
                #expect(try stage.ids.prefix(50).elementsEqual(stage.everyone.prefix(50)))
            }
        }

        @Test func whoIsKeptIsFoundInThePage() throws {
            try BrowserFixture.open(users: 300) { stage in
                try stage.visit("/?per_page=100")
                try stage.scroll(untilUsers: 300)
                let login = try stage.browser.value(
                    "document.querySelector('\(stage.user(40)) .login').textContent", as: String.self)
                #expect(try stage.browser.value("window.find('\(login)', false, true, true)", as: Bool.self))
                #expect(
                    try stage.browser.value(
                        "getSelection().anchorNode.parentElement.closest('.user').id", as: String.self)
                        == stage.user(40).dropFirst())
            }
        }
    }
}
