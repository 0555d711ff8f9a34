import Base
import Logging
import People
import Server

@testable import Site

extension FuzzTarget {
    /// Pages of a user: the input is login, name, type, avatar, external page, and a profile field with its label.
    /// Whatever the values are, the page shows exactly them and nothing else.
    static let page = FuzzTarget(
        name: "page",
        words: [
            "<script>", "</title>", "</h2>", "\"", "'", "&", "&lt;", "<", ">", "<!--", "javascript:alert(1)",
            "https://a.b/c?d=\"e\"", "http://", "//a@b", " onload=x", "\u{202E}", "\u{2028}", "\0", "ana", "Ana Li",
            "{{login}}", "bio", "location", "\\u003c", "%3C", "..", "/",
        ]
    ) { bytes in
        let parts = bytes.parts(7).map(\.text)
        let more = ByteBuffer()
        more.append("{")
        more.append(jsonString: parts[5])
        more.append(":")
        more.append(jsonString: parts[6])
        more.append(",\"website\":")
        more.append(jsonString: parts[4])
        more.append(",\"type\":")
        more.append(jsonString: parts[2])
        more.append("}")
        let user = User(
            id: 7, login: parts[0].isEmpty ? "a" : parts[0], name: parts[1].isEmpty ? nil : parts[1],
            avatarURL: parts[3], more: String(more))
        let site = try PersonSite(user)
        for path in ["/fragment", "/?q=a", "/users/a"] {
            let tokens = try HTMLToken.tokens(of: site.get(path))
            try checkShape(of: tokens)
            try hold(headline(in: tokens, of: path) == (user.name ?? user.login).inHTML, "\(path) shows \(tokens)")
        }
        _ = try site.get("/api/v3/users/a").withUnsafeBytes { try JSON.value($0) }
    }
}

/// The page has no element, attribute or link that the templates do not have.
private func checkShape(of tokens: [HTMLToken]) throws {
    for case .start(let name, let attributes) in tokens {
        try hold(elements.contains(name), "an element \(name)")
        for attribute in attributes {
            try hold(!attribute.name.hasPrefix("on") && attribute.name != "style", "an attribute \(attribute.name)")
            guard ["href", "src", "action"].contains(attribute.name) else { continue }
            let isOurs =
                attribute.value.hasPrefix("/") && !attribute.value.hasPrefix("//") || attribute.value.hasPrefix("#")
            let link = attribute.value.lowercased()
            try hold(isOurs || link.hasPrefix("http://") || link.hasPrefix("https://"), "a link to \(attribute.value)")
        }
    }
    for (index, token) in tokens.enumerated() {
        guard case .start("script", let attributes) = token else { continue }
        if attributes == [.init(name: "type", value: "application/ld+json")] {
            guard case .text(let data)? = tokens[(index + 1)...].first else { throw BrokenRule(description: "no data") }
            _ = try Array(data.utf8).withUnsafeBytes { try JSON.value($0) }
        } else {
            let content: HTMLToken? = tokens[(index + 1)...].first
            let isTheme = attributes.isEmpty && content == .text(themeScript)
            let isOurs = attributes.first { $0.name == "src" }?.value.hasPrefix("/") == true
            try hold(isOurs || isTheme, "a script of another origin")
        }
    }
}

/// The only script inside a page, whose hash its Content-Security-Policy names.
private let themeScript = "try{document.documentElement.classList.add(localStorage.theme)}catch{}"

private let elements: Set<String> = [
    "!doctype", "html", "head", "meta", "title", "link", "script", "body", "a", "header", "h1", "h2", "p", "strong",
    "span", "form", "input", "label", "select", "option", "button", "main", "div", "article", "img", "bdi", "footer",
    "nav", "dl", "dt", "dd", "section", "small", "q", "details", "summary", "fieldset", "legend", "b", "ul", "li",
    "code", "time", "h3", "mark", "noscript", "svg", "path", "circle",
]

/// Returns the content of the user's heading.
private func headline(in tokens: [HTMLToken], of path: String) -> String? {
    let heading = path == "/users/a" ? "h1" : "h2"
    guard let start = tokens.lastIndex(where: { if case .start(heading, _) = $0 { true } else { false } }) else {
        return nil
    }
    let texts = tokens[start...].prefix { $0 != .end(heading) }.compactMap {
        if case .text(let text) = $0 { text } else { nil }
    }
    return texts.joined()
}

/// A site with one user.
private struct PersonSite {
    private static let site = Result {
        var configuration = Site.Configuration()
        configuration.cacheBytes = 1 << 16
        return try Site(
            configuration: configuration, store: PersonStore.shared, assets: .builtIn,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    }
    private let responder: any Responder

    init(_ user: User) throws {
        PersonStore.shared.put(user)
        responder = try Self.site.get().makeResponder()
    }

    func get(_ target: String) throws -> [UInt8] {
        let text = Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        return try text.withUnsafeBytes { bytes in
            var heads = [RequestHead()]
            _ = RequestParser().parse(bytes, into: &heads[0])
            let response =
                switch responder.respond(to: Request(bytes: bytes, head: heads.span)) {
                case .now(let response): response
                case .later(let work): work()
                }
            try hold(response.status == .ok, "\(target) responds with \(response.status.rawValue)")
            return Array(response.body.bytes[response.body.range])
        }
    }
}
