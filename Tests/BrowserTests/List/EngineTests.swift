import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// The walk of a reader through the list in the other engines. In Chromium, suites of their own look closer at each
    /// part of it.
    @Suite("The list in other browsers", .tags(.long))
    struct EngineTests {
        private static let others = [Engine.firefox, .webkit]

        /// Scrolls to a user, and reloads the page, which shows the same place then.
        private func expectPlace(_ stage: BrowserFixture, ofUser number: Int) throws {
            try stage.scroll(toUser: number, further: 20)
            try stage.wait(untilAddressNamesUser: number)
            let place = try stage.top(ofUser: number)
            try stage.browser.reload(until: "document.readyState == 'complete' && $('\(stage.user(number))')")
            try stage.drawFrames()
            #expect(abs(try stage.top(ofUser: number) - place) <= 2)
        }

        @Test(arguments: others)
        func theAddressFollowsTheReader(engine: Engine) throws {
            let stage = try BrowserFixture.open(in: engine).visit()
            try stage.scroll(untilUsers: 110)
            #expect(try stage.everyone.starts(with: stage.ids))
            #expect(stage.proxy.mostFlights == 1)
            try expectPlace(stage, ofUser: 100)
        }

        /// WebKit runs deferred scripts before the style sheet has come.
        @Test(arguments: Engine.allCases)
        func reloadWaitsForTheStyleSheetToReturnToThePlace(engine: Engine) throws {
            let stage = try BrowserFixture.open(faultsAt: "/style.", in: engine)
            let page = try Exchange(port: stage.directPort, target: "/").text
            let path = try #require(page.firstMatch(of: /href="(\/style\.[^"]*)"/)).output.1
            let style = try Exchange(port: stage.directPort, target: String(path)).text
            let fields = ["Content-Type": "text/css", "Cache-Control": "no-store"]
            stage.proxy.set(next: [.answer(200, fields, body: style), .delay(1)])
            try stage.visit()
            try expectPlace(stage, ofUser: 20)
            #expect(stage.proxy.fragments.count == 2)
        }

        /// WebKitGTK showed the list at its top then, and the address of the beginning.
        @Test(arguments: others)
        func backFromAPersonReturnsToThePlace(engine: Engine) throws {
            let stage = try BrowserFixture.open(in: engine).visit()
            try stage.scroll(untilUsers: 110)
            try stage.scroll(toUser: 100, further: 20)
            try stage.wait(untilAddressNamesUser: 100)
            let (address, place) = (try stage.address, try stage.top(ofUser: 102))
            // WebKit takes no click on what it has not drawn.
            try stage.drawFrames(5)

            try stage.click("\(stage.user(102)) a", until: "location.pathname.includes('/users/')")
            try stage.browser.back(until: "$('\(stage.user(102))')")
            // Longer than the script waits before it notes a place.
            try stage.run("return new Promise(done => setTimeout(done, 400))")
            #expect(try stage.firstInView == stage.everyone[99])
            #expect(abs(try stage.top(ofUser: 102) - place) <= 2)
            #expect(try stage.address == address)
            try stage.scroll(untilUsers: 140)
        }

        @Test(arguments: others)
        func earlierUsersComeAboveWithoutAJump(engine: Engine) throws {
            let stage = try BrowserFixture.open(in: engine).visit(after: 150)
            try stage.scroll(toUser: 155)
            try stage.wait(until: "$('\(stage.user(121))')")
            try stage.drawFrames()
            #expect(abs(try stage.top(ofUser: 155) - stage.listTop) <= 2)
            let ids = try stage.ids
            #expect(stage.everyone[(stage.number(of: ids[0]) - 1)...].starts(with: ids))
        }

        @Test(arguments: Engine.allCases)
        func typingFindsAndBackLeavesTheSearch(engine: Engine) throws {
            let stage = try BrowserFixture.open(in: engine).visit()
            try stage.expectNoReload {
                try stage.browser.type("ann", into: "[name=q]")
                try stage.expectPage("/?q=ann")
                #expect(try stage.value("document.activeElement.value") == "ann")
                try stage.browser.back(until: "users.dataset.total == 300")
                try stage.expectPage("/")
            }
        }

        @Test(arguments: others)
        func theListLoadsInSomebodyElsesPage(engine: Engine) throws {
            let stage = try BrowserFixture.open(users: 80, in: engine)
            try stage.openHost("<script src=\"\(stage.site)/embed.js\" defer></script>" + element(stage))
            for count in stride(from: 10, through: 80, by: 10) {
                try stage.run("scrollTo(0, document.documentElement.scrollHeight)")
                try stage.wait(until: "\(root) && \(users).length >= \(count)")
            }
            try stage.wait(until: "\(list).dataset.state == 'end'")
            #expect(try stage.value("\(users).map(user => +user.dataset.id)") == stage.everyone)
        }
    }
}
