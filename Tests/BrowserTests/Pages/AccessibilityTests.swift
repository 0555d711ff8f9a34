import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// axe-core checks every kind of page for accessibility problems (WCAG 2.2 and its own best practices).
    @Suite("Accessibility (axe-core)", .tags(.long))
    struct AccessibilityTests {
        /// A rule that a page violates, and where.
        private struct Violation: Decodable {
            let id: String
            let targets: [String]
        }

        /// Checks the current page in light and, where it is narrow, in dark mode, in which only contrasts can differ.
        /// Frames are checked in light mode alone: they are transparent, and the checker takes what is behind them for
        /// white. The script comes by DevTools, so that the page's policy does not block it.
        private func look(_ browser: Browser, _ place: String, isNarrow: Bool) throws {
            for (scheme, options) in [
                ("light", "{ rules: { 'target-size': { enabled: true } } }"),
                ("dark", "{ runOnly: ['color-contrast'] }"),
            ] where scheme == "light" || isNarrow && !place.contains("embed=1") {
                try browser.devTools(
                    "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": scheme]]])
                for violation in try violations(browser, options) {
                    Issue.record(
                        "\(place), \(scheme): \(violation.id) at \(violation.targets.prefix(3).joined(separator: ", "))"
                    )
                }
            }
        }

        /// Leaves out people that the bar covers or that are above it: its links and fields lie over their names.
        private func violations(_ browser: Browser, _ options: String = "{}") throws -> [Violation] {
            try browser.value(
                """
                axe.run({ include: [document], exclude: $$('#users .user').filter(user =>
                  user.getBoundingClientRect().top < ($('.bar')?.getBoundingClientRect().bottom ?? 0)) },
                  \(options)).then(result => result.violations.map(rule =>
                  ({ id: rule.id, targets: rule.nodes.map(node => node.target.join(' ') + ' ' + node.html.slice(0, 120)) })))
                """, as: [Violation].self)
        }

        @Test(arguments: [320, 1_280])
        func pagesHaveNoViolations(width: Int) throws {
            let axe = try Library.axe()
            let stage = try BrowserFixture.open(users: 60, width: width)
            let browser = stage.browser
            let isNarrow = width < 500
            func look(_ place: String) throws { try self.look(browser, place, isNarrow: isNarrow) }
            // Eight people and what frames show at first, because a row is like the next.
            let wait = """
                addEventListener('sentinel:load', event => {
                  if (self != top || location.search.includes('per_page=8')) event.preventDefault();
                });
                """
            try browser.runFirst(axe + "\n" + wait)
            for place in [
                "/?per_page=8", "/?per_page=8&view=grid", "/?per_page=8&q=a", "/?q=nobody-has-this-name",
                "/?since=99999999", "/nowhere", "/embed", "/embed?view=wall", "/directories", "/keys",
                "/fields/department", "/users/nobody-has-this-name", "/?per_page=8&embed=1", "/?per_page=8&lang=ar",
                "/?lang=ko&q=nobody-has-this-name", "/?per_page=8&lang=zh&view=grid", "/nowhere?lang=de",
                "/embed?lang=ja", "/directories?lang=fr", "/keys?lang=es",
            ] where isNarrow || !place.contains("lang=") || place.contains("lang=ar") {
                try stage.visit(place)
                try look(place)
            }
            try browser.open(stage.site + stage.path(ofUser: 30))
            try look("a person")
            try browser.open(stage.site + stage.path(ofUser: 31) + "?lang=ar")
            try look("a person in Arabic")

            try stage.visit("/?since=\(stage.everyone[49])&per_page=5")
            try stage.scrollToEnd()
            try browser.wait(until: "users.dataset.state == 'end'")
            try stage.scrollToEnd()
            try look("the end")
            stage.proxy.set(then: .busy)
            try stage.visit("/?since=\(stage.everyone[19])&per_page=5")
            try stage.scrollToEnd()
            try browser.wait(until: "users.dataset.state == 'error'")
            try look("an error in the list")
            stage.proxy.set(then: .hold)
            try stage.visit("/?per_page=5")
            try stage.scrollToEnd()
            try browser.wait(until: "users.dataset.state == 'loading'")
            try look("loading")
            stage.proxy.release()

            // A deliberate violation, which proves that axe-core checks the page.
            try browser.run("document.body.append(document.createElement('img'))")
            #expect(try violations(browser).map(\.id).contains("image-alt"))
        }
    }
}
