import TestSupport
import Testing

extension BrowserTests {
    @Suite("<rollcall-users> in another site's page")
    struct EmbedTests {
        /// Opens a page at another origin that contains `body` and the element's script, and waits for people.
        @discardableResult private func host(
            _ stage: BrowserFixture, fields: [String: String] = [:], _ body: String, untilUsers count: Int = 0
        ) throws -> Browser {
            try stage.openHost("<script src=\"\(stage.site)/embed.js\" defer></script>" + body, fields: fields)
            if count > 0 { try waitForUsers(stage.browser, count) }
            return stage.browser
        }

        private func waitForUsers(_ browser: Browser, _ count: Int) throws {
            try browser.wait(until: "\(users).length >= \(count)")
        }

        private func ids(_ browser: Browser) throws -> [Int] {
            try browser.value("\(users).map(user => +user.dataset.id)")
        }

        /// The rows have the fields of the directory's own pages, and a site styles each by its key.
        @Test func fieldsOfRowsAreParts() throws {
            let stage = try BrowserFixture.open(users: 80)
            let style = "<style>rollcall-users::part(title) { letter-spacing: 5px }</style>"
            let browser = try host(stage, style + element(stage), untilUsers: 10)
            let title = "\(root).querySelector('.facts [data-field=title]')"
            #expect(try browser.value("\(title).textContent", as: String.self) != "")
            #expect(try browser.value("\(title).part.value") == "title")
            #expect(try browser.value("getComputedStyle(\(title)).letterSpacing") == "5px")
            let facts = "\(title).parentNode"
            #expect(try browser.value("\(facts).part.value") == "facts")
            // The fields share the second line, below the name and beside the picture.
            #expect(try browser.value("\(facts).offsetTop > \(facts).previousElementSibling.offsetTop"))
            #expect(try browser.value("\(facts).offsetLeft == \(facts).previousElementSibling.offsetLeft"))
        }

        /// Pages of other sites have the name that a directory had once.
        @Test(arguments: Engine.allCases)
        func aDirectoryThatHasMovedIsShown(engine: Engine) throws {
            let stage = try BrowserFixture.open(users: 80, in: engine)
            let fields = ["Location": "/fragment?per_page=20", "Access-Control-Allow-Origin": "*"]
            stage.proxy.set(next: [.answer(301, fields)])
            try host(stage, element(stage), untilUsers: 20)
        }

        /// Every face of a wall is a link, in the element, in a plain fragment and in a frame's page.
        @Test(arguments: Engine.allCases)
        func aFaceOpensItsPerson(engine: Engine) throws {
            let stage = try BrowserFixture.open(users: 80, in: engine)
            func pressFace(of users: String) throws {
                try stage.wait(until: "\(users).length >= 30")
                let person: String = try stage.value("\(users)[4].querySelector('h2 a').href")
                try stage.browser.pressMouse(on: "\(users)[4]", until: "location.href == '\(person)'")
            }
            try host(stage, element(stage, "?view=wall"))
            try pressFace(of: users)
            let fragment = try Exchange(port: stage.proxy.port, target: "/fragment?view=wall&embed=html").text
            let plain =
                "<link rel=stylesheet href=\(stage.site)/fragment.css><div class='rollcall wall'>\(fragment)</div>"
            try host(stage, plain)
            try pressFace(of: "$$('.user')")
            try stage.visit("/?embed=1&view=wall")
            try pressFace(of: "$$('.user')")
        }

        /// A wall is one page of faces: 44 px each, named for everybody, with a link to the rest.
        @Test func aWallShowsFacesAndHowManyMoreThereAre() throws {
            let stage = try BrowserFixture.open(users: 80)
            let browser = try host(stage, element(stage, "?view=wall"), untilUsers: 30)
            let rest = "\(more).querySelector('a.rest')"
            try browser.wait(until: "\(rest) && getComputedStyle(\(users)[0]).display == 'block'")
            #expect(try browser.value("\(rest).textContent") == "+50 more")
            #expect(try browser.value("\(rest).href", as: String.self) == stage.site + "/")
            let box = "\(users)[0].getBoundingClientRect()"
            #expect(try browser.value("\(box).width >= 44 && \(box).height >= 44 && \(box).height < 70"))
            let isNamed =
                "\(users).every(user => user.title && user.title == user.querySelector('h2 a').textContent)"
            #expect(try browser.value(isNamed))
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            try browser.drawFrames(10)
            #expect(try ids(browser).count == 30)
        }

