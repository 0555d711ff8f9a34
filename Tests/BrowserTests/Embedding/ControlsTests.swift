import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("Controls and dialog of <rollcall-users>", .tags(.long))
    struct ControlsTests {
        private static let person = "\(root).querySelector('dialog[open] article.person')"
        private static let closed = "!\(root).querySelector('dialog[open]')"

        /// A page at another origin with a policy that allows the directory and nothing else, and a router that keeps
        /// its state in the history.
        private func host(_ stage: BrowserFixture) throws -> HostSite {
            let page = """
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script src="/router.js"></script>
                <script src="\(stage.site)/embed.js" defer></script><h1>Host</h1>
                <rollcall-users src="\(stage.site)/fragment" search filters="type,location" sort open="dialog"><a href="/">All</a></rollcall-users>
                """
            let router = """
                history.replaceState({ router: 7 }, ''); window.log = []; window.violations = 0;
                for (const name of ['ready', 'find', 'open', 'close']) addEventListener('rollcall:' + name, ({ detail }) => log.push([name, detail]));
                addEventListener('securitypolicyviolation', () => violations++);
                window.shortcuts = 0;
                addEventListener('keydown', ({ key }) => document.activeElement.matches('input') || key.length > 1 || shortcuts++);
                """
            let policy =
                "default-src 'none'; script-src 'self' \(stage.site); style-src \(stage.site); img-src 'self' \(stage.site); connect-src \(stage.site)"
            return try HostSite([
                "/": HostSite.Page(page, fields: ["Content-Security-Policy": policy]),
                "/router.js": HostSite.Page(router, fields: ["Content-Type": "text/javascript"]),
            ])
        }

        /// Opens the page, and waits for the controls and the first people.
        @discardableResult private func openList(_ stage: BrowserFixture) throws -> HostSite {
            let host = try host(stage)
            try stage.browser.open(host.url, until: "\(root)?.querySelector('form.find') && \(users).length >= 10")
            return host
        }

        /// The handle of the first person.
        private func handle(_ stage: BrowserFixture) throws -> Substring {
            try stage.path(ofUser: 1).dropFirst("/users/".count)
        }

        private func search(in browser: Browser) throws {
            try browser.pressMouse(on: "\(root).querySelector('[type=search]')")
            try browser.type("an")
        }

        @Test(arguments: Engine.allCases)
        func aReaderFindsPeopleAndOpensThemWithoutLeavingThePage(engine: Engine) throws {
            let stage = try BrowserFixture.open(users: 80, in: engine)
            let host = try openList(stage)
            let browser = stage.browser
            try search(in: browser)
            try browser.wait(until: "log.some(([name, detail]) => name == 'find' && detail.total < 80)")
            // With ten people alone, the page has no scroll bar for a moment, and a wider row of controls.
            try browser.wait(until: "\(users).length > 10")
            #expect(try browser.value("\(root).activeElement.selectionStart") == 2)
            #expect(try browser.value("shortcuts") == 0)
            try browser.pressMouse(on: "\(root).querySelector('summary')")
            try browser.pressMouse(on: "\(root).querySelector('fieldset label')")
            try browser.wait(until: "log.at(-1)[1].query?.includes('type=')")
            #expect(try browser.value("\(root).querySelector('details').open"))
            #expect(try browser.value("log.at(-1)[1].query", as: String.self).hasPrefix("q=an&type="))
            #expect(try browser.value("location.href", as: String.self) == host.url + "/")
            try closeMenus(browser)

            try open(browser)
        }

        /// One menu is open at a time. Escape closes it, and a press beside it.
        private func closeMenus(_ browser: Browser) throws {
            let open = "[...\(root).querySelectorAll('details[open]')].map(menu => menu.dataset.field)"
            #expect(try browser.value(open, as: [String].self) == ["type"])
            try browser.pressMouse(on: "\(root).querySelectorAll('summary')[1]")
            #expect(try browser.value(open, as: [String].self) == ["location"])
            try browser.type("\u{E00C}")
            #expect(try browser.value(open, as: [String].self) == [])
            #expect(try browser.value("\(root).activeElement == \(root).querySelectorAll('summary')[1]"))
            try browser.pressMouse(on: "\(root).querySelectorAll('summary')[1]")
            try browser.pressMouse(on: "$('h1')")
            #expect(try browser.value(open, as: [String].self) == [])
        }

        /// Opens a person by a click, and closes the dialog in each way that a keyboard and the history have.
        private func open(_ browser: Browser) throws {
            try browser.wait(until: "\(users).length > 1")
            try browser.pressMouse(on: "\(users)[1]", until: Self.person)
            #expect(try browser.value("location.hash.startsWith('#person=')"))
            #expect(try browser.value("history.state.router") == 7)
            try browser.type("\u{E00C}", until: "\(Self.closed) && location.hash == ''")
            #expect(try browser.value("\(root).activeElement == \(users)[1].querySelector('h2 a')"))
            try browser.run("history.forward()", until: Self.person)
            try browser.back(until: Self.closed)
            try browser.run("\(users)[0].focus()")
            try browser.type(.enter, until: Self.person)
            try browser.pressMouse(on: "\(root).querySelector('.close')")
            try browser.wait(until: "\(Self.closed) && location.hash == ''")
            #expect(try browser.value("violations") == 0)
            #expect(try browser.value("log.filter(([name]) => name == 'ready').length") == 1)
        }

        @Test func aLinkToAPersonOpensIt() throws {
            let stage = try BrowserFixture.open(users: 80)
            let host = try host(stage)
            try stage.browser.open(host.url + "/#person=\(handle(stage))", until: Self.person)
            try stage.browser.type("\u{E00C}", until: "\(Self.closed) && !location.href.includes('#')")
        }

        @Test(arguments: [1000, 500])
        func thePartsOfAPersonStandBelowEachOtherAndNothingCoversThem(width: Int) throws {
            let stage = try BrowserFixture.open(users: 80, width: width)
            let host = try host(stage)
            try stage.browser.open(host.url + "/#person=\(handle(stage))", until: "\(Self.person)?.checkVisibility()")
            let found = """
                (() => {
                  const close = \(root).querySelector('.close').getBoundingClientRect();
                  const parts = [...\(Self.person).children], boxes = parts.map(part => part.getBoundingClientRect());
                  return parts.filter((part, at) => boxes[at].top < (boxes[at - 1]?.bottom || 0)
                    || boxes[at].top < close.bottom && boxes[at].right > close.left).map(part => part.className);
                })()
                """
            #expect(try stage.value(found, as: [String].self) == [])
        }

        @Test func theButtonCoversNoNameUntilThePersonComes() throws {
            // Each of its lines is full.
            let name = String(repeating: "A", count: 200)
            let lines = [#"{"id": 1, "login": "user1", "name": "\#(name)"}"#]
            let stage = try BrowserFixture.open(directories: [("people", lines)], width: 500)
            let host = try host(stage)
            try stage.browser.open(host.url, until: "\(root) && \(users).length == 1")
            stage.proxy.set(then: .answer(404, ["Access-Control-Allow-Origin": "*"]))
            try stage.browser.pressMouse(on: "\(users)[0].querySelector('h2')")
            try stage.wait(until: "\(root).querySelector('dialog[open] [role=alert]')")
            let isCovered = """
                (() => {
                  const name = document.createRange(), close = \(root).querySelector('.close').getBoundingClientRect();
                  name.selectNodeContents(\(root).getElementById('who'));
                  return [...name.getClientRects()].some(line => line.top < close.bottom && line.right > close.left);
                })()
                """
            #expect(try !stage.value(isCovered))
        }

        /// The page could not be used behind a dialog that nobody sees.
        @Test func aLinkToAPersonInAHiddenTabWaitsForTheTab() throws {
            let stage = try BrowserFixture.open(users: 80)
            let page = """
                <!doctype html><title>Host</title><script src="\(stage.site)/embed.js" defer></script>
                <button onclick="tab.hidden = !tab.hidden">Tab</button>
                <div id="tab" hidden><rollcall-users src="\(stage.site)/fragment" open="dialog"></rollcall-users></div>
                """
            let host = try HostSite(["/": HostSite.Page(page)])
            try stage.browser.open(host.url + "/#person=\(handle(stage))", until: "\(root)?.querySelector('dialog')")
            try stage.drawFrames()
            #expect(try stage.value(Self.closed))
            try stage.browser.pressMouse(on: "$('button')", until: Self.person)
            // The page hides it again, as pages do that follow the size of the window.
            try stage.run("tab.hidden = true", until: Self.closed)
            try stage.browser.pressMouse(on: "$('button')", until: Self.person)
        }

        @Test func backClosesThePersonInTheShadowTreeOfAnotherComponent() throws {
            let stage = try BrowserFixture.open(users: 80)
            let page = """
                <script src="\(stage.site)/embed.js" defer></script><host-box></host-box>
                <script>document.querySelector('host-box').attachShadow({ mode: 'open' }).innerHTML
                  = '<rollcall-users src="\(stage.site)/fragment" open="dialog"></rollcall-users>'</script>
                """
            let root = "$('host-box').shadowRoot.querySelector('rollcall-users').shadowRoot"
            let host = try stage.openHost(page)
            try stage.wait(until: "\(root)?.querySelector('dialog') && \(root).querySelector('.user')")
            try stage.browser.pressMouse(on: "\(root).querySelector('.user')")
            try stage.wait(until: "\(root).querySelector('dialog[open] .person')")
            try stage.browser.back(until: "!\(root).querySelector('dialog[open]')")
            #expect(try stage.value("location.href", as: String.self) == host.url + "/")
        }

        /// Nothing that is typed is lost meanwhile, and the reader knows why.
        @Test(arguments: Engine.allCases)
        func controlsThatDoNotComeAreAskedForAgain(engine: Engine) throws {
            let stage = try BrowserFixture.open(users: 80, faultsAt: "/embed-more.js", in: engine)
            let host = try host(stage)
            stage.proxy.set(then: .answer(503, ["Access-Control-Allow-Origin": "*"]))
            try stage.browser.open(host.url)
            let reason = "\(root).querySelector('#tools [role=alert]')"
            try stage.wait(until: "\(reason)?.textContent.startsWith('The server is busy')")
            stage.proxy.set()
            try stage.run("dispatchEvent(new Event('online'))")
            try stage.wait(until: "\(root).querySelector('form.find') && !\(reason)")
        }

        @Test func whatIsTypedWithoutTheNetworkIsSearchedWhenItIsBack() throws {
            let stage = try BrowserFixture.open(users: 80)
            try openList(stage)
            stage.proxy.set(then: .cut)
            try search(in: stage.browser)
            let result = "\(root).querySelector('.result').textContent"
            try stage.wait(until: "\(result).startsWith('The server cannot be reached')")
            stage.proxy.set()
            try stage.run("dispatchEvent(new Event('online'))")
            // Each letter may have been searched.
            let found = "log.at(-1)[0] == 'find' && \(users)[0]?.ariaSetSize == log.at(-1)[1].total"
            try stage.wait(until: "\(result).includes(' of 80') && \(found)")
        }

        /// The reader finds the same people at the same place: after a reload, and after another page.
        @Test func aReloadReturnsToTheSearchAndThePlace() throws {
            let stage = try BrowserFixture.open(users: 300)
            try openList(stage)
            let browser = stage.browser
            try search(in: browser)
            try browser.wait(until: "log.some(([name]) => name == 'find')")
            for count in [30, 40] {
                try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
                try browser.wait(until: "\(users).length >= \(count)")
            }
            try browser.run("scrollTo(0, 1000)")
            let first = "\(users).find(user => user.getBoundingClientRect().bottom > 0)"
            let (person, top) = (
                try browser.value("\(first).id", as: String.self),
                try browser.value("\(first).getBoundingClientRect().top", as: Double.self)
            )
            try browser.reload(until: "\(root)?.querySelector('form.find') && \(users).length >= 40")
            try browser.wait(until: "\(first)?.id == '\(person)'")
            #expect(try browser.value("\(root).querySelector('[type=search]').value") == "an")
            #expect(try abs(browser.value("\(first).getBoundingClientRect().top", as: Double.self) - top) <= 2)
        }

        @Test func anotherKindOfArticleStaysWhereItStandsAndIsNotCounted() throws {
            let stage = try BrowserFixture.open()
            let body = """
                <article class="user" id="user-1"><h2>One</h2></article><article class="note"><p>A note</p></article>
                <article class="user" id="user-2"><h2>Two</h2></article><p class="end" data-total="2">End</p>
                """
            stage.proxy.set(then: .page(body))
            try stage.openHost("<script src=\"\(stage.site)/embed.js\" defer></script>" + element(stage))
            try stage.wait(until: "\(list).dataset.state == 'end'")
            let classes = "[...\(root).getElementById('users').children].map(item => item.className)"
            #expect(try stage.value(classes, as: [String].self) == ["user", "note", "user"])
            let status = "\(root).getElementById('status').textContent"
            #expect(try stage.value(status, as: String.self).hasPrefix("2 more"))
        }
    }
}
