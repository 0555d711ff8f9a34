import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("The content security policy in a browser")
    final class SecurityTests: Stage {
        /// Runs before every other script on every page.
        private static let watch = """
            window.violations = [];
            document.addEventListener('securitypolicyviolation',
              e => violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}`));
            addEventListener('error', e => { if (e.message) violations.push(e.message); });
            """

        /// Checks that the page did not violate its policy, fail in its script, or run a script from a user's name.
        private func expectNoViolations(_ browser: Browser, at place: String) throws {
            try browser.wait(until: "document.readyState == 'complete'")
            #expect(try browser.value("violations", as: [String].self).isEmpty, "\(place)")
            #expect(try browser.value("typeof pwned") == "undefined", "\(place)")
            #expect(try browser.value("location.hostname") == "127.0.0.1", "\(place)")
        }

        /// The console messages, except those about avatars without a host and pages with an intended error status.
        private func complaints(_ browser: Browser) throws -> [String] {
            try browser.takeLog().map(\.message).filter { message in
                !message.contains("net::ERR_NAME_NOT_RESOLVED")
                    && !message.contains("the server responded with a status of 4")
            }
        }

        @Test func hostileUsersRunNoScriptAndBreakNoPage() throws {
            try load(String(decoding: AttackDirectory.ndjson(), as: UTF8.self), into: "people")
            let program = try serve()
            let browser = try Browser.open()
            try browser.runFirst(Self.watch)

            // The first page of thirty users, and all others as the script loads them.
            for view in ["/", "/?view=grid&sort=name"] {
                try browser.open(program.url + view)
                while try browser.value("$('#users').dataset.state", as: String.self) != "end" {
                    try browser.run("scrollTo(0, document.documentElement.scrollHeight)")
                    try browser.drawFrames(2)
                }
                #expect(try browser.value("$$('.user').length") == AttackDirectory.payloads.count)
                try expectNoViolations(browser, at: view)
            }
            for (index, payload) in AttackDirectory.payloads.enumerated() {
                let text = payload.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                // Only every third text is searched for and used in an error: each page takes time here, and tests
                // with curl cover them all.
                let others = index % 3 == 0 ? ["/?q=\(text)", "/?sort=\(text)"] : []
                for place in ["/users/\(text)"] + others {
                    try browser.open(program.url + place)
                    try expectNoViolations(browser, at: place)
                }
            }
            #expect(try complaints(browser) == [])
        }

        /// Proves that the policy works: injected markup is reported as a violation and does not run.
        @Test func thePolicyWouldStopAScript() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.runFirst(Self.watch)
            try stage.visit("/")
            try stage.run(
                """
                document.body.insertAdjacentHTML('beforeend',
                  '<img src="/nothing" onerror="pwned=1"><a id="bad" href="javascript:pwned=1">x</a><p style="color: red">');
                $('#bad').click();
                """, until: "violations.length >= 3")
            #expect(try stage.value("typeof pwned") == "undefined")
        }
    }
}