        @Test(arguments: ["list", "grid", "wall"])
        func withColoursOfItsOwnNothingTouchesItsEdges(view: String) throws {
            let stage = try BrowserFixture.open(users: 80)
            let browser = try host(stage, element(stage, "?view=\(view)&theme=dark"), untilUsers: 10)
            let link = "\(more).querySelector('.next, .rest')"
            try browser.wait(until: "\(link) && getComputedStyle(\(users)[0]).position == 'relative'")
            // From the box to the first face, to the end of the rows, and to the link below them.
            let distances = """
                (() => {
                  const rect = node => node.getBoundingClientRect(), face = rect(\(users)[0].querySelector('.avatar'));
                  const end = Math.max(...\(users).map(user => rect(user).right));
                  const last = rect(\(link)), box = rect(\(list));
                  return [face.left - box.left, face.top - box.top, box.right - end, box.bottom - last.bottom];
                })()
                """
            let found = try browser.value(distances, as: [Double].self)
            #expect(found.allSatisfy { $0 >= 12 }, "\(found)")
        }

        /// Without any setting it is legible on a dark page that says nothing of its colours.
        @Test func itWearsTheClothesOfItsHost() throws {
            let stage = try BrowserFixture.open()
            let style = "<style>body { background: #0b1e1c; color: rgb(216, 239, 232); font: 20px monospace }</style>"
            let other = element(stage, "?theme=dark&amp;per_page=3")
            let browser = try host(stage, style + element(stage) + other, untilUsers: 10)
            let name = "getComputedStyle(\(users)[0].querySelector('h2 a'))"
            try browser.wait(until: "\(name).fontWeight == '600'")
            #expect(try browser.value("\(name).color") == "rgb(216, 239, 232)")
            #expect(try browser.value("\(name).fontFamily + \(name).fontSize") == "monospace20px")
            let themed = "getComputedStyle($$('rollcall-users')[1])"
            try browser.wait(until: "\(themed).backgroundColor == 'rgb(19, 18, 23)'")
            #expect(try browser.value("\(themed).color") == "rgb(242, 241, 245)")
        }

        @Test func itLoadsEveryUserOnceAndInOrderAsTheReaderScrolls() throws {
            let stage = try BrowserFixture.open(users: 80)
            let browser = try host(stage, element(stage), untilUsers: 10)
            #expect(try ids(browser).count < 80)
            while try browser.value("\(list).dataset.state", as: String.self) != "end" {
                try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
                try browser.drawFrames(2)
            }
            #expect(try ids(browser) == stage.everyone)
            let links = "[...\(root).querySelectorAll('a')].map(link => link.getAttribute('href'))"
            #expect(try browser.value(links, as: [String].self).allSatisfy { $0.hasPrefix(stage.site + "/") })
            #expect(stage.proxy.mostFlights == 1)
            #expect(try browser.value("\(more).querySelector('.end') != null"))
            #expect(try browser.value("\(root).getElementById('status').textContent") == "10 more, 80 of 80")
        }

        @Test func itWatchesTheScrollingBoxAroundIt() throws {
            let stage = try BrowserFixture.open()
            let box = "<div id=\"box\" style=\"height: 300px; overflow: auto\">\(element(stage))</div>"
            let browser = try host(stage, box, untilUsers: 10)
            try browser.drawFrames()
            let count = try ids(browser).count
            #expect(count <= 20)
            try browser.run("box.scrollTo(0, box.scrollHeight)")
            try waitForUsers(browser, count + 10)
            #expect(try stage.everyone.starts(with: ids(browser)))
        }

        @Test func severalElementsOnOnePageAreIndependent() throws {
            let stage = try BrowserFixture.open()
            let second = element(stage, "?per_page=5&amp;order=desc")
            let browser = try host(stage, element(stage, "?per_page=3") + second, untilUsers: 3)
            let last = "$$('rollcall-users')[1].shadowRoot.querySelector('.user')"
            try browser.wait(until: last)
            #expect(try ids(browser).first == stage.everyone.first)
            #expect(try browser.value("+\(last).dataset.id") == stage.everyone.last)
        }

        /// Its people stay, and the page hears once that it is ready.
        @Test func aNewSourceRestartsItAndANewParentDoesNot() throws {
            let stage = try BrowserFixture.open()
            let count = "<script>window.ready = 0; addEventListener('rollcall:ready', () => ready++)</script>"
            let browser = try host(stage, count + element(stage) + "<main></main>", untilUsers: 10)
            try browser.run("\(list).setAttribute('src', '\(stage.site)/fragment?order=desc')")
            try browser.wait(until: "+\(users)[0]?.dataset.id == \(stage.everyone.last ?? 0)")
            try browser.wait(until: "\(list).dataset.state == 'idle' && \(users).length >= 40")
            try browser.run("window.first = \(users)[0]; $('main').append(\(list))")
            try browser.drawFrames()
            #expect(try browser.value("\(users)[0] == first && ready == 1"))
            // It may read ahead at its new place, and asks for nothing again.
            #expect(Set(stage.proxy.fragments).count == stage.proxy.fragments.count)
            try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
            try waitForUsers(browser, 50)
        }

