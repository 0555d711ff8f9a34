import TestSupport
import Testing

extension BrowserTests {
    @Suite("Prefetching")
    struct LoadingTests {
        @Test func everyUserAppearsOnceAndInOrder() throws {
            let stage = try BrowserFixture.open(users: 100).visit()
            try stage.scroll(untilUsers: 100)
            #expect(try stage.ids == stage.everyone)
            #expect(try stage.state == "end")
            #expect(try stage.value("$$('#more > .end').length") == 1)
            #expect(try stage.value("$('#more a') == null"))
            #expect(stage.proxy.mostFlights == 1)
            #expect(Set(stage.proxy.fragments).count == stage.proxy.fragments.count)
            #expect(stage.proxy.fragments.count == 7)
        }

        @Test func aTallWindowFillsWithoutScrollingAndStopsThere() throws {
            let stage = try BrowserFixture.open(users: 1_000, height: 4_000).visit()
            try stage.wait(until: "more.getBoundingClientRect().top > 2 * innerHeight && users.dataset.state == 'idle'")
            let loaded = try stage.count
            try stage.drawFrames(40)
            #expect(try stage.count == loaded)
            #expect(loaded < 200)
        }

        @Test func aListThatCannotGrowDoesNotDrainTheDirectory() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit()
            try stage.run("users.style.height = 0; users.style.padding = 0; users.style.overflow = 'hidden'")
            try stage.wait(until: "$$('.user').length > 30")
            try stage.drawFrames(100)
            #expect(stage.proxy.fragments.count <= 12)
        }

        @Test func theEndKeyNeverStopsLoading() throws {
            let stage = try BrowserFixture.open(users: 100).visit()
            // A key press during the previous smooth scrolling is lost, so the test presses again, as people do.
            for _ in 0..<400 where try stage.state != "end" {
                try stage.browser.press("End", code: 35)
                try stage.drawFrames(5)
            }
            #expect(try stage.ids == stage.everyone)
        }

        /// A larger window, and a page made smaller (zooming out gives the window more CSS pixels).
        @Test(arguments: [(800, 3_000), (1_600, 1_800)])
        func aWindowThatIsFullLoadsNothingUntilItGrows(width: Int, height: Int) throws {
            let stage = try BrowserFixture.open(height: 600).visit()
            try stage.drawFrames(40)
            #expect(stage.proxy.fragments == [])
            try stage.browser.resize(width: width, height: height)
            try stage.wait(until: "$('#more').getBoundingClientRect().top > 1.9 * innerHeight")
        }

        /// A jump during a request that never gets a response.
        @Test func usersInViewDoNotWaitForUsersOutOfView() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.hold]).visit(after: 150)
            try stage.click("a.prev", until: "users.dataset.state == 'loading'")
            try stage.scrollToEnd(until: "$('\(stage.user(190))')")
        }

        @Test func aReaderFarBelowTheLinkGetsOnlyOnePage() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit()
            try stage.run("$('footer').style.minHeight = '5000px'; scrollTo(0, 1e6)")
            try stage.wait(until: "$$('.user').length > 30 && users.dataset.state == 'idle'")
            try stage.drawFrames(60)
            #expect(stage.proxy.fragments.count <= 2)
            try stage.run("$('#more').scrollIntoView({ block: 'end' })", until: "$$('.user').length > 50")
        }

        @Test func theSpinnerTurnsDuringASlowRequest() throws {
            let stage = try BrowserFixture.open().withFaults(then: .hold).visit()
            try stage.scrollToEnd()
            let spinner = "$('#spinner')"
            try stage.wait(until: "\(spinner).getClientRects().length && !\(spinner).hidden")
            #expect(try stage.state == "loading")
            #expect(try stage.value("users.getAttribute('aria-busy')") == "true")
            stage.proxy.set()
            stage.proxy.release()
            try stage.wait(
                until: """
                    $$('.user').length >= 40 && users.dataset.state == 'idle'
                      && \(spinner).hidden && users.getAttribute('aria-busy') == 'false'
                    """)
        }

        @Test func screenReadersAnnounceNewUsers() throws {
            let stage = try BrowserFixture.open(users: 2_000).withFaults(next: [.pass], then: .hold).visit()
            try stage.scrollToEnd(until: "$('#status').textContent == '10 more, 40 of 2,000'")
        }

        /// Later kinds of rows are shown where they stand, and are not counted.
        @Test func otherArticlesAreKeptAndNotCounted() throws {
            let body = """
                <article id="notice">A notice</article>
                <article class="user" id="user-x" data-id="900001" aria-posinset="31">X</article>
                <article id="note">A note</article>
                <p class="end">End</p>
                """
            let stage = try BrowserFixture.open(users: 2_000).withFaults(then: .page(body)).visit()
            try stage.run(
                "addEventListener('sentinel:append', event => window.ids = event.detail.users.map(({ id }) => id))")
            try stage.scrollToEnd(untilState: "end")
            #expect(try stage.value("$('#status').textContent") == "1 more, 31 of 2,000")
            #expect(try stage.value("window.ids", as: [String].self) == ["user-x"])
            #expect(
                try stage.value("[...users.children].slice(-3).map(item => item.id)", as: [String].self)
                    == ["notice", "user-x", "note"])
        }

        @Test func focusSelectionAndScrollPositionStay() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.hold], then: .cut).visit()
            try stage.run(
                """
                $('\(stage.user(20))').focus();
                getSelection().selectAllChildren($('\(stage.user(21)) h2'));
                $('\(stage.user(20))').scrollIntoView();
                """, until: "users.dataset.state == 'loading'")
            let place = try stage.top(ofUser: 20)
            stage.proxy.release()
            try stage.wait(until: "$$('.user').length == 40")
            #expect(try stage.top(ofUser: 20) == place)
            #expect(try stage.value("document.activeElement.id", as: String.self) == stage.user(20).dropFirst())
            #expect(try stage.value("getSelection().toString().trim() == $('\(stage.user(21)) h2').textContent"))
        }

        @Test func aUserInTheListIsNotInsertedAgain() throws {
            let stage = try BrowserFixture.open(users: 60).visit()
            let link = "$('#more a')"
            try stage.run(
                "\(link).dataset.fragment = \(link).dataset.fragment.replace(/since=\\d+/, 'since=\(stage.everyone[24])')"
            )
            try stage.scroll(untilUsers: 60)
            #expect(try stage.ids == stage.everyone)
        }
    }
}
