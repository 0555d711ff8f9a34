import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("Live search")
    struct LiveSearchTests {
        /// An empty result, then users again: the list loads more at its end like a list that was opened this way.
        @Test func afterAnEmptyResultTheListGoesOn() throws {
            let stage = try BrowserFixture.open().visit("/?q=nobodyiscalledso")
            try stage.expectNoReload {
                try stage.run("$('[name=q]').value = ''")
                try stage.type("a", untilAddress: "/?q=a")
                let total = try stage.value("+users.dataset.total", as: Int.self)
                #expect(total > 60)
                try stage.scroll(untilUsers: total)
                #expect(try stage.count == total)
                try stage.type("bsolutelynobody").expectPage("/?q=absolutelynobody")
                #expect(try stage.value("$('#more').getClientRects().length") == 0)
                #expect(try stage.value("$('[role=feed]') == null"))
            }
        }

        @Test func fastTypingSendsOneRequest() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=").visit()
            try stage.type("anna", untilAddress: "/?q=anna")
            #expect(stage.proxy.fragments.count == 1)
        }

        /// A late response does not replace the result of a newer request.
        @Test func anOlderRequestIsAborted() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=")
            stage.proxy.set(next: [.hold])
            try stage.browser.runFirst(
                """
                window.signals = [];
                const original = fetch;
                window.fetch = (url, options) => signals.push(options?.signal) && original(url, options);
                """)
            try stage.visit()
            try stage.type("a")
            try stage.wait(until: "users.dataset.state == 'loading'")
            try stage.type("nn", untilAddress: "/?q=ann")
            stage.proxy.release()
            try stage.drawFrames()
            #expect(stage.proxy.fragments.count == 2)
            #expect(try stage.value("signals.map(signal => signal.aborted)", as: [Bool].self) == [true, false])
            try stage.expectPage("/?q=ann")
        }

        @Test func textBeingComposedIsNotSearchedYet() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=").visit()
            try stage.run("$('[name=q]').focus()")
            for text in ["ㄱ", "기", "김"] {
                try stage.browser.devTools(
                    "Input.imeSetComposition", ["text": text, "selectionStart": 1, "selectionEnd": 1])
                try stage.drawFrames(30)
            }
            #expect(stage.proxy.fragments == [])
            #expect(try stage.value("$('[name=q]').value") == "김")
            try stage.browser.devTools("Input.insertText", ["text": "김"])
            try stage.wait(untilAddress: "/?q=%EA%B9%80")
            #expect(stage.proxy.fragments.count == 1)
        }

        @Test func inDataSaverModeTypingWaitsForEnter() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=")
            try stage.browser.runFirst(BrowserFixture.savingData)
            try stage.visit()
            try stage.expectNoReload {
                try stage.type("ann")
                try stage.drawFrames(40)
                #expect(stage.proxy.fragments == [])
                try stage.browser.type(.enter)
                try stage.wait(untilAddress: "/?q=ann")
            }
        }

        @Test func withoutJavaScriptTheFormSearches() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
            try stage.visit()
            try stage.type("ann")
            try stage.click("form button", until: "location.search.includes('q=ann')")
            #expect(try stage.ids == stage.ids(of: "/?q=ann"))
        }

        @Test func aFailureOffersARetry() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=").withFaults(then: .busy).visit()
            try stage.type("ann")
            try stage.wait(until: "users.dataset.state == 'error'")
            let button = try stage.box("$('#error button')")
            #expect(button.top > 0 && button.bottom < 900)
            // The list in the page is not the one that was requested, so it does not load more.
            try stage.scrollToEnd()
            try stage.drawFrames(30)
            #expect(try stage.count == 30)
            stage.proxy.set()
            try stage.run("scrollTo(0, 0)")
            try stage.click("#error button").expectPage("/?q=ann")
            #expect(try stage.value("$('#error').hidden"))
        }

        @Test func aFailedSearchRunsAgainWhenTheNetworkIsBack() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=").withFaults(then: .busy).visit()
            try stage.type("ann")
            try stage.wait(until: "users.dataset.state == 'error'")
            stage.proxy.set()
            try stage.run("dispatchEvent(new Event('online'))").expectPage("/?q=ann")
        }

        @Test func aLoginPageIsNotShownAsAList() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?q=")
                .withFaults(next: [.page("<title>Log in</title><form></form>")]).visit()
            try stage.type("ann", untilAddress: "/?q=ann")
            #expect(stage.proxy.fragments.count == 2)
            try stage.expectPage("/?q=ann")
        }

        /// However often the user searches, nothing of earlier lists is kept.
        @Test func repeatedSearchesDoNotLeakMemory() throws {
            let stage = try BrowserFixture.open(users: 2_000)
            struct Counters: Decodable { let nodes, jsEventListeners: Int }
            func counters() throws -> Counters {
                try stage.browser.devTools("HeapProfiler.collectGarbage")
                return try stage.browser.devTools("Memory.getDOMCounters", as: Counters.self)
            }
            func find(_ times: Int) throws {
                for _ in 0..<times {
                    for (value, name, address) in [
                        ("name", "sort", "/?sort=name"), ("grid", "view", "/?sort=name&view=grid"),
                        ("", "sort", "/?view=grid"), ("", "view", "/"),
                    ] {
                        try stage.choose(value, of: name, untilAddress: address)
                    }
                }
            }
            try stage.visit()
            try find(3)
            let before = try counters()
            try find(10)
            // The browser frees some memory later.
            try eventually("no memory of earlier lists is kept besides \(before)") {
                let after = try counters()
                return after.nodes < before.nodes + 300 && after.jsEventListeners <= before.jsEventListeners + 5
            }
            try stage.scroll(untilUsers: 200)
            let ids = try stage.ids
            #expect(ids.elementsEqual(stage.everyone.prefix(ids.count)))
            #expect(stage.proxy.mostFlights == 1)
        }
    }
}

