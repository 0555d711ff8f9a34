import TestSupport
import Testing

extension BrowserTests {
    @Suite("Failed loads")
    struct LoadingFailureTests {
        @Test func itRetriesThreeTimesThenOffersARetryButton() throws {
            let stage = try BrowserFixture.open()
                .withFaults(then: .page("<p role=\"alert\">no</p>", status: 500)).visit()
            try stage.run("addEventListener('sentinel:error', event => { window.told = event.detail.url })")
            try stage.scrollToEnd(untilState: "error")
            #expect(stage.proxy.fragments.count == 4)
            #expect(Set(stage.proxy.fragments).count == 1)
            #expect(try stage.count == 30)
            #expect(try stage.value("window.told", as: String.self) == stage.proxy.fragments[0])
            #expect(try stage.value("$('#error').getClientRects().length") == 1)
            #expect(try stage.value("$('#error button').getBoundingClientRect().top > 0"))
            #expect(try stage.value("$('#spinner').hidden"))
            let pauses = stage.proxy.pauses
            #expect(pauses[0] >= 0.45 && pauses[1] >= 0.95 && pauses[2] >= 1.95)

            stage.proxy.set()
            try stage.click("#error button", until: "$$('.user').length >= 40")
            #expect(try stage.value("$('#error').hidden"))
            #expect(try stage.ids.prefix(40).elementsEqual(stage.everyone.prefix(40)))
        }

        /// As when a directory gets another name while its list is open.
        @Test func aListThatHasMovedGoesOn() throws {
            let stage = try BrowserFixture.open()
            let moved = "/fragment?since=\(stage.everyone[29])&per_page=20"
            stage.proxy.set(next: [.answer(301, ["Location": moved])])
            try stage.visit()
            try stage.scrollToEnd(until: "$$('.user').length >= 50")
            #expect(try stage.value("$('#error').hidden"))
            #expect(stage.proxy.fragments.prefix(2).last == moved)
        }

        /// A fault for all, and what the reader gets to read.
        static let reasons: [(fault: FaultProxy.Fault, reason: String)] = [
            (.answer(500), "The server has a problem."), (.page("<form>Log in</form>"), "The server has a problem."),
            (.answer(302, ["Location": "/?per_page=20"]), "The server has a problem."),
            (.busy, "The server is busy."), (.answer(429, ["Retry-After": "3600"]), "The server is busy."),
            (.cut, "The server cannot be reached."),
        ]

        @Test func oneButtonStandsBesideTheReason() throws {
            let stage = try BrowserFixture.open()
            for (fault, expected) in Self.reasons {
                stage.proxy.forget()
                stage.proxy.set(then: fault)
                try stage.visit()
                try stage.run("$('#more a').click()", until: "users.dataset.state == 'error'")
                #expect(try reason(stage) == expected + " Try again")
                // A long pause is left to the reader.
                #expect(expected != "The server is busy." || stage.proxy.fragments.count == 1)
                let controls =
                    "$$('#more a, #more button').filter(item => item.checkVisibility({ visibilityProperty: true }))"
                #expect(
                    try stage.value("\(controls).map(item => item.textContent)", as: [String].self) == [
                        "Try again"
                    ])
                // The focus was on the link that gave way to the button.
                #expect(try stage.value("document.activeElement.textContent") == "Try again")
                stage.proxy.set()
                try stage.browser.press("Enter", code: 13)
                try stage.run("document.activeElement.click()", until: "$$('.user').length >= 40")
                #expect(try stage.value("$('#more a').checkVisibility({ visibilityProperty: true })"))
            }
        }

        private func reason(_ stage: BrowserFixture) throws -> String {
            try stage.value("$('#error').innerText.trim().replace(/\\s+/g, ' ')")
        }

