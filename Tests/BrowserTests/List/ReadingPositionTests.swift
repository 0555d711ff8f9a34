import TestSupport
import Testing

extension BrowserTests {
    @Suite("The reading position")
    struct ReadingPositionTests {
        @Test func reloadReturnsToTheUserInViewWithOnePage() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.scroll(untilUsers: 120)
            try stage.scroll(toUser: 75, further: 20)
            try stage.wait(untilAddressNamesUser: 75)
            #expect(try stage.value("history.length", as: Int.self) <= 2)
            let place = try stage.top(ofUser: 75)

            stage.proxy.set(then: .hold)
            try stage.browser.reload(until: "document.readyState == 'complete' && $('\(stage.user(75))')")
            // The server's page alone restores the position; the users before and after are fetched beside it.
            #expect(try stage.ids.elementsEqual(stage.everyone[74..<104]))
            #expect(try stage.firstInView == stage.everyone[74])
            #expect(abs(try stage.top(ofUser: 75) - place) < 2)

            stage.proxy.set()
            stage.proxy.release()
            try stage.wait(until: "$('\(stage.user(50))')")
            #expect(abs(try stage.top(ofUser: 75) - place) < 2)
        }

        @Test func otherParametersStayInTheAddress() throws {
            let stage = try BrowserFixture.open().visit("/?view=grid&sort=login&order=desc")
            try stage.run("$$('.user')[20].scrollIntoView()")
            try stage.wait(until: "new URLSearchParams(location.search).has('since')")
            #expect(try stage.address.hasPrefix("/?view=grid&sort=login&order=desc&since="))
            let first = try stage.firstInView
            try stage.browser.reload(until: "document.readyState == 'complete' && $('.user')")
            #expect(try stage.firstInView == first)
        }

        /// Once with the page kept in the back/forward cache, and once with the page loaded again.
        @Test(arguments: [true, false])
        func backFromAUserReturnsToThePosition(isKept: Bool) throws {
            let stage = try BrowserFixture.open(isWhole: isKept)
            try stage.noteWhetherKept(isKept)
            try stage.visit()
            try stage.scroll(untilUsers: 100)
            try stage.scroll(toUser: 80, further: 30)
            try stage.wait(untilAddressNamesUser: 80)
            let place = try stage.top(ofUser: 82)
            try stage.click("\(stage.user(82)) a", until: "location.pathname.includes('/users/')")
            try stage.browser.back(until: "wasKept == \(isKept) && $('\(stage.user(82))')")
            try stage.wait(until: "users.dataset.state == 'idle'")
            #expect(try stage.firstInView == stage.everyone[79])
            #expect(abs(try stage.top(ofUser: 82) - place) <= 2)
            try stage.scroll(untilUsers: 120)
        }

        @Test func backWorksTheSameFarDownTheList() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit("/?per_page=100")
            try stage.run(
                "addEventListener('sentinel:append', () => scrollTo(0, document.documentElement.scrollHeight))")
            try stage.scrollToEnd(untilState: "end")
            try stage.run("$('\(stage.user(930))').scrollIntoView()")
            try stage.wait(untilAddressNamesUser: 930)
            try stage.click("\(stage.user(931)) a", until: "location.pathname.includes('/users/')")
            try stage.browser.back(until: "$('\(stage.user(930))')")
            #expect(try stage.firstInView == stage.everyone[929])
        }

        /// Without the browser's Back button, which restores the position anyway.
        @Test func theBackLinkOfAUserLeadsToTheListAsItWas() throws {
            let stage = try BrowserFixture.open()
            for list in ["/?q=an&sort=name&order=desc&view=grid", "/?type=Organization&embed=1", "/?since=30"] {
                try stage.visit(list)
                try stage.click(".user h2 a")
                try stage.wait(until: "location.pathname.includes('/users/') && document.readyState == 'complete'")
                try stage.click(".person > .crumb")
                // The list in a frame had no form.
                try stage.wait(untilAddress: list.replacing("&embed=1", with: ""))
            }
        }

        @Test func withoutAListTheBackLinkLeadsToTheUserInTheSameSearch() throws {
            let stage = try BrowserFixture.open().visit("/?q=an")
            try stage.click(".user h2 a", until: "location.pathname.includes('/users/')")
            let person = try stage.address
            try stage.wait(until: "$('.crumb').search == '?q=an'")
            try stage.click(".pair [rel=next]")
            try stage.wait(
                until: "location.pathname + location.search != '\(person)' && document.readyState == 'complete'")
            let search = "$('.crumb').search"
            #expect(try stage.value("\(search).startsWith('?since=') && \(search).endsWith('q=an')"))
            try stage.visit(person)
            try stage.click(".crumb", until: "location.pathname == '/' && $('.user')")
            #expect(try stage.value("$('.user h2 a').getAttribute('href')") == person)
        }

        /// Updating the address while the reader scrolls uses one history entry, however far they go.
        @Test func aSharedLinkOpensAtTheUser() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.scroll(untilUsers: 60)
            try stage.scroll(toUser: 40)
            try stage.wait(untilAddressNamesUser: 40)
            let link = try stage.address
            try stage.browser.open("about:blank")
            try stage.visit(link)
            #expect(try stage.ids.first == stage.everyone[39])
            #expect(try stage.value("$('h1').getBoundingClientRect().top > 0"))
        }
    }
}