extension BrowserFixture {
    /// Types into the search field key by key, faster than the pause that starts a search.
    @discardableResult
    func type(_ text: String, untilAddress address: String? = nil) throws -> BrowserFixture {
        try run(
            """
            const q = $('[name=q]');
            q.focus();
            q.setSelectionRange(999, 999);
            for (const letter of '\(text)') document.execCommand('insertText', false, letter);
            """, until: address.map(isAt))
    }

    /// Selects an option in one of the form's lists, or checks a value of a filter, as a reader does.
    @discardableResult
    func choose(_ value: String, of name: String, untilAddress address: String? = nil) throws -> BrowserFixture {
        try run(
            """
            const select = $('select[name=\(name)]');
            const box = $('input[name=\(name)][value="\(value)"]');
            (select || box).focus();
            if (!select) return box.click();
            select.value = '\(value)';
            for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
            """, until: address.map(isAt))
    }

    func click(_ selector: String, untilAddress address: String) throws { try click(selector, until: isAt(address)) }

    func back(untilAddress address: String) throws { try browser.back(until: isAt(address)) }

    func wait(untilAddress address: String) throws { try wait(until: isAt(address)) }

    private func isAt(_ address: String) -> String { "location.pathname + location.search == '\(address)'" }

    /// Checks that `body` does not load another document, which would lose the marker set here.
    func expectNoReload(_ body: () throws -> Void) throws {
        try browser.run("window.isSame = true")
        try body()
        #expect(try browser.value("window.isSame == true"))
    }

    /// Returns the ids on the server's page at this address.
    func ids(of path: String) throws -> [Int] {
        try Exchange(port: directPort, target: path).text.components(separatedBy: " data-id=\"").dropFirst()
            .compactMap { Int($0.prefix { $0 != "\"" }) }
    }

    /// Waits until the address is this one, and checks that the browser shows what the server's page there contains,
    /// above all the users.
    func expectPage(_ path: String) throws {
        try wait(untilAddress: path)
        let (shown, expected) = (try ids, try ids(of: path))
        #expect(shown.starts(with: expected), "\(path)")
        let parts = try browser.value(
            """
            (async () => {
              const page = new DOMParser().parseFromString(await (await fetch('\(path)')).text(), 'text/html');
              // The people in view depend on the window.
              const line = page => page.querySelector('.line').innerHTML.replace(/(<b>[\\d,]+)–[\\d,]+/, '$1');
              const parts = page => [page.title, page.body.className, line(page),
                page.querySelector('footer').innerHTML, page.querySelector('#users').role, page.querySelector('#users').dataset.total,
                page.querySelector('.earlier a')?.href.replace(/.*\\?/, ''), page.querySelector('[rel=canonical]')?.href];
              return parts(page).map((part, index) => part == parts(document)[index] ? '' : part + ' ≠ ' + parts(document)[index]);
            })()
            """, as: [String].self)
        #expect(parts.joined() == "", "\(path): \(parts)")
    }
}