        @Test func itWorksUnderAStrictPolicyWithTrustedTypes() throws {
            let stage = try BrowserFixture.open()
            let policy = """
                default-src 'none'; script-src \(stage.site); style-src \(stage.site); connect-src \(stage.site); \
                img-src https:; trusted-types 'none'; require-trusted-types-for 'script'
                """
            try stage.browser.runFirst(
                """
                window.broken = [];
                addEventListener('securitypolicyviolation', e => broken.push(e.violatedDirective + ' ' + e.blockedURI));
                """)
            let browser = try host(stage, fields: ["Content-Security-Policy": policy], element(stage), untilUsers: 10)
            try browser.wait(until: "getComputedStyle(\(users)[0]).display == 'grid'")
            let faults = try browser.value("broken", as: [String].self)
            #expect(faults.filter { !$0.hasPrefix("img-src") && !$0.hasSuffix("/favicon.ico") } == [])
        }

        @Test func stylesDoNotLeakInOrOut() throws {
            let stage = try BrowserFixture.open()
            let style = """
                <style>* { display: inline !important } rollcall-users { display: block !important; --rollcall-accent: #f00 }
                rollcall-users::part(name) { letter-spacing: 3px }</style><p class="user">Mine</p>
                """
            let browser = try host(stage, style + element(stage), untilUsers: 10)
            try browser.wait(until: "getComputedStyle(\(users)[0]).display == 'grid'")
            let name = "\(users)[0].querySelector('h2')"
            #expect(try browser.value("getComputedStyle(\(name)).letterSpacing") == "3px")
            #expect(try browser.value("getComputedStyle($('p.user')).display") == "inline")
            let next = "getComputedStyle(\(more).querySelector('.next')).color"
            #expect(try browser.value(next) == "rgb(255, 0, 0)")
        }

        @Test func aFailureLeavesTheFallbackAndARetryButton() throws {
            let stage = try BrowserFixture.open()
            // The script does not wait for more than a minute.
            let fields = [
                "Retry-After": "90", "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After",
            ]
            stage.proxy.set(then: .answer(503, fields))
            let browser = try host(stage, element(stage))
            try browser.wait(until: "\(list).dataset.state == 'error'")
            #expect(stage.proxy.fragments.count == 1)
            #expect(try browser.value("\(more).querySelector('slot').assignedElements().length") == 1)
            #expect(try browser.value("\(users).length") == 0)
            #expect(
                try browser.value("\(more).querySelector('[role=alert]').innerText") == "The server is busy. Try again")
            stage.proxy.set()
            try browser.run("\(more).querySelector('button').click()")
            try waitForUsers(browser, 10)
            #expect(try ids(browser).prefix(10) == stage.everyone.prefix(10))
        }

        @Test func aLoginPageInsteadOfAFragmentIsRejected() throws {
            let stage = try BrowserFixture.open().withFaults(next: [.page("<form>Sign in</form>")])
            let browser = try host(stage, element(stage), untilUsers: 10)
            #expect(try browser.value("\(root).querySelector('form') == null"))
        }

