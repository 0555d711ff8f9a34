import TestSupport
import Testing

extension BrowserTests {
    @Suite("Marking of search words")
    struct HighlightTests {
        /// The marked texts in document order.
        private let marked = "[...users.querySelectorAll('mark')].map(mark => mark.textContent)"

        /// `MatchedTextTests` have what matches, and `SearchPageTests` what the server's pages mark.
        @Test func wordsAreMarkedInUsersLoadedLaterAndFoundByTyping() throws {
            let stage = try BrowserFixture.open(users: 100).visit("/?q=a")
            try stage.scroll(untilUsers: stage.value("+users.dataset.total", as: Int.self))
            // Everybody who is found by what the row shows.
            let missing = """
                [...users.querySelectorAll('.user')].filter(user => !user.querySelector('mark')
                  && [...user.querySelectorAll('h2, bdi')].some(part => /a/i.test(part.textContent))).length
                """
            #expect(try stage.value(missing) == 0)
            #expect(try stage.value("\(marked).length >= 30"))
            try stage.run("const q = $('[name=q]'); q.value = ''; q.focus()")
            try stage.browser.type(.enter, until: "location.search == ''")
            #expect(try stage.value("\(marked).length") == 0)
            try stage.type("ann", untilAddress: "/?q=ann")
            #expect(try stage.value("\(marked).length > 0"))
        }
    }
}
