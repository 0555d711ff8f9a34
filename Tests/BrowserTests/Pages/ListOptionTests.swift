import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("Changing order, view and directory")
    struct ListOptionTests {
        @Test func anotherOrderLoadsWithoutAReload() throws {
            let stage = try BrowserFixture.open(users: 100).visit()
            try stage.expectNoReload {
                try stage.choose("name", of: "sort", untilAddress: "/?sort=name")
                // One menu has both directions of a number.
                try stage.choose("-reputation", of: "sort").expectPage("/?sort=reputation&order=desc")
                #expect(try stage.value("document.activeElement.name") == "sort")
                try stage.scroll(untilUsers: 100)
                #expect(try stage.state == "end")
                #expect(try stage.ids.sorted() == stage.everyone)
            }
        }

        @Test func choosingFilterValuesNeedsNoReload() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.expectNoReload {
                try stage.click(".filters summary")
                try stage.click("[name=type][value=Organization]").expectPage("/?type=Organization")
                let organizations = try stage.count
                #expect(try stage.value("$('.filters').open"))
                #expect(try stage.value("document.activeElement.value") == "Organization")
                try stage.click("[name=type][value=Bot]").expectPage("/?type=Bot&type=Organization")
                #expect(try stage.count > organizations)
                #expect(try stage.value("document.activeElement.value") == "Bot")
                try stage.click("[name=type][value=Organization]", untilAddress: "/?type=Bot")
            }
        }

        @Test func aFieldFindsTheValuesThatTheFormLeavesOut() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.expectNoReload {
                try stage.run("$('.filters').open = true")
                let details = "$('[name=skills]').closest('fieldset').querySelector('details')"
                let rest = try stage.value("\(details).querySelector('a').href", as: String.self)
                #expect(rest.hasSuffix("/fields/skills"))
                try stage.run("\(details).open = true", until: "$('.values')")
                // Not among the twelve that most people have.
                try stage.run(
                    """
                    const field = $('.values');
                    field.focus();
                    field.value = 'LAW';
                    field.dispatchEvent(new Event('input', { bubbles: true }));
                    """, until: "$('[name=skills][value=Law]')")
                try stage.click("[name=skills][value=Law]").expectPage("/?skills=Law")
                #expect(try stage.value("$('[name=skills][value=Law]').checked && \(details).open", as: Bool.self))
            }
        }

        /// Starts from a link into the middle of the list, where the form is shown beside users other than the first.
        @Test func anotherViewBeginsWithTheUserInView() throws {
            let stage = try BrowserFixture.open()
            let link = "/?since=\(stage.everyone[149])"
            try stage.visit(link)
            try stage.expectNoReload {
                try stage.choose("grid", of: "view").expectPage(link + "&view=grid")
                #expect(try stage.firstInView == stage.everyone[150])
                // Earlier users may have loaded above in the meantime.
                try stage.scroll(untilUsers: 60)
                try stage.run("window.scrollTo(0, 0)")
                let row = try stage.ids.prefix(2)
                try stage.choose("", of: "view")
                try stage.wait(until: "!document.body.classList.contains('grid')")
                #expect(try row.contains(stage.firstInView))
            }
        }

        /// Both when the page is still in the back/forward cache and when it has to be loaded again.
        @Test(arguments: [true, false])
        func backAndForwardRestoreListsAndPositions(isKept: Bool) throws {
            let stage = try BrowserFixture.open(isWhole: isKept)
            try stage.noteWhetherKept(isKept)
            // In the middle of the list, where the form is beside those users.
            let address = "/?since=\(stage.everyone[149])"
            try stage.visit(address)
            try stage.run("scrollBy(0, 50)", until: "history.state?.top")
            let place = try stage.top(ofUser: 151)

            try stage.type("ann", untilAddress: "/?q=ann")
            try stage.type("i").expectPage("/?q=anni")
            try stage.choose("grid", of: "view", untilAddress: "/?q=anni&view=grid")
            try stage.click(".user h2 a", until: "location.pathname.includes('/users/')")

            try stage.back(untilAddress: "/?q=anni&view=grid")
            try stage.wait(until: "wasKept == \(isKept) && document.readyState == 'complete'")
            try stage.expectPage("/?q=anni&view=grid")
            try stage.browser.back(until: "!document.body.classList.contains('grid')")
            try stage.expectPage("/?q=anni")
            #expect(try stage.value("$('[name=q]').value") == "anni")
            #expect(try stage.value("document.forms.find.elements.view.value") == "")

            // One step back undoes all the typing and returns to the reader's position. The search finds 151, too.
            try stage.browser.back(until: "$('\(stage.user(152))')")
            #expect(try stage.address == address)
            let (top, words) = (try stage.top(ofUser: 151), try stage.value("$('[name=q]').value", as: String.self))
            #expect(abs(top - place) <= 2)
            #expect(words == "")
            try stage.scroll(untilUsers: 60)

            try stage.run("history.go(2)", until: "document.body.classList.contains('grid')")
            try stage.expectPage("/?q=anni&view=grid")
        }

        @Test func enterAddsTheSearchToTheHistory() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.type("ann", untilAddress: "/?q=ann")
            try stage.browser.type(.enter)
            try stage.drawFrames(30)
            #expect(try stage.value("document.activeElement.name") == "q")
            try stage.type("i", untilAddress: "/?q=anni")
            try stage.browser.back(until: "location.search == '?q=ann' && document.title.includes('“ann”')")
            try stage.expectPage("/?q=ann")
            try stage.browser.back(until: "$('\(stage.user(1))')")
            try stage.expectPage("/")
        }

        /// A delayed update of the address for one list fires after the reader has gone back to another.
        @Test func theAddressOfOneListIsNotAppliedToAnother() throws {
            let stage = try BrowserFixture.open(faultsAt: "/?since=")
            let address = "/?since=\(stage.everyone[149])"
            try stage.visit(address)
            try stage.type("a", untilAddress: "/?q=a")
            stage.proxy.set(next: [.hold])
            try stage.back(untilAddress: address)
            try stage.run("scrollBy(0, 300)")
            try stage.drawFrames(40)
            try stage.wait(untilAddress: address)
            stage.proxy.release()
            try stage.wait(until: "!document.title.includes('“')")
            #expect(try stage.firstInView == stage.everyone[150])
        }

        @Test func afterASwitchFarDownTheListStartsInView() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.scroll(untilUsers: 200)
            try stage.run(
                "const sort = $('[name=sort]'); sort.value = 'name'; sort.focus({ preventScroll: true });"
                    + "sort.dispatchEvent(new Event('input', { bubbles: true }))")
            try stage.wait(untilAddress: "/?sort=name")
            let top = "$('.user').getBoundingClientRect().top"
            #expect(try stage.value("\(top) >= 0 && \(top) < innerHeight"))
        }

        /// Opens two teams whose members have the same types, the same number of each.
        private func openTeams() throws -> BrowserFixture {
            let directories = ["team", "guests"].map { slug in
                let lines = (1...40).map { id in
                    #"{"id": \#(id), "login": "\#(slug)\#(id)", "type": "\#(id % 2 == 0 ? "even" : "odd")"}"#
                }
                return (slug, lines)
            }
            return try BrowserFixture.open(directories: directories)
        }

        @Test func theMenuLeadsToAnotherDirectoryWithItsForm() throws {
            let stage = try openTeams()
            let browser = stage.browser
            try stage.visit()
            try stage.choose("odd", of: "type", untilAddress: "/?type=odd")
            try browser.wait(until: "users.dataset.total == '20'")
            try browser.click(".brand summary")
            try stage.click(".menu a[href*=guests]", untilAddress: "/?directory=guests")
            try stage.waitForScripts()
            try stage.expectPage("/?directory=guests")
            // Nothing has been selected in `guests` yet.
            #expect(try browser.value("!$('[name=type]:checked')"))
            try stage.scroll(untilUsers: 40)
            #expect(try stage.ids == Array(1...40))
            // The address follows the reader, and is what Back leads to.
            let end = try stage.settledAddress()
            #expect(end.hasPrefix("/?directory=guests&since="))
            try stage.expectNoReload {
                try stage.choose("even", of: "type").expectPage("/?type=even&directory=guests")
                try stage.back(untilAddress: end)
            }
            try browser.back(until: "location.search.includes('type=odd') && users.dataset.total == '20'")
            #expect(try browser.value("!$('[name=directory]')"))
        }

        @Test func withoutJavaScriptAnotherDirectoryIsShownWhole() throws {
            let stage = try openTeams()
            try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
            try stage.visit("/?type=odd")
            try stage.click(".brand summary")
            try stage.click(".menu a[href*=guests]", until: "location.search.includes('directory=guests')")
            #expect(try stage.value("$('.count b').textContent") == "40")
            #expect(try stage.ids == Array(1...30))
            try stage.choose("even", of: "type")
            try stage.click("form button", until: "location.search.includes('type=even')")
            #expect(try stage.value("$('.count b').textContent") == "20")
        }

        /// Nothing else in the form changes.
        @Test func countsFollowTheSearchWhileTheFieldStays() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.run("window.before = document.forms.find.q")
            let users = "$('[name=type][value=User] ~ span').textContent"
            let all = try stage.value(users, as: String.self)
            try stage.type("ann", untilAddress: "/?q=ann")
            try stage.wait(until: "\(users) != '\(all)'")
            #expect(try stage.value("document.activeElement.name + document.forms.find.q.value") == "qann")
            try stage.choose("Organization", of: "type", untilAddress: "/?q=ann&type=Organization")
            try stage.wait(until: "$('[name=type][value=Organization]').checked")
            #expect(try stage.value("document.forms.find.q == before"))
            #expect(
                try stage.value("$('#status').textContent", as: String.self)
                    .contains(/^Organization · “ann” – \d+ (people|person) in .+/))
        }
    }
}
