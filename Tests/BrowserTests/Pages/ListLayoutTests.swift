import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// The parts around the list: the bar, the line, the filters and the jump bar.
    @Suite("The bar, the filters and the jump bar")
    struct ListLayoutTests {
        /// With everything that a list may have: an introduction, filters, a jump bar, and a form that goes to a
        /// number.
        @Test(arguments: [(1280, 800, 200.0), (390, 844, 220.0)])
        func theFirstPersonStandsHigh(width: Int, height: Int, limit: Double) throws {
            let stage = try BrowserFixture.open(users: 1_000, on: width, height)
            for path in ["/", "/?sort=name", "/?view=grid", "/?view=photos", "/?q=an"] {
                try stage.visit(path)
                #expect(try stage.box("$('.user')").top <= limit, "\(path)")
            }
        }

        /// Each time the first part is drawn before the rest comes.
        @Test(arguments: [1280, 390], ["", "grid", "photos"])
        func nothingMovesWhileAPageArrivesInTwoParts(width: Int, view: String) throws {
            let stage = try BrowserFixture.open(users: 1_000, on: width, 844, faultsAt: "/?lang=")
            try stage.browser.runFirst(
                """
                \(BrowserFixture.observingShifts)
                new PerformanceObserver(() => requestAnimationFrame(() => fetch('/?lang=drawn')))
                  .observe({ type: 'paint', buffered: true });
                """)
            for place in [
                "</h1>", "<details class=\"filters\"", "<select name=\"sort\"", "<fieldset class=\"views\"",
                "<option value=\"-reputation\"", "<main>", "<div id=\"users\"", "aria-posinset=\"3\"", "<h2",
                "</h2>", "class=\"facts\"", "aria-posinset=\"20\"", "<nav class=\"jump\"", "<footer",
            ] {
                var shift = 1.0
                var moved: [String] = []
                // On a busy machine the browser draws the second part in parts of its own, which end within a
                // person. A fault of the page moves it each of three times.
                for _ in 0..<3 where shift >= 0.01 {
                    stage.proxy.forget()
                    stage.proxy.set(next: [.holdHalfway(before: place, until: "lang=drawn")])
                    try stage.visit("/?lang=de&sort=name&view=\(view)")
                    #expect(stage.proxy.fragments.contains("/?lang=drawn"))
                    try stage.drawFrames(5)
                    shift = try stage.value("shift", as: Double.self)
                    moved = try stage.value("shifts", as: [String].self)
                }
                #expect(shift < 0.01, "\(place): \(moved)")
            }
        }

        /// Phones, and windows that are made wider while the page is open.
        @Test(arguments: [[320], [390], [768, 1152, 1920, 2560]])
        func nothingIsWiderThanTheWindow(widths: [Int]) throws {
            let stage = try BrowserFixture.open(users: 1_000, on: widths[0], 900)
            for view in ["", "grid", "photos"] {
                for path in ["/?q=an&type=Organization&type=Bot&department=Web&view=\(view)", "/?view=\(view)"] {
                    try stage.visit(path)
                    for width in widths {
                        if widths.count > 1 { try stage.browser.resize(width: width, height: 900) }
                        // The widest that the page is with each menu open.
                        let widest = try stage.value(
                            """
                            Math.max(...['.brand .menu', '.filters', '.place'].map(selector => {
                              const menu = $(selector);
                              if (menu) menu.open = true;
                              const { scrollWidth } = document.documentElement;
                              if (menu) menu.open = false;
                              return scrollWidth;
                            }))
                            """, as: Int.self)
                        #expect(widest <= width, "\(path)")
                    }
                }
            }
        }

        /// In every language, whatever its words measure.
        @Test(arguments: [320, 390])
        func nothingAroundTheListIsCutOnAPhone(width: Int) throws {
            let stage = try BrowserFixture.open(users: 1_000, on: width, 844)
            for path in [
                "/?lang=en", "/?lang=de&sort=name", "/?lang=fr&q=an", "/?lang=ar&department=Web", "/?lang=ko",
            ] {
                try stage.visit(path)
                #expect(try stage.value(Self.cut, as: [String].self) == [], "\(path)")
            }
        }

        /// Which parts are cut: the count, the order, and the introduction within a word; whether its words are spread;
        /// and whether the jump bar touches a figure.
        private static let cut = """
            (() => {
              const found = [];
              const range = node => { const r = document.createRange(); r.selectNodeContents(node); return r; };
              const count = $('.count'), box = count.getBoundingClientRect(), words = range(count).getBoundingClientRect();
              if (words.width > box.width + 1 || words.height > box.height + 1 || box.right > innerWidth) found.push('count');
              const order = $('[name=sort]'), label = document.body.appendChild(document.createElement('span'));
              Object.assign(label.style, { font: getComputedStyle(order).font, position: 'absolute', whiteSpace: 'nowrap' });
              label.textContent = order.selectedOptions[0].text;
              if (label.offsetWidth + 20 > order.clientWidth) found.push(`order: ${label.offsetWidth} in ${order.clientWidth}`);
              label.remove();
              const intro = $('.intro span');
              if (intro) {
                const { bottom } = intro.getBoundingClientRect(), letters = range(intro.firstChild);
                for (let at = 1; at < intro.firstChild.length; at++) {
                  letters.setStart(intro.firstChild, at);
                  letters.setEnd(intro.firstChild, at + 1);
                  if (letters.getBoundingClientRect().top < bottom - 2) continue;
                  if (intro.firstChild.data[at - 1] != ' ') found.push('introduction');
                  letters.setStart(intro.firstChild, 0);
                  letters.setEnd(intro.firstChild, at - 1);
                  const line = intro.parentNode.appendChild(intro.cloneNode());
                  line.style.cssText = 'position: absolute; white-space: nowrap';
                  line.textContent = letters;
                  if (letters.getBoundingClientRect().width > line.offsetWidth + 2) found.push('spread introduction');
                  line.remove();
                  break;
                }
              }
              const jump = $('.jump [href]:last-of-type'), figure = $('.figure');
              if (jump && figure) {
                const [stop, number] = [range(jump).getBoundingClientRect(), range(figure).getBoundingClientRect()];
                if (stop.left < number.right + 4 && stop.right > number.left - 4) found.push('jump bar');
              }
              return found;
            })()
            """

        /// The words are in the lowest third, and leave mouths and beards visible.
        @Test func photosShowFacesAndWholeNamesOnAPhone() throws {
            let stage = try BrowserFixture.open(users: 60, on: 390, 844).visit("/?view=photos")
            let covered = """
                $$('.user').filter(user => {
                  const { top, height } = user.getBoundingClientRect(), name = user.querySelector('h2');
                  const words = (name.getBoundingClientRect().top - top) / height;
                  return words < .64 || name.scrollHeight > name.clientHeight + 1;
                }).map(user => user.innerText)
                """
            #expect(try stage.value(covered, as: [String].self) == [])
        }

        @Test func aTitleBesideALogoHasTheRoomThatThereIs() throws {
            let people = (1...40).map { #"{"id": \#($0), "login": "user\#($0)", "team": "Team \#($0 % 3)"}"# }
            let stage = try BrowserFixture.open(directories: [("people", people)], width: 1280).visit()
            // A wordmark takes 8 rem.
            try stage.run(
                """
                const title = $('.brand h1 a'), logo = document.createElement('canvas');
                title.lastChild.textContent = 'Unsere Mitarbeitenden und Freunde';
                Object.assign(logo, { className: 'logo', width: 400, height: 100 });
                title.prepend(logo);
                """)
            let lines = "$('.brand h1 span').getClientRects().length"
            let height = "$('.brand h1 span').getBoundingClientRect().height"
            #expect(try stage.value("\(lines) == 1 && \(height) < 30"))
        }

        /// Paper shows everybody who is loaded, says who that is, and nothing covers them.
        @Test func aPrintedListSaysWhatItShows() throws {
            let stage = try BrowserFixture.open(users: 1_000, width: 1280)
            try stage.browser.devTools("Emulation.setEmulatedMedia", ["media": "print"])
            try stage.visit("/")
            // In one step, as browsers print: more people may arrive at any time.
            let places = """
                $('.place').open = true;
                dispatchEvent(new Event('beforeprint'));
                return [$('.place b').textContent, '1–' + $$('.user').length];
                """
            let said = try stage.value("(() => { \(places) })()", as: [String].self)
            #expect(said[0] == said[1])
            #expect(try stage.value("!$('.place > div').checkVisibility()"))
            let intro = "$$('.intro p').every(p => p.checkVisibility()) && !$('.intro summary').checkVisibility()"
            #expect(try stage.value(intro))
            try stage.visit("/?q=an&department=Web&department=Docs&sort=-reputation")
            let covering = """
                $$('body *').filter(item =>
                  item.checkVisibility() && /fixed|sticky/.test(getComputedStyle(item).position)).map(item => item.className)
                """
            #expect(try stage.value(covering, as: [String].self) == [])
            let visible = ["h1", "[name=q]", ".count", ".chip", "[name=sort]"]
            for part in visible {
                #expect(try stage.value("$('\(part)').checkVisibility()"), "\(part)")
            }
            for part in [".views", "#more", ".filters", ".jump"] {
                #expect(try stage.value("!$('\(part)')?.checkVisibility()"), "\(part)")
            }
        }

        @Test(arguments: [(1280, 800), (390, 844)])
        func theSearchStaysInView(width: Int, height: Int) throws {
            let stage = try BrowserFixture.open(users: 300, on: width, height).visit()
            try stage.run("scrollBy(0, 1000)")
            try stage.drawFrames()
            let search = try stage.box("$('.search')")
            #expect(search.top >= 0 && search.bottom <= 61)
        }

        @Test func filtersAreBesideAWideList() throws {
            let stage = try BrowserFixture.open(width: 1280).visit()
            let box = "$('.filters [type=checkbox]')"
            #expect(try stage.value("\(box).checkVisibility() && !$('.filters').open"))
            #expect(try stage.box("\(box).closest('div')").right <= stage.box("users").left)
            try stage.browser.resize(width: 1000, height: 900)
            #expect(try stage.value("!\(box).checkVisibility()"))
        }

        @Test func chipsRemoveTheirValueInPlace() throws {
            let stage = try BrowserFixture.open().visit("/?type=Bot&type=Organization")
            try stage.expectNoReload {
                try stage.click(".chip[aria-label$=Bot]").expectPage("/?type=Organization")
                #expect(try stage.value("$$('.chip').length") == 1)
                #expect(try stage.value("!$('[name=type][value=Bot]').checked"))
                try stage.back(untilAddress: "/?type=Bot&type=Organization")
                try stage.wait(until: "$$('.chip').length == 2")
            }
        }

        @Test func theJumpBarGoesToALetterAndFollowsTheReader() throws {
            let stage = try BrowserFixture.open(users: 1_000, width: 1280).visit("/?sort=name")
            let here = "$('.jump [aria-current]')?.textContent"
            try stage.expectNoReload {
                try stage.click(".jump a[href*='letter=M']").expectPage("/?letter=M")
                #expect(try stage.value(here) == "M")
                // The address of a place further on has the order that the letter implied.
                try stage.run("scrollBy(0, 200)", until: "/since=.*&?sort=name|sort=name&since=/.test(location.search)")
                #expect(try stage.value("!location.search.includes('letter')"))
                // On and on, until the names begin with another letter.
                for _ in 0..<40 where try stage.value(here, as: String.self) == "M" {
                    try stage.run("scrollBy(0, 700)")
                    try stage.drawFrames(3)
                    try stage.wait(until: "users.dataset.state == 'idle'")
                }
                #expect(try stage.value(here) == "N")
                let first = try stage.value("$('.place b').textContent", as: String.self)
                #expect(!first.hasPrefix("1–"))
            }
        }

        @Test func aFingerSlidesAlongTheJumpBar() throws {
            let stage = try BrowserFixture.open(users: 1_000, on: 390, 844).visit("/?sort=name")
            func place(of letter: String) throws -> [String: Any] {
                let box = try stage.box("$$('.jump a').find(link => link.textContent == '\(letter)')")
                return ["x": (box.left + box.right) / 2, "y": (box.top + box.bottom) / 2]
            }
            let (start, end) = (try place(of: "B"), try place(of: "K"))
            try stage.expectNoReload {
                try stage.browser.devTools("Input.dispatchTouchEvent", ["type": "touchStart", "touchPoints": [start]])
                try stage.browser.devTools("Input.dispatchTouchEvent", ["type": "touchMove", "touchPoints": [end]])
                try stage.wait(until: "$('.jump [aria-current]').textContent == 'K'")
                try stage.browser.devTools("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [Any]()])
                try stage.expectPage("/?letter=K")
            }
        }

        @Test(arguments: [true, false])
        func theFormGoesToANumber(hasScripts: Bool) throws {
            let stage = try BrowserFixture.open(users: 1_000)
            if !hasScripts { try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true]) }
            try stage.browser.open(stage.site + "/?sort=name")
            if hasScripts { try stage.waitForScripts() }
            try stage.click(".place summary")
            try stage.run("$('#at').value = 601")
            try stage.click(".place button", until: "$('.user')?.ariaPosInSet == '601'")
            #expect(try stage.address.contains("at=601") && stage.address.contains("sort=name"))
            #expect(try stage.value("$('.place b').textContent", as: String.self).hasPrefix("601–"))
        }

        @Test func theThemeIsKeptAndNeedsNoScript() throws {
            let stage = try BrowserFixture.open().visit("/?view=grid")
            let paper = "getComputedStyle(document.body).backgroundColor"
            let light = try stage.value(paper, as: String.self)
            try stage.click(".brand summary")
            try stage.click(".brand label:has([value=dark])")
            let dark = try stage.value(paper, as: String.self)
            #expect(dark != light)
            #expect(try stage.address == "/?view=grid")
            try stage.visit("/?sort=name")
            #expect(try stage.value(paper, as: String.self) == dark)
            // The address of a search has no theme.
            try stage.type("ann", untilAddress: "/?q=ann&sort=name")
            // An address with a theme decides.
            try stage.visit("/?theme=light")
            #expect(try stage.value(paper, as: String.self) == light)
            try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
            try stage.browser.open(stage.site + "/?theme=dark")
            #expect(try stage.value(paper, as: String.self) == dark)
        }

        @Test func escapeClosesAMenuAndReturnsToItsButton() throws {
            let stage = try BrowserFixture.open().visit()
            for menu in [".brand .menu", ".filters"] {
                try stage.click("\(menu) summary")
                try stage.browser.press("Escape", code: 27)
                try stage.wait(until: "!$('\(menu)').open")
                #expect(try stage.value("document.activeElement == $('\(menu) > summary')"))
            }
        }

        @Test func theLiftAppearsBelowAScreenAndAHalf() throws {
            let stage = try BrowserFixture.open().visit()
            let lift = "$('.lift a').getBoundingClientRect()"
            #expect(try stage.value("\(lift).top > innerHeight"))
            try stage.scroll(untilUsers: 60)
            try stage.run("scrollTo(0, 2000)")
            try stage.drawFrames()
            #expect(try stage.value("\(lift).bottom <= innerHeight && \(lift).top > 0"))
            try stage.click(".lift a", untilAddress: "/")
            try stage.wait(until: "scrollY == 0")
            #expect(try stage.firstInView == stage.everyone[0])
        }
    }
}

extension BrowserFixture {
    /// Opens a fixture whose page may be as narrow as a phone. Windows of desktop browsers have a least width.
    fileprivate static func open(
        users: Int, on width: Int, _ height: Int, faultsAt path: String = "/fragment"
    ) throws -> BrowserFixture {
        let stage = try open(users: users, width: width, height: height, faultsAt: path)
        guard width < 500 else { return stage }
        try stage.browser.devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": true])
        try stage.browser.devTools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        return stage
    }
}
