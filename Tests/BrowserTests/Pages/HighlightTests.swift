import TestSupport
import Testing

extension BrowserTests {
    @Suite("Highlighting of search words")
    struct HighlightTests {
        /// The highlighted texts in document order.
        private let marked = """
            [...CSS.highlights.get('found')].sort((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b)).map(String)
            """

        @Test func wordsAreHighlightedInNamesAndLoginsInAnyCase() throws {
            try BrowserFixture.open(names: ["Anna Ann", "Hanne Sturm", "ANNE (ann) O'Neill", "Übel ÅNN"]) { stage in
                try stage.visit("/?q=ann")
                #expect(try stage.browser.value(marked, as: [String].self) == ["Ann", "Ann", "ann", "ANN", "ann"])
                // Only words in users are highlighted, whatever else the page contains.
                try stage.type(" user")
                try stage.browser.run("document.querySelector('[name=q]').value = 'u (ANN)'")
                try stage.type(" ")
                try stage.wait(untilAddress: "/?q=u%20%28ANN%29%20")
                #expect(try stage.browser.value(marked, as: [String].self) == ["(ann)", "u"])
                #expect(try stage.browser.value("users.innerHTML.includes('<mark')", as: Bool.self) == false)
            }
        }

        /// Typed as one code point where the name has two, and the other way round.
        @Test func canonicallyEquivalentLettersMatch() throws {
            try BrowserFixture.open(names: ["Re\\u0301mi", "R\\u00e9mi", "Remi", "김민준", "ΝΊΚΟΣ"]) { stage in
                try stage.visit("/?q=R%C3%A9mi")
                #expect(
                    try stage.browser.value("\(marked).map(text => text.normalize())", as: [String].self)
                        == ["Rémi", "Rémi"])
                try stage.visit("/?q=Re%CC%81mi")
                #expect(try stage.browser.value("\(marked).length", as: Int.self) == 2)
                try stage.visit("/?q=%EB%AF%BC")
                #expect(try stage.browser.value(marked, as: [String].self) == ["민"])
                try stage.visit("/?q=%CE%BA%CE%BF%CF%82")
                #expect(try stage.browser.value(marked, as: [String].self) == ["ΚΟΣ"])
            }
        }

        @Test func wordsAreHighlightedInUsersLoadedLater() throws {
            try BrowserFixture.open { stage in
                try stage.visit("/?q=a")
                let total = try stage.browser.value("+users.dataset.total", as: Int.self)
                try stage.scroll(untilUsers: total)
                #expect(
                    try stage.browser.value(
                        "new Set([...CSS.highlights.get('found')].map(range => range.startContainer.parentElement.closest('.user'))).size",
                        as: Int.self) == total)
                try stage.browser.run("const q = document.querySelector('[name=q]'); q.value = ''; q.focus()")
                try stage.enter()
                try stage.browser.wait(until: "location.search == ''")
                #expect(try stage.browser.value("CSS.highlights.get('found').size", as: Int.self) == 0)
            }
        }

        /// The number of highlights matches the users in the page, however many were added and removed.
        @Test func highlightsOfRemovedUsersAreReleased() throws {
            try BrowserFixture.open(users: 2_000) { stage in
                try stage.visit("/?q=a&per_page=100")
                try stage.browser.run(
                    """
                    const follow = () => scrollTo(0, 1e7);
                    addEventListener('sentinel:append', follow);
                    addEventListener('sentinel:end', () => removeEventListener('sentinel:append', follow));
                    follow();
                    """)
                try stage.browser.wait(until: "users.dataset.state == 'end'")
                try stage.browser.run("window.scrollTo(0, 0)")
                try stage.browser.wait(until: "document.querySelector('[aria-posinset=\"1\"]')")
                let (kept, lost) = try stage.browser.value(
                    """
                    (ranges => [ranges.length, ranges.filter(range => range.collapsed || !range.startContainer.isConnected).length])
                      ([...CSS.highlights.get('found')])
                    """, as: [Int].self
                ).pair
                #expect(kept < 3_000 && lost < 1_000, "\(kept), \(lost)")
            }
        }

        /// Nothing breaks in a browser without the CSS Custom Highlight API.
        @Test func searchWorksWithoutHighlightSupport() throws {
            try BrowserFixture.open { stage in
                try stage.browser.runFirst("delete window.Highlight; delete CSS.highlights")
                try stage.visit("/?q=a")
                try stage.type("nn")
                try stage.wait(untilAddress: "/?q=ann")
                try stage.expectPage("/?q=ann")
            }
        }
    }
}

extension [Int] {
    fileprivate var pair: (Int, Int) { (self[0], self[1]) }
}