        @Test func noScriptInAFragmentRunsInThePage() throws {
            let body = #"""
                <article class="user" id="user-1" onclick="ran = 1"><img src="data:," alt="" onerror="ran = 1"><script>ran = 1</script>\
                <iframe srcdoc="<script>parent.ran = 1</script>"></iframe>\
                <form onfocusin="ran = 1"><input name="attributes"><input name="attributes"></form>\
                <svg onload="ran = 1"><a xlink:href="javascript:ran = 1"><animate attributeName="href" to="javascript:ran = 1"/></a></svg>\
                <a class="bad" href=" java&#9;script:ran = 1">Bad</a><a class="good" href="https://example.org/">Good</a></article>\
                <p class="end">That is all</p>
                """#
            let stage = try BrowserFixture.open().withFaults(next: [.page(body)])
            let browser = try host(stage, element(stage))
            try browser.wait(until: "\(list).dataset.state == 'end'")
            try browser.run("\(users)[0].querySelectorAll('.bad, input').forEach(node => node.focus() || node.click())")
            try browser.drawFrames(2)
            #expect(try browser.value("window.ran === undefined"))
            #expect(try browser.value("!\(users)[0].innerHTML.includes('ran = 1')"))
            #expect(try browser.value("\(users)[0].querySelector('.good').href") == "https://example.org/")
        }

        /// Fields of a form, and pictures of a document, that are named as members of a node are.
        @Test func namesOfMembersDoNotStopIt() throws {
            let members = [
                "getAttributeNames", "getAttribute", "removeAttribute", "attributes", "matches", "remove", "closest",
                "querySelectorAll", "querySelector", "childNodes", "children", "parentNode", "firstChild",
                "nextSibling", "className", "part", "id", "ownerDocument", "addEventListener", "append", "contains",
            ]
            let form = """
                <form class="x" onfocusin="ran = 1" tabindex="0">\(members.map { "<input name=\($0)>" }.joined())
                </form><form tabindex="-1" onclick="ran = 1">\(members.map { "<button type=button id=\($0)>x</button>" }.joined())</form>
                \(["body", "links", "documentElement", "querySelectorAll", "querySelector"].map { "<img name=\($0) alt=''>" }.joined())
                """
            let body = """
                <article class="user" id="user-1" tabindex="0"><h2>One</h2>\(form)<rollcall-users src="/fragment"></rollcall-users></article>
                <article class="user" id="user-2" tabindex="0"><h2>Two</h2></article>
                <p class="end">That is all <img name=body alt=""></p>
                """
            let stage = try BrowserFixture.open().withFaults(then: .page(body))
            let browser = try host(stage, element(stage))
            try browser.wait(until: "['end', 'error'].includes(\(list).dataset.state)")
            #expect(try browser.value("\(list).dataset.state") == "end")
            #expect(try browser.value("\(users).map(user => user.id)", as: [String].self) == ["user-1", "user-2"])
            try browser.run(
                "\(root).querySelectorAll('form, input, button').forEach(node => { node.focus(); node.click() })"
            )
            try browser.run("\(users)[0].querySelector('form').focus()")
            try browser.press("PageDown", code: 34)
            #expect(try browser.value("\(root).activeElement.id") == "user-2")
            #expect(try browser.value("window.ran === undefined"))
            #expect(stage.proxy.fragments.count == 1)
        }

        @Test func aWrongRequestIsNotRepeated() throws {
            let refusal = "<p role=\"alert\">order: unknown <a href=\"/fragment\">Try again</a></p>"
            let stage = try BrowserFixture.open().withFaults(then: .page(refusal, status: 400))
            let browser = try host(stage, element(stage))
            try browser.wait(until: "\(list).dataset.state == 'error'")
            let error = "\(more).querySelector('[role=alert]')"
            #expect(try browser.value("\(error).innerText.trim()") == "order: unknown")
            #expect(try browser.value("\(error).querySelector('button').offsetHeight") == 0)
            try browser.run(
                "dispatchEvent(new Event('online')); document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))"
            )
            try browser.drawFrames(60)
            #expect(stage.proxy.fragments.count == 1)
            // The link in the slot is an ordinary one now.
            try browser.click("rollcall-users a", until: "location.href == '\(stage.site)/'")
        }

        @Test func withDataSavingNoPictureIsFetchedBeforeATap() throws {
            let (stage, pictures) = try BrowserFixture.open(picturesOf: 40)
            try stage.browser.devTools("Emulation.setDataSaverOverride", ["dataSaverEnabled": true])
            let browser = try host(stage, element(stage), untilUsers: 10)
            try browser.wait(until: "getComputedStyle(\(users)[0]).display == 'grid'")
            try browser.drawFrames(40)
            #expect(pictures.fragments == [])
            try browser.run("\(users)[1].querySelector('.avatar').click()")
            try eventually("the picture has come") { pictures.fragments == ["/2.svg"] }
        }

        @Test func whatIsNoAddressLeavesTheLink() throws {
            let stage = try BrowserFixture.open()
            let body = ["http://[", "javascript:1", "data:,1", "mailto:a@example.org"].map {
                "<rollcall-users src=\"\($0)\"><a href=\"/x\">People</a></rollcall-users>"
            }
            let browser = try host(stage, body.joined())
            let all = "$$('rollcall-users')"
            try browser.wait(until: "\(all).every(list => list.dataset.state == 'idle')")
            #expect(
                try browser.value(
                    "\(all).every(list => list.firstChild.offsetHeight && !list.shadowRoot.querySelector('[role=alert]').offsetHeight "
                        + "&& !list.shadowRoot.getElementById('spinner').offsetHeight)"))
        }

        @Test func pageKeysMoveFromUserToUser() throws {
            let stage = try BrowserFixture.open()
            let browser = try host(stage, element(stage), untilUsers: 10)
            try browser.run("\(users)[0].focus()")
            try browser.press("PageDown", code: 34)
            try browser.press("PageDown", code: 34)
            try browser.press("PageUp", code: 33)
            #expect(try browser.value("+\(root).activeElement.dataset.id") == stage.everyone[1])
            #expect(try browser.value("\(root).querySelector('[role=feed]') != null"))
        }
    }
}
