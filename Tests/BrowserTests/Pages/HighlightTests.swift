import TestSupport
import Testing

extension BrowserTests {
    @Suite("Marking of search words")
    struct HighlightTests {
        /// The marked texts in document order.
        private let marked = "[...users.querySelectorAll('mark')].map(mark => mark.textContent)"

        @Test func wordsAreMarkedInNamesAndLoginsInAnyCase() throws {
            let stage = try BrowserFixture.open(names: ["Anna Ann", "Hanne Sturm", "ANNE (ann) O'Neill", "Übel ÅNN"])
                .visit("/?q=ann&sort=id")
            #expect(try stage.browser.value(marked, as: [String].self) == ["Ann", "Ann", "ann", "ANN", "ann", "ÅNN"])
            // Only words in users are marked, whatever else the page contains.
            #expect(try stage.browser.value("document.querySelectorAll('mark:not(#users mark)').length") == 0)
            try stage.browser.run("document.querySelector('[name=q]').value = 'u (ANN)'")
            try stage.type(" ")
            try stage.wait(untilAddress: "/?q=u%20%28ANN%29%20&sort=id")
            #expect(try stage.browser.value(marked, as: [String].self) == ["(ann)", "u"])
        }

        /// Typed as one code point where the name has two, and the other way round, or without the accent.
        @Test func lettersThatTheSearchTreatsAsEqualAreMarked() throws {
            let stage = try BrowserFixture.open(names: ["Re\\u0301mi", "R\\u00e9mi", "Remi", "김민준", "ΝΊΚΟΣ", "Groß"])
            for search in ["R%C3%A9mi", "Re%CC%81mi", "remi"] {
                try stage.visit("/?q=\(search)")
                #expect(
                    try stage.browser.value("\(marked).map(text => text.normalize()).sort()", as: [String].self)
                        == ["Remi", "Rémi", "Rémi"])
            }
            for (search, expected) in [("%EB%AF%BC", "민"), ("%CE%BA%CE%BF%CF%82", "ΚΟΣ"), ("gross", "Groß")] {
                try stage.visit("/?q=\(search)")
                #expect(try stage.browser.value(marked, as: [String].self) == [expected])
            }
        }

        @Test func wordsAreMarkedInUsersLoadedLater() throws {
            let stage = try BrowserFixture.open(users: 100).visit("/?q=a")
            let total = try stage.browser.value("+users.dataset.total", as: Int.self)
            try stage.scroll(untilUsers: total)
            // Everybody who is found by what the row shows.
            let missing = """
                [...users.querySelectorAll('.user')].filter(user => !user.querySelector('mark')
                  && [...user.querySelectorAll('h2, bdi')].some(part => /a/i.test(part.textContent))).length
                """
            #expect(try stage.browser.value(missing) == 0)
            #expect(try stage.browser.value("\(marked).length >= 30"))
            try stage.browser.run("const q = document.querySelector('[name=q]'); q.value = ''; q.focus()")
            try stage.browser.type(.enter)
            try stage.browser.wait(until: "location.search == ''")
            #expect(try stage.browser.value("\(marked).length") == 0)
        }
    }
}
