import TestSupport
import Testing

extension BrowserTests {
    @Suite("Small windows, and a page at 200 %")
    struct SmallWindowTests {
        @Test(arguments: Engine.allCases)
        func allFiltersAreReachedByScrollingDown(engine: Engine) throws {
            let stage = try BrowserFixture.open(users: 1_000, width: 1_024, height: 600, in: engine)
            for (width, height) in [(1_024, 600), (1_093, 525), (844, 390)] {
                try stage.browser.resize(width: width, height: height)
                try stage.visit()
                try stage.browser.pressMouse(on: "$('.filters > summary')", until: "$('.filters').open")
                let panel = try stage.value(
                    """
                    (panel => [panel.scrollWidth - panel.clientWidth, Math.round(panel.getBoundingClientRect().bottom) - innerHeight])
                      ($('.filters > div'))
                    """, as: [Int].self)
                #expect(panel.allSatisfy { $0 <= 0 }, "\(width): \(panel)")
            }
        }

        /// Words that are longer than a line are broken; all others stand whole.
        @Test func noWordIsBrokenThatFitsItsLine() throws {
            let stage = try BrowserFixture.open(users: 1_000, width: 195, height: 422)
            let person = try stage.path(ofUser: 1)
            for path in ["/", "/?sort=name", "/?view=grid", "/directories", person] {
                try stage.visit(path)
                #expect(try stage.value("document.documentElement.scrollWidth") == 195)
                #expect(try brokenWords(in: "$('main')", stage.browser) == [], "\(path)")
            }
        }

        /// The same inside the element, in a page that leaves it 163 pixels.
        @Test func noWordOfTheElementIsBrokenThatFitsItsLine() throws {
            let stage = try BrowserFixture.open(width: 195, height: 422)
            let page = """
                <meta name="viewport" content="width=device-width">
                <style>body { margin: 16px; font: 16px sans-serif }</style><script src="\(stage.site)/embed.js" defer></script>
                <rollcall-users src="\(stage.site)/fragment" search filters="type,location" sort></rollcall-users>
                """
            try stage.openHost(page)
            try stage.wait(until: "\(root)?.querySelector('.user') && \(root).querySelector('.result')")
            #expect(try stage.value("document.documentElement.scrollWidth") == 195)
            #expect(try brokenWords(in: "\(root).getElementById('users')", stage.browser) == [])
        }

        private func brokenWords(in element: String, _ browser: Browser) throws -> [String] {
            try browser.value(
                """
                (() => {
                  const broken = [], range = document.createRange();
                  const texts = document.createTreeWalker(\(element), NodeFilter.SHOW_TEXT);
                  while (texts.nextNode()) {
                    const { data, parentElement } = texts.currentNode;
                    if (!parentElement.checkVisibility() || parentElement.closest('.unseen, [aria-hidden]')) continue;
                    for (const { 0: word, index } of data.matchAll(/\\p{Script=Latin}{3,}/gu)) {
                      range.setStart(texts.currentNode, index);
                      range.setEnd(texts.currentNode, index + word.length);
                      const parts = [...range.getClientRects()], width = parts.reduce((sum, part) => sum + part.width, 0);
                      if (new Set(parts.map(part => Math.round(part.top))).size > 1 && width < 125) broken.push(word);
                    }
                  }
                  return broken;
                })()
                """, as: [String].self)
        }

        /// In low windows too, where not every letter has room.
        @Test(arguments: [(1_280, 800), (1_280, 600), (844, 390), (390, 844)])
        func theJumpBarShowsTheCurrentLetterAndTheLiftCoversNothing(width: Int, height: Int) throws {
            let stage = try BrowserFixture.open(users: 1_000, width: width, height: height).visit("/?letter=P")
            try stage.run("scrollTo(0, 2.5 * innerHeight)")
            try stage.wait(until: "$('.lift a').getBoundingClientRect().bottom < innerHeight")
            let found = try stage.value(
                """
                (() => {
                  const box = element => element.getBoundingClientRect(), lift = box($('.lift a'));
                  const cells = $$('.jump > *').filter(cell => cell.checkVisibility());
                  const covered = [...$$('.figure'), ...cells].map(box).filter(({ left, right, top, bottom }) =>
                    left < lift.right && right > lift.left && top < lift.bottom && bottom > lift.top);
                  return [cells.some(cell => cell.matches('[aria-current]')), cells.every(cell => box(cell).height >= 24),
                    box(cells.at(-1)).bottom <= innerHeight, !covered.length];
                })()
                """, as: [Bool].self)
            #expect(found == [true, true, true, true])
        }
    }
}
