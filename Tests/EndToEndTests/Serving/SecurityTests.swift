import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Hostile data", .onThreadsForPrograms)
final class SecurityTests: Stage {
    static let payloads = AttackDirectory.payloads

    /// Starts a server of people with hostile names.
    private func serveAttack() throws -> RollcallProcess {
        try load(String(decoding: AttackDirectory.ndjson(), as: UTF8.self), into: "attack", "--title", "<b>\"'&")
        return try serve("--access-log", "json")
    }

    /// Every page of these users.
    private var targets: [String] {
        let people = Self.payloads.map { "/users/" + encode($0) }
        let searches =
            Self.payloads.map { "/?q=" + encode($0) } + Self.payloads.map { "/fragment?sort=name&q=" + encode($0) }
        let errors = Self.payloads.flatMap {
            ["/nowhere/" + encode($0), "/?sort=" + encode($0), "/fragment?since=" + encode($0)]
        }
        return ["/?per_page=100", "/?per_page=100&view=grid&sort=name", "/fragment?per_page=100&sort=login"] + people
            + searches + errors
    }

    private func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Whatever the data contain, a page has exactly the elements and attributes of its template. A value that broke
    /// out of its line would add a field that no other page has.
    @Test func everyPageHasOnlyTheMarkupOfItsTemplateAndTheFieldsOfEveryPage() throws {
        let program = try serveAttack()
        var known: Set<ArraySlice<UInt8>> = []
        for target in targets {
            let answer = try Exchange(port: program.port, target: target)
            #expect([200, 400, 404].contains(answer.status), "\(target)")
            // Every `<` begins a tag: elsewhere it is escaped. Pages have most tags, and the texts after them, in
            // common.
            let parts = answer.body.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
            let start = answer.body.starts(with: "<!doctype html>".utf8) ? 2 : 1
            for part in parts.dropFirst(start) where known.insert(part).inserted {
                let text = String(decoding: part, as: UTF8.self)
                let tag = try #require(
                    text.prefixMatch(of: /(\/?)([a-zA-Z][^\s>\/]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*\/?>/),
                    "\(target): <\(text)")
                #expect(Self.elements.contains(String(tag.2)), "\(target): \(tag.0)")
                for attribute in tag.3.matches(of: /\s+([^\s=>"']+)(?:="([^"]*)")?/) {
                    check(attribute: String(attribute.1), attribute.2.map(String.init) ?? "", target)
                }
            }
            #expect(Set(answer.fields.keys).subtracting(Self.fields).isEmpty, "\(target): \(answer.fields)")
            for link in (answer.fields["link"] ?? "").matches(of: /<([^>]*)>/) {
                #expect(link.1.hasPrefix("/") && !link.1.hasPrefix("//"), "\(target): \(link.1)")
            }
        }
    }

    private func check(attribute: String, _ value: String, _ target: String) {
        #expect(Self.attributes.contains(attribute), "\(target): \(attribute)")
        if [
            "src", "href", "action", "data-find", "data-fragment", "data-rest", "data-views", "data-keys",
        ].contains(attribute) {
            let isOwn = value.hasPrefix("/") && !value.hasPrefix("//") && !value.hasPrefix("/\\")
            #expect(
                isOwn || value.hasPrefix("https://evil.example") || ["#foot", "#users"].contains(value),
                "\(target): \(value)")
            #expect(!value.contains(/[\u{0}-\u{20}\u{7f}]/), "\(target): \(value)")
        }
    }

    private static let elements = words(
        """
        html head meta title link script body header h1 h2 p a strong span form input label select option button details
        summary fieldset legend b main div article img bdi q footer dl dt dd code nav time noscript mark svg path section
        small
        """)
    private static let attributes = words(
        """
        lang charset name content rel href type src defer class id role action value placeholder maxlength media title dir
        autocomplete autocapitalize spellcheck selected checked data-directory tabindex hidden alt width height loading
        decoding aria-busy aria-label aria-labelledby aria-posinset aria-setsize aria-hidden data-state data-total
        data-auto-pages data-id data-cursor data-collation data-find data-fragment data-rest data-places data-views
        data-live data-keys srcset data-done data-words aria-current viewBox d for form step min max required property
        datetime data-field part download
        """)
    private static let fields = words(
        """
        date content-type etag cache-control vary link x-total-count x-content-type-options content-security-policy
        referrer-policy permissions-policy cross-origin-opener-policy cross-origin-resource-policy x-frame-options
        content-length connection x-request-id access-control-allow-origin access-control-expose-headers x-robots-tag
        content-language speculation-rules
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    @Test func jsonKeepsNamesExactlyAndIsSafeInAnyPage() throws {
        let program = try serveAttack()
        let answer = try Exchange(port: program.port, target: "/api/v3/users?per_page=100")
        #expect(!answer.text.contains(/[<>&\u{2028}\u{2029}]/))
        let users = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
        let expected = Self.payloads.map { payload in
            payload.replacingOccurrences(of: "\u{2028}", with: " ").trimmingCharacters(in: .whitespaces)
        }
        #expect(users.compactMap { $0["login"] as? String } == expected)
        for user in users {
            for key in ["avatar_url", "html_url"] {
                let url = try #require(user[key] as? String)
                if url.hasPrefix("https://evil.example/") { continue }
                // Without an address of the source, it is one of this server, in which all text is percent-encoded.
                #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/[A-Za-z0-9%._~\/-]*/) != nil, "\(url)")
            }
        }
    }

    /// The log is ASCII, one line per request, and each line is an object that names the request.
    @Test func theLogCannotBeForged() throws {
        let program = try serveAttack()
        let hostile = "\u{9b}31m\u{202e}\"}\\x0a{\"time\":\"forged"
        for payload in Self.payloads {
            _ = try Exchange(
                port: program.port, target: "/?q=" + encode(payload),
                headers: ["User-Agent": hostile, "Referer": hostile, "X-Request-Id": hostile])
        }
        // Skips the line that announces the address; the last line may be incomplete.
        var lines: [Substring] = []
        try eventually("every request is logged") {
            lines = program.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0
            }
            return lines.count >= Self.payloads.count
        }
        #expect(lines.count == Self.payloads.count)
        for line in lines {
            #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
            let entry = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(entry["user_agent"] as? String == hostile)
            #expect((entry["request_id"] as? String)?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        }
    }
}
