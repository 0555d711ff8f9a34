import TestSupport
import Testing

extension BrowserTests {
    @Suite("A person's page")
    struct PersonTests {
        private static let name = "$('h1').textContent"

        private func names(_ stage: BrowserFixture) throws -> [String] {
            try stage.value("$$('.user h2').map(name => name.textContent.trim())")
        }

        /// From a list in another order, the neighbours are those of that list, and the way back leads to it.
        @Test func neighboursAndTheWayBackBelongToTheListOneCameFrom() throws {
            let stage = try BrowserFixture.open().visit("/?sort=-name&per_page=5")
            let listed = try names(stage)
            try stage.run("$$('.user h2 a')[1].click()", until: "$('main.person') && \(Self.name) == `\(listed[1])`")
            let back = "$('.crumb').href"
            #expect(try stage.value("/sort=-name|order=desc/.test(\(back))"))
            try stage.click(".pair [rel=next]", until: "$('main.person') && \(Self.name) == `\(listed[2])`")
            try stage.browser.press("ArrowLeft", code: 37)
            try stage.wait(until: "$('main.person') && \(Self.name) == `\(listed[1])`")
            try stage.click(".crumb", until: "$('.user h2')")
            #expect(try names(stage).first == listed[1])
        }

        @Test func theLinkIsCopiedWithoutTheSearch() throws {
            let stage = try BrowserFixture.open()
            let href = try stage.site + stage.path(ofUser: 1)
            try stage.browser.open(href + "?sort=name&view=grid", until: "!$('#copy').hidden")
            try stage.run(
                "Object.defineProperty(navigator.clipboard, 'writeText', { value: async text => window.copied = text })"
            )
            try stage.click("#copy", until: "window.copied && $('#copy').textContent == 'Copied'")
            #expect(try stage.value("copied", as: String.self) == href)
        }

        @Test func aKeyExplainsTheKeysUntilItIsSwitchedOff() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.open(stage.site + stage.path(ofUser: 1))
            let ask = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))"
            try stage.run("\(ask); \(ask)", until: "(\(ask), $('dialog[open] kbd'))")
            // However often the key was pressed before the script came.
            try stage.drawFrames(5)
            #expect(try stage.value("$$('dialog').length") == 1)
            #expect(try stage.value("$('dialog h1').textContent") == "Keyboard shortcuts")
            try stage.click("dialog .switch")
            try stage.browser.press("Escape", code: 27)
            try stage.wait(until: "!$('dialog[open]')")
            try stage.run(ask)
            try stage.drawFrames(5)
            #expect(try stage.value("$('dialog[open]') == null"))
        }

        @Test func theChosenThemeIsKept() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.open(stage.site + "/directories")
            try stage.run("$('#find [value=dark]').click()")
            let paper = "getComputedStyle(document.body).backgroundColor"
            try stage.wait(until: "\(paper) == 'rgb(19, 18, 23)'")
            try stage.browser.open(stage.site + "/nowhere", until: "\(paper) == 'rgb(19, 18, 23)'")
        }
    }
}
