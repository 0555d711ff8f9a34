import Foundation
import TestSupport
import Testing

/// Checks pages of every kind, fragments and style sheets with the Nu HTML checker, all in one run, because starting it
/// takes longer than checking.
@Suite("Valid HTML and CSS", .onThreadsForPrograms, .tags(.long))
final class ValidityTests: Stage {
    static let people = #"""
        {"id":1,"login":"octocat","name":"The Octocat","avatar_url":"https://example.com/1.png?s=1&v=4","html_url":"https://example.com/octocat","company":"@github","blog":"github.blog","location":"San Francisco","hireable":true,"bio":"Arms & <legs>\nmany","twitter_username":"octo","public_repos":8,"followers":20345,"created_at":"2011-01-25T18:44:36Z","updated_at":"2024-02-30"}
        {"id":2,"login":"a\"b'c<d>","type":"Bot","reputation":0,"tags":["x","https://example.com/x"],"at":{"street":"High"}}
        {"id":3,"login":"김","name":"</script><!--","type":"Organization","reputation":-5,"badge_counts":{"gold":1}}
        {"id":4,"login":"odd","name":"a\uFFFEb\uFDD0c\u0001d\u0085e\uD83F\uDFFF","bio":"\uFFFF\u007F"}
        """#

    /// Paths below the root. Missing ones return an error page, which is checked, too.
    static let pages = [
        "/", "/?view=grid&per_page=2", "/?q=o", "/?q=nobody-is-called-so", "/?since=99", "/?before=",
        "/?sort=name&since=", "/?directory=many&since=90", "/?directory=many&view=grid", "/?directory=none",
        "/?per_page=0", "/?embed=1", "/?embed=1&since=99", "/users/octocat", "/users/a%22b%27c%3Cd%3E",
        "/users/%EA%B9%80", "/users/odd", "/users/user20?directory=many", "/users/nobody", "/users/octocat?sort=name",
        "/embed", "/embed?view=wall", "/?embed=1&view=wall", "/directories", "/keys",
    ]
    static let fragments = [
        "/fragment", "/fragment?directory=many&since=30", "/fragment?since=99", "/fragment?per_page=0",
    ]

    @Test func everyPageFragmentAndStyleSheetIsValid() throws {
        let many = (1...100).map { #"{"id":\#($0),"login":"user\#($0)","name":"User \#($0)"}"# }.joined(separator: "\n")
        for (slug, people) in [("few", Self.people), ("many", many)] { try load(people, into: slug) }
        let server = try serve("--public-url", "https://people.example")
        var names: [String: String] = [:]
        func save(_ text: String, _ target: String, as type: String) throws {
            let name = "\(names.count).\(type)"
            names[name] = target
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        for target in Self.pages { try save(withoutPlaces(get(server.url + target).text), target, as: "html") }
        for target in Self.fragments {
            let fragment = try withoutPlaces(get(server.url + target).text)
            let document =
                "<!doctype html>\n<html lang=\"en\"><head><title>T</title></head><body>\(fragment)</body></html>"
            try save(document, target, as: "html")
        }
        for target in ["/style.css", "/pages.css", "/embed.css"] {
            // The checker knows neither `selector()` (CSS Conditional Rules 4, §2), nor `::details-content`, nor view
            // transitions, nor container queries (CSS Conditional Rules 5, §3).
            let style = try get(server.url + target).text
            let known = style.replacing(/@supports selector\([^)]*\)/, with: "@supports (top: 0)")
                .replacing(/@view-transition ?{[^}]*}/, with: "")
                .replacing(/@container ?\(/, with: "@media (").replacing(/container-type: ?[a-z-]+;?/, with: "")
                .replacing(/::details-content|::view-transition-group\(root\)/, with: "::before")
            try save(known, target, as: "css")
        }
        // A deliberate fault, which proves that the checker checks the pages.
        let fault = "<!doctype html><html lang=\"en\"><head><title>T</title></head><body><p><dt>x</p></body></html>"
        try save(fault, "a fault", as: "html")
        let files = names.keys.sorted().map { folder.appending(path: $0).path }
        let output = try run(
            "java", ["-jar", Library.nu().path, "--format", "json", "--also-check-css", "--stdout"] + files)
        let report = try JSONDecoder().decode(Report.self, from: Data(output.output.utf8))
        let complaints = report.messages.filter { !$0.isOutdated }.map { message in
            "\(names[URL(string: message.url ?? "")?.lastPathComponent ?? ""] ?? "the checker"):"
                + "\(message.lastLine ?? 0): \(message.message)"
        }
        #expect(complaints.filter { !$0.hasPrefix("a fault:") } == [])
        #expect(complaints.contains { $0.hasPrefix("a fault:") })
    }

    /// Returns a page without the attributes that the checker does not yet know: those that ARIA 1.2 allows on an
    /// article, and `part` (CSS Shadow Parts 1, §4.1), which it knows on some elements only.
    private func withoutPlaces(_ page: String) -> String {
        page.replacing(/\ part="[^"]*"/, with: "").replacing(
            /(<article [^>]*?)( aria-posinset="\d+")?( aria-setsize="-?\d+")/
        ) { $0.output.1 }
    }

    private struct Report: Decodable {
        struct Message: Decodable {
            let message: String
            let url: String?
            let lastLine: Int?

            /// Whether the checker lacks a property of the CSS Box Sizing Module Level 4.
            var isOutdated: Bool { message.contains("Property “contain-intrinsic-size” doesn't exist") }
        }
        let messages: [Message]
    }
}
