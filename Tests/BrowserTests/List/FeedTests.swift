import TestSupport
import Testing

extension BrowserTests {
    @Suite("Keyboard and screen reader")
    struct FeedTests {
        private func focused(_ stage: BrowserFixture) throws -> String {
            try stage.value("document.activeElement.id || document.activeElement.textContent", as: String.self)
        }

        @Test func pageKeysGoFromUserToUser() throws {
            let stage = try BrowserFixture.open(users: 60).visit()
            try stage.run("$('\(stage.user(1))').focus()")
            for number in 2...45 {
                let next = stage.user(number)
                try stage.wait(until: "$('\(next)')")
                try stage.browser.press("PageDown", code: 34)
                #expect(try "#" + focused(stage) == next)
            }
            #expect(try stage.value("document.activeElement.getBoundingClientRect().bottom <= innerHeight"))
            try stage.browser.press("PageUp", code: 33)
            #expect(try "#" + focused(stage) == stage.user(44))
            // From a link within a user, too.
            try stage.run("$('\(stage.user(44)) a').focus()")
            try stage.browser.press("PageDown", code: 34)
            #expect(try "#" + focused(stage) == stage.user(45))
        }

        @Test func controlHomeAndEndLeaveTheFeed() throws {
            let stage = try BrowserFixture.open().visit()
            stage.proxy.set(then: .hold)
            try stage.run("$('\(stage.user(9))').focus()")
            try stage.browser.press("End", code: 35, isControl: true)
            #expect(try stage.value("document.activeElement.closest('footer') != null"))
            try stage.wait(until: "document.activeElement.getBoundingClientRect().bottom <= innerHeight")
            // At the end, the page does not move the reader.
            try stage.drawFrames(60)
            #expect(stage.proxy.fragments.count <= 1)

            try stage.run("$('\(stage.user(9))').focus()")
            try stage.browser.press("Home", code: 36, isControl: true)
            #expect(
                try stage.value(
                    "users.compareDocumentPosition(document.activeElement) == Node.DOCUMENT_POSITION_PRECEDING"))
        }

        @Test func formControlsKeepTheirKeys() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.run("$('[name=q]').focus()")
            for (key, code) in [("PageDown", 34), ("Home", 36)] { try stage.browser.press(key, code: code) }
            #expect(try stage.value("document.activeElement.name") == "q")
        }

        /// Reads the accessibility tree that Chromium gives to screen readers.
        @Test func theAccessibilityTreeIsAFeedOfArticlesOnly() throws {
            let stage = try BrowserFixture.open(users: 1_000)
            try stage.visit("/?per_page=100&since=\(stage.everyone[9])")
            while try stage.value("$$('.gap:not([hidden])').length", as: Int.self) == 0 {
                try stage.scrollToEnd()
                try stage.drawFrames(2)
            }
            let nodes = try stage.accessibilityTree()
            let byID = Dictionary(nodes.map { ($0.nodeId, $0) }) { first, _ in first }
            func children(_ node: AccessibilityNode) -> [AccessibilityNode] {
                (node.childIds ?? []).compactMap { byID[$0] }.flatMap { $0.ignored ? children($0) : [$0] }
            }
            let feed = try #require(nodes.first { $0.role?.text == "feed" })
            #expect(feed.name?.text == "People")
            #expect(Set(children(feed).map { $0.role?.text ?? "" }) == ["article"])
            // Also those of people out of view, whose content is not rendered.
            #expect(children(feed).allSatisfy { !($0.name?.text ?? "").isEmpty })
        }
    }
}
