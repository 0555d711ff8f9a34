import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// What readers press, type and choose, in each engine. The list is below a base path, and the address names a
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
        /// controls. Of a person, the corners must lead there, too.
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
                // A real click in the middle of a photo, and one on its second line.
                for part in ["", " .facts"] {
                    let person = ".user:nth-child(3)"
                    let path = try stage.browser.value(
                        "document.querySelector('\(person) h2 a').pathname", as: String.self)
                    try stage.browser.click(person + part)
                    try stage.browser.wait(until: "location.pathname == '\(path)'")
                    try stage.browser.back()
                    try stage.browser.wait(until: "document.querySelector('.user')")
                }
            }
        }

        /// The address keeps its language whatever is done in place: without it, the request had two question marks.
        @Test(arguments: Engine.allCases)
        func theAddressKeepsItsLanguage(engine: Engine) throws {
            try open(in: engine) { stage in
                let (browser, home) = (stage.browser, "/people/")
                try stage.visit(home + "?lang=de")
                try stage.expectNoReload {
                    try browser.click(".views label:has([value=grid])")
                    try stage.wait(untilAddress: home + "?lang=de&view=grid")
                    try browser.click(".views label:has([aria-label=Liste])")
                    try stage.wait(untilAddress: home + "?lang=de")
                    try browser.type("an", into: "[name=q]")
                    try stage.wait(untilAddress: home + "?q=an&lang=de")
                    try browser.click(".filters summary")
                    try browser.click("[name=department]")
                    try browser.wait(until: "document.querySelector('.chip')")
                    try browser.click(".filters summary")
                    #expect(try stage.address.hasSuffix("&lang=de"))
                    try browser.click(".chip")
                    try stage.wait(untilAddress: home + "?q=an&lang=de")
                    try browser.run("history.back()")
                    try browser.wait(until: "document.querySelector('.chip')")
                    #expect(try browser.value("document.forms.find.q.value", as: String.self) == "an")
                }
                try stage.visit(home + "?lang=de&sort=-reputation")
                try stage.expectNoReload {
                    try browser.click(".place summary")
                    try browser.type("601", into: "#at")
                    try browser.click(".place button")
                    try stage.wait(untilAddress: home + "?at=601&sort=reputation&order=desc&lang=de")
                    #expect(try browser.value("document.querySelector('.user').ariaPosInSet", as: String.self) == "601")
                    // The last stop of the rail leads to a page that is full.
                    try browser.click(".jump a:last-child")
                    try stage.wait(untilAddress: home + "?at=1171&sort=reputation&order=desc&lang=de")
                    #expect(try browser.value("document.querySelectorAll('.user').length", as: Int.self) == 30)
                    #expect(
                        try browser.value("document.querySelector('.jump [aria-current]').textContent", as: String.self)
                            == "1.2k")
                }
                #expect(try browser.value("document.documentElement.lang", as: String.self) == "de")
            }
        }

        /// On a slow line, the form can be used before its script comes (DESIGN §8, ruling 17).
        @Test(arguments: Engine.allCases)
        func whatIsDoneBeforeTheScriptComesIsDoneThen(engine: Engine) throws {
            try open(in: engine, faultsAt: "/people/find.") { stage in
                let browser = stage.browser
                stage.proxy.set(then: .hold)
                func act() throws {
                    try browser.wait(until: "document.querySelector('.user')")
                    try eventually("the page asks for the script") { !stage.proxy.fragments.isEmpty }
                    try browser.type("an", into: "[name=q]")
                    try browser.click(".views label:has([value=grid])")
                    try browser.click(".brand summary")
                    try browser.click(".brand label:has([value=dark])")
                    try browser.click(".brand summary")
                    try browser.click(".filters summary")
                    try browser.click("[name=department]")
                }
                let form = """
                    ['q', 'theme', 'view'].map(name => document.forms.find.elements[name].value)
                      + document.querySelectorAll('#find :checked[name=department]').length
                    """
                try browser.open(stage.site + "/people/?lang=de")
                try act()
                #expect(try browser.value(form, as: String.self) == "an,dark,grid1")
                #expect(try stage.address == "/people/?lang=de")
                // What the browser might restore is nothing that the reader asks for.
                stage.proxy.forget()
                try browser.reload()
                try browser.wait(until: "document.querySelector('.user')")
                #expect(try browser.value(form, as: String.self) == ",,0")
                try act()
                try stage.expectNoReload {
                    stage.proxy.release()
                    try browser.wait(until: "location.search.startsWith('?q=an&department=')")
                    #expect(try stage.address.hasSuffix("&view=grid&lang=de"))
                    #expect(try browser.value("localStorage.theme", as: String.self) == "dark")
                    try browser.wait(until: "document.body.classList.contains('grid')")
                }
                // WebKit resets the form of a page that it kept.
                let address = try stage.address
                try browser.click(".filters summary")
                try browser.click(".user h2 a")
                try browser.wait(until: "location.pathname.includes('/users/')")
                try browser.back()
                try stage.wait(untilAddress: address)
                try stage.waitForScripts()
                try browser.drawFrames()
                #expect(try browser.value(form, as: String.self) == "an,dark,grid1")
                // Nobody has done anything on a page that comes later.
                stage.proxy.forget()
                try browser.run("localStorage.clear()")
                try stage.visit("/people/?lang=de")
                try browser.drawFrames()
                #expect(try stage.address == "/people/?lang=de")
            }
        }
    }
}
