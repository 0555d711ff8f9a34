import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// Readers press, type and choose in each engine. The list is below a base path, and the address names a
    /// language, as links from embeds do.
    @Suite("What a reader does", .tags(.long))
    struct ActTests {
        private func open(in engine: Engine, faultsAt path: String = "/fragment") throws -> BrowserFixture {
            try BrowserFixture.open(
                users: 1_000, width: 1000, options: ["--base-path", "/people"], faultsAt: path, in: engine)
        }

        /// Returns what is not hit by a click in the middle of it: people whose link something else covers, and
        /// controls. The corners of a person must lead there, too.
        private static let missed = """
            (() => {
              const hit = (element, x, y) => {
                const { left, top, width, height } = element.getBoundingClientRect();
                return document.elementFromPoint(left + width * x, top + height * y);
              };
              const people = $$('.user:not([aria-label])').filter(person => {
                person.scrollIntoView({ block: 'center', behavior: 'instant' });
                const link = person.querySelector('h2 a');
                return ![[.5, .5], [.5, .9], [.1, .15], [.9, .1]].every(([x, y]) => link.contains(hit(person, x, y)));
              });
              scrollTo(0, 0);
              const all = $$('a[href], button, select, summary, label:has(input)');
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
            let stage = try open(in: engine)
            for width in [1280, 500] {
                try stage.browser.resize(width: width, height: 900)
                for view in ["", "grid", "photos"] {
                    try stage.visit("/people/?lang=de&view=\(view)")
                    #expect(try stage.value(Self.missed, as: [String].self) == [], "\(width) \(view)")
                }
            }
        }

        /// Switch, search, tick, take back, sort, go to a number and to a letter, open a person, return: in every view
        /// of one engine, and in one view of the others.
        @Test(arguments: Engine.allCases)
        func everythingKeepsTheLanguageAndTheView(engine: Engine) throws {
            let stage = try open(in: engine)
            try stage.browser.resize(width: 1280, height: 900)
            try stage.visit("/people/?lang=de")
            for view in engine == .chromium ? ["", "grid", "photos"] : ["photos"] {
                let reader = Reader(stage: stage)
                var place = ["lang": "de"]
                func expect(_ changes: [String: String?]) throws {
                    for (name, value) in changes { place[name] = value }
                    try reader.expect(place)
                }
                if !view.isEmpty {
                    try reader.chooseView(view)
                    try expect(["view": view])
                }
                try reader.search("an")
                try expect(["q": "an"])
                try reader.tick("department", "Web")
                try expect(["department": "Web"])
                try reader.press(".chip")
                try expect(["department": nil])
                try reader.eraseSearch()
                try expect(["q": nil])
                try reader.sort(view)
                try expect(["sort": "name"])
                try reader.go(toNumber: 601)
                try expect(["at": "601"])
                #expect(try stage.value("$('.user').ariaPosInSet") == "601")
                try reader.press(".jump a[href*='letter=M']")
                // A letter implies the order.
                try expect(["at": nil, "sort": nil, "letter": "M"])

                let person = try stage.value("$$('.user h2 a')[1].pathname", as: String.self)
                try reader.press(".user:nth-child(2)")
                try stage.wait(until: "location.pathname == '\(person)' && document.readyState == 'complete'")
                #expect(try stage.value("document.documentElement.lang") == "de")
                try reader.press(".crumb")
                try stage.wait(until: "location.pathname == '/people/'")
                try stage.waitForScripts()
                try expect([:])
                try reader.press(".brand h1 a")
                try stage.wait(until: "location.search == '?lang=de' && document.readyState == 'complete'")
                try stage.waitForScripts()
            }
        }

        /// Over a slow line, `find.js` comes long after the first touch of the form.
        @Test(arguments: Engine.allCases)
        func whatIsDoneBeforeTheScriptComesIsDoneThen(engine: Engine) throws {
            let stage = try open(in: engine, faultsAt: "/people/find.")
            try stage.browser.resize(width: 1280, height: 900)
            let page = try Exchange(port: stage.directPort, target: "/people/").text
            let path = try #require(page.firstMatch(of: /data-find="([^"]*)"/)).output.1
            let script = try Exchange(port: stage.directPort, target: String(path)).text
            // So that every page waits for it again.
            let fields = ["Content-Type": "text/javascript", "Cache-Control": "no-store"]
            let reader = Reader(stage: stage)
            func early(in view: String, _ expected: [String: String], _ acts: () throws -> Void) throws {
                stage.proxy.forget()
                stage.proxy.set(then: .holdThen(.answer(200, fields, body: script)))
                let start = ["lang": "de"].merging(view.isEmpty ? [:] : ["view": view]) { $1 }
                try stage.browser.open(stage.site + "/people/?" + start.map { "\($0)=\($1)" }.joined(separator: "&"))
                try stage.wait(until: "users.sentinel.begin")
                #expect(stage.proxy.fragments == [])
                try acts()
                try eventually("find.js is asked for") { stage.proxy.fragments.count == 1 }
                try stage.drawFrames(5)
                #expect(try reader.parameters == start)
                stage.proxy.release()
                try reader.expect(start.merging(expected) { $1 })
            }
            // Each alone in one engine; in the others all of them.
            let isFirst = engine == .chromium
            if isFirst {
                try early(in: "", ["q": "an"]) { try reader.search("an") }
                try early(in: "", ["department": "Web"]) { try reader.tick("department", "Web") }
                try early(in: "", ["sort": "name"]) { try reader.sort("") }
                try early(in: "", ["view": "grid"]) { try reader.chooseView("grid") }
            }
            for (view, other) in [("", "photos"), ("grid", "photos"), ("photos", "grid")].prefix(isFirst ? 3 : 1) {
                try early(in: view, ["q": "an", "department": "Web", "sort": "name", "view": other]) {
                    try reader.search("an")
                    try reader.tick("department", "Web")
                    try reader.chooseView(other)
                    try reader.sort(other)
                }
            }
        }
    }
}

/// Somebody with a mouse and a keyboard. The list is at `/people/`.
private struct Reader {
    let stage: BrowserFixture

    private var browser: Browser { stage.browser }

    func press(_ selector: String) throws { try browser.pressMouse(on: "$(\"\(selector)\")") }

    func chooseView(_ view: String) throws { try press("label:has(> [name=view][value='\(view)'])") }

    func search(_ text: String) throws {
        try press("[name=q]")
        try browser.type(text)
    }

    func eraseSearch() throws {
        try press("[name=q]")
        try browser.type("a", with: .control)
        try browser.type(.backspace)
    }

    func tick(_ name: String, _ value: String) throws { try press("label:has(> [name=\(name)][value='\(value)'])") }

    /// Chooses the second order in the menu, which is before the switch of views, with keys.
    func sort(_ view: String) throws {
        try press("label:has(> [name=view][value='\(view)'])")
        try browser.type(Browser.Key.tab.rawValue, with: .shift)
        #expect(try browser.value("document.activeElement.name") == "sort")
        try browser.type(.down)
    }

    func go(toNumber number: Int) throws {
        try press(".place summary")
        try press("#at")
        try browser.type("\(number)")
        try browser.type(.enter)
    }

    var parameters: [String: String] {
        get throws { try browser.value("Object.fromEntries(new URLSearchParams(location.search))") }
    }

    /// Waits until the address has these parameters, and checks that the list is the one that it names.
    func expect(_ parameters: [String: String]) throws {
        let wanted = parameters.map { "query.get('\($0)') == '\($1)'" }.joined(separator: " && ")
        try browser.wait(
            until: """
                (query => \(wanted) && query.size == \(parameters.count))(new URLSearchParams(location.search))
                  && users.dataset.state != 'loading' && users.sentinel.find
                """)
        #expect(try browser.value("location.pathname + document.documentElement.lang") == "/people/de")
        let (shown, expected) = (try stage.ids, try stage.ids(of: stage.address))
        #expect(!expected.isEmpty && shown.starts(with: expected), "\(parameters)")
        #expect(try browser.value("document.body.className.includes('\(parameters["view"] ?? "")')"))
    }
}
