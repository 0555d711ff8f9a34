import TestSupport
import Testing

extension BrowserTests {
    @Suite("Control of loading")
    struct LoadingControlTests {
        @Test func aListenerCanPreventLoading() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.run(
                """
                window.asked = 0;
                window.refuse = event => { asked++; event.preventDefault() };
                users.addEventListener('sentinel:load', refuse);
                """)
            try stage.scrollToEnd(until: "asked")
            try stage.drawFrames()
            #expect(stage.proxy.fragments == [])
            #expect(try stage.state == "idle")

            try stage.run("users.removeEventListener('sentinel:load', refuse); scrollBy(0, -10)")
            try stage.wait(until: "$$('.user').length >= 40")
        }

        @Test func listenersAreNotifiedOfEachStep() throws {
            let stage = try BrowserFixture.open(users: 45).visit()
            try stage.run(
                """
                window.told = [];
                for (const name of ['load', 'append', 'end']) {
                  addEventListener('sentinel:' + name, event => told.push(name + ' ' + (event.detail?.users?.length ?? '')))
                }
                """)
            try stage.scroll(untilUsers: 45)
            try stage.wait(until: "told.length == 5")
            #expect(try stage.value("told", as: [String].self) == ["load ", "append 10", "load ", "append 5", "end "])
        }

        @Test func afterAutoPagesItWaitsForAClick() throws {
            let stage = try BrowserFixture.open(options: ["--auto-pages", "2"]).visit()
            try stage.scroll(untilUsers: 50)
            try stage.scrollToEnd()
            try stage.drawFrames(60)
            #expect(try stage.count == 50)
            try stage.click("#more a.next", until: "$$('.user').length == 60")
            try stage.drawFrames()
            #expect(try stage.count == 60)
            #expect(try stage.value("document.activeElement.id", as: String.self) == stage.user(51).dropFirst())
        }

        @Test func dataSaverModeWaitsForAClick() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.runFirst(BrowserFixture.savingData)
            try stage.visit()
            try stage.scrollToEnd()
            try stage.drawFrames(40)
            #expect(stage.proxy.fragments == [])
            try stage.click("#more a.next", until: "$$('.user').length == 40")
        }

        @Test func dataSavingFetchesNoPictureBeforeATap() throws {
            let (stage, pictures) = try BrowserFixture.open(picturesOf: 60)
            try stage.browser.devTools("Emulation.setDataSaverOverride", ["dataSaverEnabled": true])
            try stage.browser.devTools("Network.enable")
            try stage.browser.devTools("Network.setExtraHTTPHeaders", ["headers": ["Save-Data": "on"]])
            for view in ["/", "/?view=grid", "/?embed=1"] {
                try stage.visit(view)
                #expect(try stage.value("navigator.connection.saveData"))
                try stage.click("#more a.next", until: "$$('.user').length > 30")
                try stage.run("window.scrollTo(0, 0)")
                try stage.drawFrames(40)
                #expect(pictures.fragments == [], "\(view)")
            }
            try stage.click("#user-2 .avatar")
            try eventually("the picture has come") { pictures.fragments == ["/2.svg"] }
            #expect(try stage.address == "/?embed=1")

            pictures.forget()
            try stage.browser.devTools("Emulation.setDataSaverOverride", ["dataSaverEnabled": false])
            try stage.visit()
            try eventually("pictures have come") { pictures.fragments.count >= 5 }
        }

        @Test func earlierUsersWaitForAClickThenToo() throws {
            let stage = try BrowserFixture.open(options: ["--auto-pages", "1"]).visit(after: 150)
            try stage.scroll(toUser: 160)
            try stage.wait(until: "$('\(stage.user(121))')")
            try stage.scroll(toUser: 125)
            try stage.drawFrames(40)
            #expect(try stage.ids.first == stage.everyone[120])
            try stage.run("scrollTo(0, 0)")
            try stage.click("a.prev", until: "$('\(stage.user(91))')")
        }

        @Test func theFooterStaysInPlaceAfterTheSkipLink() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.run("$('.skip').focus()")
            try stage.browser.press("Enter", code: 13)
            try stage.run("$('.skip').click()", until: "document.activeElement.id == 'foot'")
            try stage.drawFrames(60)
            #expect(stage.proxy.fragments == [])
            #expect(try stage.value("foot.getBoundingClientRect().top < innerHeight"))
        }

        @Test func withoutJavaScriptLinksWalkTheWholeDirectory() throws {
            let stage = try BrowserFixture.open(users: 100)
            try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
            try stage.visit()
            var met = try stage.ids
            while try stage.value("$$('a.next').length", as: Int.self) == 1 {
                let last = met.last ?? 0
                try stage.click("a.next", until: "+$('.user')?.dataset.id > \(last)")
                met += try stage.ids
            }
            #expect(met == stage.everyone)
            #expect(try stage.value("$$('p.end').length") == 1)
            #expect(stage.proxy.fragments == [])

            try stage.click("a[rel=prev]", until: "+$('.user')?.dataset.id < \(stage.everyone[90])")
            #expect(try stage.ids.elementsEqual(stage.everyone[60..<90]))
        }
    }
}
