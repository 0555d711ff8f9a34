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
            #expect(try stage.browser.value("document.querySelectorAll('#more > .end').length") == 1)
            #expect(try stage.browser.value("document.querySelector('#more a') == null"))
            #expect(stage.proxy.mostFlights == 1)
            #expect(Set(stage.proxy.fragments).count == stage.proxy.fragments.count)
            #expect(stage.proxy.fragments.count == 7)
        }

        @Test func aTallWindowFillsWithoutScrollingAndStopsThere() throws {
            let stage = try BrowserFixture.open(users: 1_000, height: 4_000).visit()
            try stage.browser.wait(
                until:
                    "document.getElementById('more').getBoundingClientRect().top > 2 * innerHeight && users.dataset.state == 'idle'"
            )
            let loaded = try stage.count
            try stage.browser.drawFrames(40)
            #expect(try stage.count == loaded)
            #expect(loaded < 200)
        }

        @Test func aListThatCannotGrowDoesNotDrainTheDirectory() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit()
            try stage.browser.run("users.style.height = 0; users.style.padding = 0; users.style.overflow = 'hidden'")
            try stage.browser.wait(until: "document.querySelectorAll('.user').length > 30")
            try stage.browser.drawFrames(100)
            #expect(stage.proxy.fragments.count <= 12)
        }

        @Test func theEndKeyNeverStopsLoading() throws {
            let stage = try BrowserFixture.open(users: 100).visit()
            // A key press during the previous smooth scrolling is lost, so the test presses again, as people do.
            for _ in 0..<400 where try stage.state != "end" {
                try stage.browser.press("End", code: 35)
                try stage.browser.drawFrames(5)
            }
            #expect(try stage.ids == stage.everyone)
        }

        /// A larger window, and a page made smaller (zooming out gives the window more CSS pixels).
        @Test(arguments: [(800, 3_000), (1_600, 1_800)])
        func aWindowThatIsFullLoadsNothingUntilItGrows(width: Int, height: Int) throws {
            let stage = try BrowserFixture.open(height: 600).visit()
            try stage.browser.drawFrames(40)
            #expect(stage.proxy.fragments == [])
            try stage.browser.resize(width: width, height: height)
            try stage.browser.wait(
                until: "document.getElementById('more').getBoundingClientRect().top > 1.9 * innerHeight")
        }

        /// A jump during a request that never gets a response.
        @Test func usersInViewDoNotWaitForUsersOutOfView() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.hold]).visit(after: 150)
            try stage.browser.click("a.prev")
            try stage.browser.wait(until: "users.dataset.state == 'loading'")
            try stage.scrollToEnd()
            try stage.browser.wait(until: "document.querySelector('\(stage.user(190))')")
        }

        @Test func aReaderFarBelowTheLinkGetsOnlyOnePage() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit()
            try stage.browser.run("document.querySelector('footer').style.minHeight = '5000px'; scrollTo(0, 1e6)")
            try stage.browser.wait(
                until: "document.querySelectorAll('.user').length > 30 && users.dataset.state == 'idle'")
            try stage.browser.drawFrames(60)
            #expect(stage.proxy.fragments.count <= 2)
            try stage.browser.run("document.getElementById('more').scrollIntoView({ block: 'end' })")
            try stage.browser.wait(until: "document.querySelectorAll('.user').length > 50")
        }

        @Test func theSpinnerTurnsDuringASlowRequest() throws {
            let stage = try BrowserFixture.open().withFaults(then: .hold).visit()
            try stage.scrollToEnd()
            let spinner = "document.getElementById('spinner')"
            try stage.browser.wait(until: "\(spinner).getClientRects().length && !\(spinner).hidden")
            #expect(try stage.state == "loading")
            #expect(try stage.browser.value("users.getAttribute('aria-busy')") == "true")
            stage.proxy.set()
            stage.proxy.release()
            try stage.browser.wait(
                until: """
                    document.querySelectorAll('.user').length >= 40 && users.dataset.state == 'idle'
                      && \(spinner).hidden && users.getAttribute('aria-busy') == 'false'
                    """)
        }

        @Test func screenReadersAnnounceNewUsers() throws {
            let stage = try BrowserFixture.open(users: 2_000).withFaults(next: [.pass], then: .hold).visit()
            try stage.scrollToEnd()
            try stage.browser.wait(until: "document.getElementById('status').textContent == '10 more, 40 of 2,000'")
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
            try stage.browser.run(
                "addEventListener('sentinel:append', event => window.ids = event.detail.users.map(({ id }) => id))")
            try stage.scrollToEnd(until: "end")
            #expect(try stage.browser.value("document.getElementById('status').textContent") == "1 more, 31 of 2,000")
            #expect(try stage.browser.value("window.ids", as: [String].self) == ["user-x"])
            #expect(
                try stage.browser.value("[...users.children].slice(-3).map(item => item.id)", as: [String].self)
                    == ["notice", "user-x", "note"])
        }

        @Test func focusSelectionAndScrollPositionStay() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.hold], then: .cut).visit()
            try stage.browser.run(
                """
                document.querySelector('\(stage.user(20))').focus();
                getSelection().selectAllChildren(document.querySelector('\(stage.user(21)) h2'));
                document.querySelector('\(stage.user(20))').scrollIntoView();
                """)
            try stage.browser.wait(until: "users.dataset.state == 'loading'")
            let place = try stage.top(ofUser: 20)
            stage.proxy.release()
            try stage.browser.wait(until: "document.querySelectorAll('.user').length == 40")
            #expect(try stage.top(ofUser: 20) == place)
            #expect(try stage.browser.value("document.activeElement.id", as: String.self) == stage.user(20).dropFirst())
            #expect(
                try stage.browser.value(
                    "getSelection().toString().trim() == document.querySelector('\(stage.user(21)) h2').textContent"))
        }

        @Test func aUserInTheListIsNotInsertedAgain() throws {
            let stage = try BrowserFixture.open(users: 60).visit()
            let link = "document.querySelector('#more a')"
            try stage.browser.run(
                "\(link).dataset.fragment = \(link).dataset.fragment.replace(/since=\\d+/, 'since=\(stage.everyone[24])')"
            )
            try stage.scroll(untilUsers: 60)
            #expect(try stage.ids == stage.everyone)
        }
    }
}
