import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// Readers press, type and choose in each engine. The list is below a base path, and the address names a
    /// language, as links from embeds do.
    @Suite("What a reader does")
    struct ActTests {
        private func open(
            in engine: Engine, faultsAt path: String = "/fragment", _ body: (BrowserFixture) throws -> Void
        ) throws {
            try BrowserFixture.open(
                users: 1_200, width: 1000, options: ["--base-path", "/people"], faultsAt: path, in: engine, body)
        }

        /// Returns what is not hit by a click in the middle of it: people whose link something else covers, and
        /// controls. The corners of a person must lead there, too.
        private static let missed = """
            (() => {
              const hit = (element, x, y) => {
                const { left, top, width, height } = element.getBoundingClientRect();
                return document.elementFromPoint(left + width * x, top + height * y);
              };
              const people = [...document.querySelectorAll('.user:not([aria-label])')].filter(person => {
                person.scrollIntoView({ block: 'center', behavior: 'instant' });
                const link = person.querySelector('h2 a');
                return ![[.5, .5], [.5, .9], [.1, .15], [.9, .1]].every(([x, y]) => link.contains(hit(person, x, y)));
              });
              scrollTo(0, 0);
              const all = document.querySelectorAll('a[href], button, select, summary, label:has(input)');
              const controls = [...all].filter(item => {
                const { bottom, height } = item.getBoundingClientRect();
                if (item.closest('.user, #more, .lift') || !item.checkVisibility()) return false;
                if (!height || bottom > innerHeight) return false;
                return !item.contains(hit(item, .5, .5)) && !item.matches('.skip, .jump *');
              });
              return [...people, ...controls].map(item => item.textContent.trim() || item.outerHTML);
            })()
            """

        @Test(arguments: Engine.allCases)
        func everyPersonAndEveryControlCanBePressed(engine: Engine) throws {
            try open(in: engine) { stage in
                for width in [1280, 500] {
                    try stage.browser.resize(width: width, height: 900)
                    for view in ["", "grid", "photos"] {
                        try stage.visit("/people/?lang=de&view=\(view)")
                        #expect(try stage.browser.value(Self.missed, as: [String].self) == [], "\(width) \(view)")
                    }
                }
                // A real click in the middle of a photo.
                let person = ".user:nth-child(3)"
                let path = try stage.browser.value(
                    "document.querySelector('\(person) h2 a').pathname", as: String.self)
                try stage.browser.click(person)
                try stage.browser.wait(until: "location.pathname == '\(path)'")
            }
        }
    }
}
