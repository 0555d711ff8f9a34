import Foundation
import People
import Publishing
import Server
import Template
import TestSupport
import Testing

@testable import Site

@Suite("A publisher's own look")
final class OwnLookTests: TestFolder {
    private func client(_ assets: Assets, _ configure: (inout Site.Configuration) -> Void = { _ in }) throws
        -> SiteClient
    {
        try SiteClient(
            store: FakeStore(Staff.users, directories: [Staff.directory]), assets: assets, configure: configure)
    }

    // MARK: Files

    @Test func ownStylesAndScriptsAreLinkedLastByEveryPage() throws {
        try write("custom.css", "body { color: red }")
        try write("custom.js", "let mine")
        let client = try client(Assets(publicFolder: folder.path, templatesFolder: nil))
        for path in ["/", "/?embed=1", "/?view=grid", "/users/zoe", "/directories", "/keys", "/embed", "/nope"] {
            let head = client.get(path).text.components(separatedBy: "</head>")[0]
            let lines = head.split(separator: "\n").suffix(2)
            #expect(lines.first?.contains(/<link rel="stylesheet" href="\/custom\.[0-9a-f]{16}\.css">/) == true)
            #expect(lines.last?.contains(/<script src="\/custom\.[0-9a-f]{16}\.js" defer>/) == true, "\(path)")
        }
        #expect(!client.get("/fragment").text.contains("custom"))
        #expect(try !Staff.client().get("/").text.contains("custom"))
    }

    @Test func aPageNamesItsDirectory() throws {
        let client = try Staff.client()
        for path in ["/", "/?embed=1", "/users/zoe", "/keys"] {
            #expect(client.get(path).text.contains(#"<html lang="en" data-directory="team">"#), "\(path)")
        }
        #expect(client.get("/directories").text.contains(#"<html lang="en">"#))
        #expect(try SiteClient([], directories: [.people]).get("/").status == .ok)
    }

    /// Documentation/Templates.md promises them, so that a publisher's style sheet outlives a release.
    @Test func thePromisedNamesAreInThePages() throws {
        let file = RollcallProcess.packageFolder.appending(path: "Documentation/Templates.md")
        let document = try String(contentsOf: file, encoding: .utf8)
        let promise = try #require(document.firstMatch(of: /\| classes \| (.*) \|/)).1
        let classes = promise.matches(of: /`([a-z]+)`/).map { String($0.1) }
        #expect(classes.count == 17)
        var users = Staff.users
        users[0].more = users[0].more.map { #"{"Punkte":7,"# + $0.dropFirst() }
        let client = try SiteClient(users, directories: [Staff.directoryWithFigure])
        let pages = ["/?per_page=1&department=Vertrieb", "/", "/users/anna-mueller"].map { client.get($0).text }
            .joined()
        let found = Set(pages.matches(of: /class="([^"]*)"/).flatMap { $0.1.split(separator: " ").map(String.init) })
        for name in classes { #expect(found.contains(name), "\(name)") }
        #expect(pages.contains(#"data-field="title""#))
        #expect(client.get("/?view=grid").text.contains(/<body class="grid[ "]/))
        #expect(client.get("/?view=photos").text.contains(/<body class="photos[ "]/))
        let properties = try #require(document.firstMatch(of: /\| properties of a brand \| (.*) \|/)).1
        let branded = try Staff.client { (settings: inout Settings) in
            (settings.accent, settings.paper, settings.radius) = ("#0a7d5a", "#fffdf5", "8px")
            settings.font = "serif"
        }
        let sheet = branded.get("/brand.css").text
        let names = properties.matches(of: /`(--[a-z-]+)`/).map { String($0.1) }
        #expect(!names.isEmpty)
        for name in names { #expect(sheet.contains(name + ":"), "\(name): \(sheet.prefix(600))") }
    }

    // MARK: Fields by key

    private let named =
        #"<li data-id="{{id}}">{{#field.joined}}{{label}}: "#
        + #"<time datetime="{{dateTime}}">{{value}}</time>{{/field.joined}}"#
        + "{{^field.joined}}new{{/field.joined}}{{#field.skills}} {{key}}{{#values}} <b>{{value}}</b>{{/values}}"
        + #"{{/field.skills}}{{#field.website}} <a href="{{href}}">{{value}}</a>{{/field.website}}"#
        + "{{#field.salary}}SECRET{{/field.salary}}{{#field.nope}}NOPE{{/field.nope}}</li>\n"

    @Test func templatesNameFieldsByTheirKeys() throws {
        try write("_article.mustache", named)
        try write(
            "user.mustache", "{{> _head}}</head><body><p>{{#field.budget}}{{label}} {{value}}{{/field.budget}}</p>")
        try write("person.mustache", "<article>{{#field.budget}}{{value}}{{/field.budget}}</article>\n")
        let client = try client(Assets(publicFolder: nil, templatesFolder: folder.path))
        let anna =
            #"<li data-id="1">Dabei seit: <time datetime="2019-03-01">1 March 2019</time> skills <b>Swift</b> <b>Rust</b>"#
            + #" <a href="https://anna.example/">anna.example</a></li>"#
        for path in ["/", "/fragment", "/fragment?embed=htmx", "/?view=grid"] {
            let text = client.get(path).text
            #expect(text.contains(anna), "\(path): \(text.prefix(3000))")
            #expect(text.contains(#"<li data-id="3">new</li>"#) && !text.contains("SECRET") && !text.contains("NOPE"))
        }
        #expect(client.get("/users/anna-mueller").text.contains("<p>Budget 1,234.5</p>"))
        #expect(client.get("/users/kim").text.contains("<p></p>"))
        #expect(client.get("/fragment/users/anna-mueller").text.contains("<article>1,234.5</article>"))
    }

    @Test func aListMayShowNobody() throws {
        try write("page.mustache", "{{> _head}}</head><body><h1>Search</h1></body></html>\n")
        try write("fragment.mustache", "<p>Search</p>\n")
        let client = try client(Assets(publicFolder: nil, templatesFolder: folder.path))
        #expect(client.get("/").text.contains("<h1>Search</h1>"))
        #expect(client.get("/fragment").text == "<p>Search</p>\n")
    }

    @Test func keysThatNoDirectoryHasAreReportedWithTheirPlace() throws {
        try write("_article.mustache", "<b>\n{{#field.trakc}}x{{/field.trakc}}{{#field.title}}x{{/field.title}}</b>")
        let client = try client(Assets(publicFolder: nil, templatesFolder: folder.path))
        let site = try #require(client.responder as? SiteResponder).site
        #expect(site.templateWarnings == [#"_article.mustache:2:1: no directory has a field "trakc""#])
    }

    // MARK: Copies

    @Test func aCopySaysWhetherItsOriginalHasChanged() throws {
        let origin = try #require(TemplateOrigin(copying: "page", version: "0.1.0"))
        #expect(origin.line.wholeMatch(of: /\{\{! rollcall 0\.1\.0 page [0-9a-f]{8} \}\}/) != nil)
        let page = String(decoding: try #require(Assets.builtIn.template("page")), as: UTF8.self)
        try write("page.mustache", origin.line + "\n" + page)
        let assets = try Assets(publicFolder: nil, templatesFolder: folder.path)
        #expect(assets.warnings == [])
        #expect(try client(assets).get("/").text == Staff.client().get("/").text)
        try write("page.mustache", "{{! rollcall 0.0.9 page 00000000 }}\n" + page)
        #expect(
            try Assets(publicFolder: nil, templatesFolder: folder.path).warnings == [
                "page.mustache was made from an older template (0.0.9); rollcall templates diff page shows what changed"
            ])
    }
}
