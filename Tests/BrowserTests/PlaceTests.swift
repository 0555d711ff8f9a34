import TestSupport
import Testing

extension BrowserTests {
    @Suite("The reader's place")
    struct PlaceTests {
        @Test func reloadReturnsToThePersonInViewFromOnePage() throws {
            try Stage.open { stage in
                try stage.visit()
                try stage.scroll(untilUsers: 120)
                try stage.scroll(toUser: 75, further: 20)
                try stage.wait(untilAddressNamesUser: 75)
                #expect(try stage.browser.value("history.length", as: Int.self) <= 2)
                let place = try stage.top(ofUser: 75)

                stage.proxy.set(then: .hold)
                try stage.browser.reload()
                try stage.browser.wait(
                    until: "document.readyState == 'complete' && document.querySelector('\(stage.user(75))')")
                // One page of the server is enough for the place; what comes before and after is fetched beside it.
                #expect(try stage.ids.elementsEqual(stage.everyone[74..<104]))
                #expect(try stage.firstInView == stage.everyone[74])
                #expect(abs(try stage.top(ofUser: 75) - place) < 2)

                stage.proxy.set()
                stage.proxy.release()
                try stage.browser.wait(until: "document.querySelector('\(stage.user(50))')")
                #expect(abs(try stage.top(ofUser: 75) - place) < 2)
            }
        }

        @Test func theTopHasThePlainAddress() throws {
            try Stage.open { stage in
                try stage.visit()
                try stage.scroll(toUser: 10)
                try stage.wait(untilAddressNamesUser: 10)
                try stage.browser.run("scrollTo(0, 0)")
                try stage.browser.wait(until: "location.pathname + location.search == '/'")
            }
        }

        @Test func otherParametersStayInTheAddress() throws {
            try Stage.open { stage in
                try stage.visit("/?view=grid&sort=login&order=desc")
                try stage.browser.run("document.querySelectorAll('.user')[20].scrollIntoView()")
                try stage.browser.wait(until: "new URLSearchParams(location.search).has('since')")
                #expect(try stage.address.hasPrefix("/?view=grid&sort=login&order=desc&since="))
                let first = try stage.firstInView
                try stage.browser.reload()
                try stage.browser.wait(until: "document.readyState == 'complete' && document.querySelector('.user')")
                #expect(try stage.firstInView == first)
            }
        }

        @Test func backFromAPersonReturnsToThePlace() throws {
            try Stage.open { stage in
                try stage.visit()
                try stage.scroll(untilUsers: 100)
                try stage.scroll(toUser: 80)
                try stage.wait(untilAddressNamesUser: 80)
                try stage.browser.click("\(stage.user(82)) a")
                try stage.browser.wait(until: "location.pathname.includes('/users/')")
                try stage.browser.back()
                try stage.browser.wait(until: "document.querySelector('\(stage.user(80))')")
                #expect(try stage.firstInView == stage.everyone[79])
            }
        }
    }
}
