import TestSupport
import Testing

extension BrowserTests {
    @Suite("Scrolling up to earlier users")
    struct EarlierTests {
        /// Scrolls up like a reader, and returns by how many pixels any user in view moved without being scrolled.
        private static let climb = """
            window.climb = async step => {
              const top = user => user.getBoundingClientRect().top, frame = () => new Promise(requestAnimationFrame);
              scrollBy({ top: -step, behavior: 'instant' });
              const user = $$('.user').find(user => top(user) >= 0), start = top(user);
              let moved = 0, quiet = 0;
              while (quiet < 4) {
                await frame();
                quiet = users.dataset.state == 'loading' ? 0 : quiet + 1;
                moved = Math.max(moved, Math.abs(top(user) - start));
              }
              return moved;
            };
            """

        private func climb(_ stage: BrowserFixture, to number: Int) throws -> Double {
            var most = 0.0
            try stage.run(Self.climb)
            for _ in 0..<200
            where try stage.value("scrollY > 0 || !$('\(stage.user(number))')") {
                most = max(most, try stage.value("climb(400)", as: Double.self))
            }
            return most
        }

        @Test(arguments: [(800, true), (800, false), (320, true), (320, false)])
        func theyLoadWithoutAJump(width: Int, isAnchoring: Bool) throws {
            let stage = try BrowserFixture.open(width: width).visit(after: 90)
            if !isAnchoring { try stage.run(BrowserFixture.withoutScrollAnchoring) }
            try stage.scroll(toUser: 95)
            try stage.wait(until: "$('\(stage.user(61))')")
            #expect(try climb(stage, to: 1) <= 2)
            #expect(try stage.ids.prefix(120).elementsEqual(stage.everyone.prefix(120)))
            #expect(try stage.value("$('.earlier').getClientRects().length") == 0)
            try stage.wait(until: "location.pathname + location.search == '/'")
            #expect(stage.proxy.mostFlights == 1)
        }

        @Test func theyLoadInAnyOrderAndFromAnyLink() throws {
            let stage = try BrowserFixture.open().visit("/?sort=name&order=desc&per_page=100")
            let order = try stage.ids
            try stage.browser.open(
                stage.value(
                    "location.origin + '/?sort=name&order=desc&since=' + $$('.user')[69].dataset.cursor"
                ))
            try stage.wait(until: "document.readyState == 'complete'")
            try stage.run("$$('.user')[5].scrollIntoView()", until: "$$('.user').length >= 60")
            #expect(try climb(stage, to: stage.number(of: order[0])) <= 2)
            #expect(try stage.ids.prefix(100).elementsEqual(order))
        }

        @Test func aVisibleLinkWaitsForAClick() throws {
            let stage = try BrowserFixture.open().visit(after: 150)
            try stage.drawFrames()
            #expect(stage.proxy.fragments == [])
            let place = try stage.top(ofUser: 151)
            try stage.click("a.prev", until: "$('\(stage.user(121))') && users.dataset.state == 'idle'")
            #expect(abs(try stage.top(ofUser: 151) - place) <= 2)
            #expect(try stage.value("document.activeElement.id", as: String.self) == stage.user(150).dropFirst())
            #expect(try stage.value("$('#status').textContent") == "30 earlier, 121 of 300")
        }

        /// A gesture at the top of the page asks, too, but not the end of the one that led there.
        @Test(arguments: [
            "dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true }))",
            "dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp', bubbles: true }))",
            """
            dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [touch(user, 200)] }));
            user.dispatchEvent(new TouchEvent('touchmove', { bubbles: true, touches: [touch(user, 300)] }))
            """,
        ])
        func scrollingFurtherUpAtTheTopAsks(gesture: String) throws {
            let stage = try BrowserFixture.open().visit(after: 150)
            try stage.wait(until: "users.sentinel.standing")
            try stage.run(
                """
                window.user = $('.user');
                window.touch = (target, clientY) => new Touch({ identifier: 1, target, clientY });
                scrollTo(0, 30);
                user.\(gesture);
                """)
            try stage.drawFrames()
            #expect(stage.proxy.fragments == [])
            try stage.run("scrollTo(0, 0); return new Promise(done => setTimeout(done, 400))")
            try stage.run("user.\(gesture)", until: "$('\(stage.user(121))') && users.dataset.state == 'idle'")
            // The list stands still, so the new users are above the window.
            #expect(try stage.value("scrollY > 1000"))
        }

        /// The first user in view has no predecessor in the page that the address could name, so it names the second.
        @Test func theAddressNamesThePositionAtTheUpperEdgeToo() throws {
            let stage = try BrowserFixture.open().visit(after: 150)
            try stage.click("a.prev", until: "$('\(stage.user(121))') && users.dataset.state == 'idle'")
            stage.proxy.set(then: .hold)
            try stage.run("scrollBy(0, $('#users').getBoundingClientRect().top - 50)")
            try stage.wait(untilAddressNamesUser: 122)
            let place = try stage.top(ofUser: 122)
            try stage.browser.reload(until: "document.readyState == 'complete'")
            #expect(abs(try stage.top(ofUser: 122) - place) <= 2)
        }

        @Test func aFailureOffersARetryWhereTheReaderIs() throws {
            let stage = try BrowserFixture.open().withFaults(then: .busy).visit(after: 150)
            try stage.click("a.prev", until: "users.dataset.state == 'error'")
            #expect(try stage.value("$('.earlier #error').getClientRects().length") == 1)
            stage.proxy.set()
            try stage.click(".earlier #error button", until: "$('\(stage.user(121))')")
        }

        @Test func aFailureAboveDoesNotStopLoadingBelow() throws {
            let stage = try BrowserFixture.open().withFaults(then: .busy).visit(after: 150)
            try stage.click("a.prev", until: "users.dataset.state == 'error'")
            stage.proxy.set()
            try stage.scrollToEnd(until: "$('\(stage.user(190))')")
        }
    }
}