        /// By the server's own message, by that of a page, and by somebody between who says nothing that we know.
        static let refusals: [(fault: FaultProxy.Fault, reason: String)] = [
            (
                .page(#"<p role="alert">since: expected an id <a href="/fragment">Try again</a></p>"#, status: 400),
                "since: expected an id"
            ),
            (.page("<h1>Not Found</h1><p>There is nothing here.</p>", status: 404), "There is nothing here."),
            (.answer(403, ["Content-Type": "text/plain"], body: "no"), "The server refused this request."),
        ]

        @Test func aWrongRequestIsNotRepeated() throws {
            let stage = try BrowserFixture.open(isWhole: true)
            for (fault, expected) in Self.refusals {
                stage.proxy.forget()
                stage.proxy.set(then: fault)
                try stage.visit()
                try stage.scrollToEnd(untilState: "error")
                #expect(try reason(stage) == expected)
                try stage.run("dispatchEvent(new Event('online'))")
                let list = try stage.browser.window
                try stage.browser.openWindow()
                try stage.browser.show(list)
                try stage.run("window.scrollTo(0, 0)")
                try stage.scrollToEnd()
                try stage.drawFrames(60)
                #expect(stage.proxy.fragments.count == 1)
                #expect(try reason(stage) == expected)
            }
        }

        /// Both ends of the list are near. If each of them began when the other had failed, that would never end.
        @Test(arguments: [503, 400])
        func twoPlacesThatFailDoNotTakeTurns(status: Int) throws {
            let stage = try BrowserFixture.open()
                .withFaults(then: .answer(status, ["Retry-After": "3600"])).visit(after: 150)
            try stage.scroll(toUser: 165)
            try eventually("both have failed") { Set(stage.proxy.fragments).count == 2 }
            try stage.drawFrames(100)
            #expect(stage.proxy.fragments.count == 2)
        }

        @Test func aCutConnectionIsMadeUpForAndRetryAfterIsRespected() throws {
            let stage = try BrowserFixture.open()
                .withFaults(next: [.cut, .cutHalfway, .answer(503, ["Retry-After": "3"])]).visit()
            try stage.scrollToEnd(until: "$$('.user').length >= 40")
            #expect(try stage.ids.prefix(40).elementsEqual(stage.everyone.prefix(40)))
            #expect(stage.proxy.pauses[2] >= 2.95)
        }

        static let strangers: [FaultProxy.Fault] = [
            .page("<title>Log in</title><form><input id=stranger></form>"),
            .page("<article class=user id=stranger></article>"), .page("<b id=stranger>x</b><p class=end>End</p>"),
            .page(""),
            .answer(200, ["Content-Type": "text/plain"], body: "<p class=end id=stranger>End</p>"),
            .answer(302, ["Location": "/?since=10"]),
        ]

        @Test func aResponseThatIsNotAFragmentIsNotInserted() throws {
            let stage = try BrowserFixture.open()
            for stranger in Self.strangers {
                stage.proxy.forget()
                stage.proxy.set(next: [stranger, stranger], then: .hold)
                try stage.visit()
                try stage.scrollToEnd()
                try eventually("it has retried twice") { stage.proxy.fragments.count == 3 }
                #expect(try stage.state == "loading")
                #expect(try stage.count == 30)
                #expect(try stage.value("$('#stranger') == null"))
                #expect(try stage.value("$('#more > a.next') != null"))

                // Then the correct response comes.
                stage.proxy.release()
                try stage.wait(until: "$$('.user').length >= 40")
            }
        }

        @Test func itResumesWhenTheNetworkIsBack() throws {
            let stage = try BrowserFixture.open().visit()
            let network: [String: Any] = ["latency": 0, "downloadThroughput": -1, "uploadThroughput": -1]
            try stage.browser.devTools("Network.enable")
            try stage.browser.devTools("Network.emulateNetworkConditions", network.merging(["offline": true]) { $1 })
            try stage.scrollToEnd(untilState: "error")
            #expect(try reason(stage) == "You’re offline. The rest will load when you’re back. Try again")
            try stage.browser.devTools("Network.emulateNetworkConditions", network.merging(["offline": false]) { $1 })
            try stage.wait(until: "$$('.user').length >= 40")
        }

        @Test func itResumesWhenTheTabIsShownAgain() throws {
            let stage = try BrowserFixture.open(isWhole: true).withFaults(then: .busy).visit()
            try stage.scrollToEnd(untilState: "error")
            stage.proxy.set()
            let list = try stage.browser.window
            try stage.browser.openWindow()
            try stage.browser.show(list)
            try stage.wait(until: "$$('.user').length >= 40")
        }

        /// The laptop is closed during a request whose response never comes.
        @Test func itResumesAfterSleep() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.holdThen(.cut)]).visit()
            try stage.scrollToEnd(untilState: "loading")
            try stage.browser.devTools("Page.setWebLifecycleState", ["state": "frozen"])
            stage.proxy.release()
            try stage.browser.devTools("Page.setWebLifecycleState", ["state": "active"])
            try stage.wait(until: "$$('.user').length >= 40")
        }

        @Test func aLoadInterruptedByLeavingResumesOnReturn() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.hold]).visit()
            try stage.scroll(toUser: 15)
            try stage.wait(untilAddressNamesUser: 15)
            try stage.wait(until: "users.dataset.state == 'loading'")
            try stage.click("\(stage.user(16)) a", until: "location.pathname.includes('/users/')")
            stage.proxy.release()
            try stage.browser.back(until: "users.dataset.state == 'idle' && $$('.user').length >= 16")
            #expect(abs(try stage.top(ofUser: 15) - stage.listTop) < 60)
            try stage.scroll(untilUsers: 60)
        }
    }
}
