import TestSupport
import Testing

extension BrowserTests {
    /// What a reader does first: with the keyboard, with the mouse, and before all scripts have come.
    @Suite("The first thing that a reader does")
    struct FirstActTests {
        @Test(arguments: Engine.allCases)
        func theKeyboardReachesTheListInAFewStops(engine: Engine) throws {
            let stage = try BrowserFixture.open(width: 1_280, in: engine).visit()
            try stage.browser.run("document.querySelectorAll('.skip')[1].focus()")
            try stage.browser.type(.enter)
            try stage.browser.type(.tab)
            #expect(try stage.browser.value("document.activeElement == document.querySelector('.user')"))
            // Before the search has found anybody.
            try stage.visit()
            try stage.browser.pressMouse(on: "document.querySelector('[name=q]')")
            try stage.browser.type("ann")
            try stage.browser.type(.down)
            try stage.browser.wait(until: "location.search == '?q=ann' && document.activeElement.matches('.user')")
            #expect(try stage.browser.value("document.activeElement == document.querySelector('.user')"))
        }

        @Test func theTextOfARowIsSelectedAndStillLeadsToThePerson() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit()
            try stage.browser.dragMouse(over: "document.querySelector('.facts bdi')")
            let fact = try stage.browser.value("document.querySelector('.facts bdi').textContent", as: String.self)
            #expect(try stage.browser.value("getSelection().toString()", as: String.self) == fact)
            #expect(try stage.address == "/")
            try stage.browser.pressMouse(on: "document.querySelectorAll('.facts')[1]")
            try stage.browser.wait(until: "location.pathname.startsWith('/users/')")
        }

        /// In the element that was there before: screen readers do not announce one that was just inserted.
        @Test func aSearchIsToldOnce() throws {
            let stage = try BrowserFixture.open(users: 1_000, width: 1_280).visit()
            try stage.browser.run(
                """
                window.told = [];
                new MutationObserver(() => told.push(document.getElementById('status').textContent))
                  .observe(document.getElementById('status'), { childList: true });
                """)
            try stage.type("an")
            // More than the first page comes, to fill the window.
            try stage.browser.wait(
                until: "location.search == '?q=an' && document.querySelectorAll('.user').length > 30")
            #expect(try stage.browser.value("told", as: [String].self) == [try stage.browser.value("document.title")])
        }

        /// A filter that is chosen and a text that is typed wait for the script.
        @Test(arguments: Engine.allCases)
        func aScriptThatDoesNotComeIsAskedForAgainAndSaysWhy(engine: Engine) throws {
            let stage = try BrowserFixture.open(width: 1_280, faultsAt: "/find.", in: engine)
            stage.proxy.set(then: .answer(503))
            try stage.browser.open(stage.site + "/")
            try stage.browser.wait(until: "users.sentinel?.begin")
            try stage.browser.pressMouse(on: "document.querySelector('[name=q]')")
            try stage.browser.type("ann")
            try stage.browser.wait(until: "!error.hidden && error.textContent.startsWith('The server is busy.')")
            stage.proxy.set()
            try stage.browser.pressMouse(on: "document.querySelector('#error button')")
            try stage.browser.wait(until: "location.search == '?q=ann' && error.hidden")
        }

        /// Before the scripts run, which wait for the whole page.
        @Test func whatIsTypedBeforeTheFirstScriptIsSearched() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.runFirst(
                """
                new MutationObserver((changes, observer) => {
                  const q = document.querySelector('[name=q]');
                  if (!q || location.search) return;
                  observer.disconnect();
                  q.focus();
                  document.execCommand('insertText', false, 'ann');
                }).observe(document, { childList: true, subtree: true });
                """)
            try stage.browser.open(stage.site + "/")
            try stage.wait(untilAddress: "/?q=ann")
        }

        /// Neither before the scripts nor after them is the page light.
        @Test func aChosenDarkIsDarkBeforeTheScripts() throws {
            let stage = try BrowserFixture.open(faultsAt: "/start.")
            let scheme = "getComputedStyle(document.documentElement).colorScheme"
            try stage.visit()
            try stage.browser.run("localStorage.theme = 'dark'")
            stage.proxy.set(then: .cut)
            try stage.browser.open(stage.site + "/?sort=name")
            #expect(try stage.browser.value(scheme) == "dark")
            // An address with a theme decides.
            try stage.browser.open(stage.site + "/?theme=light")
            #expect(try stage.browser.value(scheme) == "light")
            stage.proxy.set()
            try stage.visit()
            #expect(try stage.browser.value(scheme) == "dark")
        }

        @Test func printAllPrintsThoseWhoAreNotLoadedYet() throws {
            let stage = try BrowserFixture.open(users: 300).visit()
            try stage.browser.run(
                """
                window.print = () => {
                  dispatchEvent(new Event('beforeprint'));
                  window.paper = [document.querySelectorAll('.whole .user').length, document.querySelector('.count b').textContent];
                  dispatchEvent(new Event('afterprint'));
                }
                """)
            let count = try stage.browser.value("document.querySelector('.count').textContent", as: String.self)
            try stage.browser.pressMouse(on: "document.querySelector('.brand summary')")
            try stage.browser.wait(until: "document.querySelector('.print').checkVisibility()")
            try stage.browser.pressMouse(on: "document.querySelector('.print')")
            try stage.browser.wait(until: "window.paper")
            #expect(try stage.browser.value("String(paper[0])") == "300")
            #expect(try stage.browser.value("!document.querySelector('.whole')"))
            #expect(try stage.browser.value("document.querySelector('.count').textContent") == count)
        }

        @Test func aPositionNearTheEndShowsTheLastFullPageWithThePersonInView() throws {
            let stage = try BrowserFixture.open().visit("/?at=298")
            try stage.browser.wait(until: "document.querySelector('.user[aria-current]')")
            #expect(try stage.count == 30)
            let marked = "document.querySelector('.user[aria-current]')"
            #expect(try stage.browser.value("+\(marked).dataset.id") == stage.everyone[297])
            #expect(try stage.browser.value("\(marked).getBoundingClientRect().bottom <= innerHeight && scrollY > 0"))
        }
    }
}
