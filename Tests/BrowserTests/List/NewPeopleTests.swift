import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// `live.js`: an import runs while pages are open.
    @Suite("New people")
    final class NewPeopleTests: Stage {
        /// Imports people with the ids in `ids`, every third of them in Sales.
        private func importPeople(_ ids: some Sequence<Int>) throws {
            let rows = ids.map { "\($0),Person \($0),\($0 % 3 == 0 ? "Sales" : "Web")" }
            try load((["id,name,department"] + rows).joined(separator: "\n"))
        }

        private func open(
            _ count: Int, _ options: String..., isWhole: Bool = false
        ) throws -> (Browser, RollcallProcess) {
            try importPeople(1...count)
            nonisolated(unsafe) let program = try serve(options)
            TestScope.atEnd { _ in program.stop() }
            return (try Browser.open(width: 800, height: 600, isWhole: isWhole), program)
        }

        private func streams(_ program: RollcallProcess) throws -> Int {
            // Only the line: reading all of them takes longer than the server takes to write them.
            let metrics = try Exchange(port: program.port, target: "/metrics").text
            let line = try #require(metrics.firstMatch(of: /\nrollcall_http_open_streams (\d+)/))
            return try #require(Int(line.1))
        }

        /// Opens a page and waits until it has its stream.
        private func open(_ path: String, _ browser: Browser, _ program: RollcallProcess) throws {
            try browser.open(program.url + path)
            try eventually("the stream of \(path)") { try streams(program) == 1 }
        }

        private static let offer = "$('a.fresh')?.textContent"

        @Test func anImportIsOfferedAndNothingMoves() throws {
            let (browser, program) = try open(200)
            try open("/?sort=name", browser, program)
            try browser.run(
                """
                scrollTo(0, 700);
                window.shift = 0;
                new PerformanceObserver(list => list.getEntries().forEach(entry => shift += entry.value))
                  .observe({ type: 'layout-shift' });
                """)
            try browser.drawFrames()
            let place = "[scrollY, $$('.user')[9].getBoundingClientRect().top].join()"
            let before: String = try browser.value(place)
            try importPeople(1...212)
            try browser.wait(until: "\(Self.offer) == '12 new people – show'")
            try browser.drawFrames()
            #expect(try browser.value(place) == before)
            #expect(try browser.value("shift") == 0.0)
            #expect(try browser.value("getComputedStyle($('.fresh')).position") == "fixed")
            #expect(try browser.value("$('#status').textContent") == "12 new people – show")
            try importPeople(1...213)
            try browser.wait(until: "\(Self.offer) == '13 new people – show'")
            try browser.click("a.fresh", until: "users.dataset.total == 213 && !$('a.fresh')")
            let shown = try Self.firstInView(browser)
            #expect(!shown.isEmpty && (201...213).reversed().starts(with: shown))
        }

        /// Returns the ids of the first people in view who are new, after the 200.
        private static func firstInView(_ browser: Browser) throws -> [Int] {
            try browser.value(
                """
                $$('.user').filter(user => user.getBoundingClientRect().top < innerHeight)
                  .map(user => +user.dataset.id).slice(0, 13)
                """)
        }

        /// Ordered by id they are together. In other orders they are among the others, so the link leads to that order.
        @Test func inEachOrderTheLinkLeadsToTheNewPeople() throws {
            let (browser, program) = try open(200)
            // People who leave in the same import change positions.
            for (order, first, added) in [
                ("sort=id", 201, [201, 202, 203]), ("sort=-id", 206, [206, 205, 204]),
                ("sort=-name&q=person", 209, [209, 208, 207]),
                ("view=grid&sort=name&order=desc", 212, [212, 211, 210]),
            ] {
                try open("/?lang=de&\(order)", browser, program)
                try importPeople(1...(added.max() ?? first))
                try browser.wait(until: "\(Self.offer)?.startsWith('3 ')")
                try browser.click("a.fresh", until: "$('.user').dataset.id == \(first) && !$('a.fresh')")
                #expect(try Self.firstInView(browser).starts(with: added), "\(order)")
                #expect(try browser.value("document.documentElement.lang") == "de")
                try browser.open("about:blank")
                try eventually("the stream is closed") { try streams(program) == 0 }
            }
        }

        @Test func onlyPeopleWhomTheFiltersLeaveAreOffered() throws {
            let (browser, program) = try open(60)
            try open("/?department=Sales&sort=-name", browser, program)
            // One in Web, then one in Sales: an event for the first would come first.
            try importPeople(1...61)
            try importPeople(1...63)
            try browser.wait(until: "\(Self.offer)?.startsWith('1 new p')")
        }

        @Test func atTheEndOfTheListTheyAreAppended() throws {
            let (browser, program) = try open(40)
            try open("/?sort=id", browser, program)
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)", until: "users.dataset.state == 'end'")
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            let ids = "$$('.user').map(user => +user.dataset.id)"
            #expect(try browser.value(ids) == Array(1...40))
            try importPeople(1...90)
            try browser.wait(until: "$('#user-41')")
            try browser.run(
                """
                window.follow = setInterval(() => scrollTo(0, document.documentElement.scrollHeight), 50)
                """, until: "$('#user-90') && users.dataset.state == 'end'")
            try browser.wait(until: "!$('a.fresh')")
            #expect(try browser.value(ids) == Array(1...90))
            #expect(try browser.value("users.lastElementChild.ariaSetSize + users.dataset.total") == "9090")
        }

        @Test func ofThreeOpenPagesTheVisibleOneHasAStream() throws {
            let (browser, program) = try open(40, isWhole: true)
            try open("/", browser, program)
            let first = try browser.window
            for _ in 1...2 {
                try browser.openWindow()
                try open("/?q=person", browser, program)
            }
            try importPeople(1...43)
            try browser.wait(until: "\(Self.offer) == '3 new people – show'")
            try browser.open(program.url + "/directories")
            try eventually("a page that is left has none") { try streams(program) == 0 }
            try browser.back(until: "$('#users').dataset.live")
            try eventually("and has one again") { try streams(program) == 1 }
            // A page that was hidden during the import hears of it when it is shown.
            try browser.show(first)
            try browser.devTools("Page.bringToFront")
            try browser.wait(until: "\(Self.offer) == '3 new people – show'")
            try eventually("the other tab has closed its own") { try streams(program) == 1 }
        }

        @Test func whereStreamsDoNotPassThePageAsks() throws {
            let (browser, program) = try open(40, "--max-event-streams", "1")
            let other = try Program(Program.find("curl"), ["-sN", program.url + "/events"])
            try eventually("the only stream is taken") { try streams(program) == 1 }
            // Time passes a thousand times as fast in this page's timers.
            try browser.runFirst("{ const set = setTimeout; window.setTimeout = (f, ms) => set(f, ms / 1000) }")
            try browser.open(program.url + "/?q=person")
            try importPeople(1...41)
            try browser.wait(until: "\(Self.offer)?.startsWith('1 new p')")
            other.stop()
        }
    }
}
