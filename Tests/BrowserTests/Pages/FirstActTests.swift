import TestSupport
import Testing

extension BrowserTests {
    /// What a reader does first: with the keyboard, with the mouse, and before all scripts have come.
    @Suite("The first thing that a reader does")
    struct FirstActTests {
        @Test(arguments: Engine.allCases)
        func theKeyboardReachesTheListInAFewStops(engine: Engine) throws {
            let stage = try BrowserFixture.open(width: 1_280, in: engine).visit()
            try stage.run("$$('.skip')[1].focus()")
            try stage.browser.type(.enter)
            try stage.browser.type(.tab)
            #expect(try stage.value("document.activeElement == $('.user')"))
            // Before the search has found anybody.
            try stage.visit()
            try stage.browser.pressMouse(on: "$('[name=q]')")
            try stage.browser.type("ann")
            try stage.browser.type(.down)
            try stage.wait(until: "location.search == '?q=ann' && document.activeElement.matches('.user')")
            #expect(try stage.value("document.activeElement == $('.user')"))
        }

        @Test func theTextOfARowIsSelectedAndStillLeadsToThePerson() throws {
            let stage = try BrowserFixture.open(users: 1_000).visit()
            try stage.browser.dragMouse(over: "$('.facts bdi')")
            let fact = try stage.value("$('.facts bdi').textContent", as: String.self)
            #expect(try stage.value("getSelection().toString()", as: String.self) == fact)
            #expect(try stage.address == "/")
            try stage.browser.pressMouse(on: "$$('.facts')[1]", until: "location.pathname.startsWith('/users/')")
        }

        /// In the element that was there before: screen readers do not announce one that was just inserted.
        @Test func aSearchIsToldOnce() throws {
            let stage = try BrowserFixture.open(users: 1_000, width: 1_280).visit()
            try stage.run(
                """
                window.told = [];
                new MutationObserver(() => told.push($('#status').textContent))
                  .observe($('#status'), { childList: true });
                """)
            try stage.type("an")
            // More than the first page comes, to fill the window.
            try stage.wait(until: "location.search == '?q=an' && $$('.user').length > 30")
            #expect(try stage.value("told", as: [String].self) == [try stage.value("document.title")])
        }

        /// A filter that is chosen and a text that is typed wait for the script.
        @Test(arguments: Engine.allCases)
        func aScriptThatDoesNotComeIsAskedForAgainAndSaysWhy(engine: Engine) throws {
            let stage = try BrowserFixture.open(width: 1_280, faultsAt: "/find.", in: engine)
            stage.proxy.set(then: .answer(503))
            try stage.browser.open(stage.site + "/", until: "users.sentinel?.begin")
            try stage.browser.pressMouse(on: "$('[name=q]')")
            try stage.browser.type("ann", until: "!error.hidden && error.textContent.startsWith('The server is busy.')")
            stage.proxy.set()
            try stage.browser.pressMouse(on: "$('#error button')", until: "location.search == '?q=ann' && error.hidden")
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
            let stage = try BrowserFixture.open(faultsAt: "/start.").visit()
            let scheme = "getComputedStyle(document.documentElement).colorScheme"
            try stage.run("localStorage.theme = 'dark'")
            stage.proxy.set(then: .cut)
            try stage.browser.open(stage.site + "/?sort=name")
            #expect(try stage.value(scheme) == "dark")
            // An address with a theme decides.
            try stage.browser.open(stage.site + "/?theme=light")
            #expect(try stage.value(scheme) == "light")
            stage.proxy.set()
            try stage.visit()
            #expect(try stage.value(scheme) == "dark")
        }

        @Test func printAllPrintsThoseWhoAreNotLoadedYet() throws {
            let stage = try BrowserFixture.open(users: 300).visit()
            try stage.run(
                """
                window.print = () => {
                  dispatchEvent(new Event('beforeprint'));
                  window.paper = [$$('.whole .user').length, $('.count b').textContent];
                  dispatchEvent(new Event('afterprint'));
                }
                """)
            let count = try stage.value("$('.count').textContent", as: String.self)
            try stage.browser.pressMouse(on: "$('.brand summary')", until: "$('.print').checkVisibility()")
            try stage.browser.pressMouse(on: "$('.print')", until: "window.paper")
            #expect(try stage.value("String(paper[0])") == "300")
            #expect(try stage.value("!$('.whole')"))
            #expect(try stage.value("$('.count').textContent") == count)
        }

        @Test func aPositionNearTheEndShowsTheLastFullPageWithThePersonInView() throws {
            let stage = try BrowserFixture.open().visit("/?at=298")
            try stage.wait(until: "$('.user[aria-current]')")
            #expect(try stage.count == 30)
            let marked = "$('.user[aria-current]')"
            #expect(try stage.value("+\(marked).dataset.id") == stage.everyone[297])
            #expect(try stage.value("\(marked).getBoundingClientRect().bottom <= innerHeight && scrollY > 0"))
        }
    }
}
