import TestSupport
import Testing

extension BrowserTests {
    @Suite("A person's page")
    struct PersonTests {
        private static let name = "document.querySelector('h1').textContent"

        private func names(_ stage: BrowserFixture) throws -> [String] {
            try stage.browser.value("[...document.querySelectorAll('.user h2')].map(name => name.textContent.trim())")
        }

        /// From a list in another order, the neighbours are those of that list, and the way back leads to it.
        @Test func neighboursAndTheWayBackBelongToTheListOneCameFrom() throws {
            let stage = try BrowserFixture.open().visit("/?sort=-name&per_page=5")
            let listed = try names(stage)
            try stage.browser.run("document.querySelectorAll('.user h2 a')[1].click()")
            try stage.browser.wait(until: "document.querySelector('main.person') && \(Self.name) == `\(listed[1])`")
            let back = "document.querySelector('.crumb').href"
            #expect(try stage.browser.value("/sort=-name|order=desc/.test(\(back))"))
            try stage.browser.click(".pair [rel=next]")
            try stage.browser.wait(until: "document.querySelector('main.person') && \(Self.name) == `\(listed[2])`")
            try stage.browser.press("ArrowLeft", code: 37)
            try stage.browser.wait(until: "document.querySelector('main.person') && \(Self.name) == `\(listed[1])`")
            try stage.browser.click(".crumb")
            try stage.browser.wait(until: "document.querySelector('.user h2')")
            #expect(try names(stage).first == listed[1])
        }

        @Test func theLinkIsCopiedWithoutTheSearch() throws {
            let stage = try BrowserFixture.open()
            let href = try stage.site + stage.path(ofUser: 1)
            try stage.browser.open(href + "?sort=name&view=grid")
            try stage.browser.wait(until: "!document.getElementById('copy').hidden")
            try stage.browser.run(
                "Object.defineProperty(navigator.clipboard, 'writeText', { value: async text => window.copied = text })"
            )
            try stage.browser.click("#copy")
            try stage.browser.wait(until: "window.copied && document.getElementById('copy').textContent == 'Copied'")
            #expect(try stage.browser.value("copied", as: String.self) == href)
        }

        @Test func aKeyExplainsTheKeysUntilItIsSwitchedOff() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.open(stage.site + stage.path(ofUser: 1))
            let ask = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))"
            try stage.browser.run("\(ask); \(ask)")
            try stage.browser.wait(until: "(\(ask), document.querySelector('dialog[open] kbd'))")
            // However often the key was pressed before the script came.
            try stage.browser.drawFrames(5)
            #expect(try stage.browser.value("document.querySelectorAll('dialog').length") == 1)
            #expect(try stage.browser.value("document.querySelector('dialog h1').textContent") == "Keyboard shortcuts")
            try stage.browser.click("dialog .switch")
            try stage.browser.press("Escape", code: 27)
            try stage.browser.wait(until: "!document.querySelector('dialog[open]')")
            try stage.browser.run(ask)
            try stage.browser.drawFrames(5)
            #expect(try stage.browser.value("document.querySelector('dialog[open]') == null"))
        }

        @Test func theChosenThemeIsKept() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.open(stage.site + "/directories")
            try stage.browser.run("document.querySelector('#find [value=dark]').click()")
            let paper = "getComputedStyle(document.body).backgroundColor"
            try stage.browser.wait(until: "\(paper) == 'rgb(19, 18, 23)'")
            try stage.browser.open(stage.site + "/nowhere")
            try stage.browser.wait(until: "\(paper) == 'rgb(19, 18, 23)'")
        }
    }
}
