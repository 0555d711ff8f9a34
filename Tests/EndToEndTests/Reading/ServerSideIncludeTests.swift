import Foundation
import TestDatabases
import TestSupport
import Testing

/// Fragments that another server includes in its pages, with the lines that `/embed` shows.
@Suite("Server-side includes", .onThreadsForPrograms)
final class ServerSideIncludeTests: Stage {
    /// Returns all lines under a heading of `/embed`, as a reader would copy them.
    private func lines(_ url: String, under heading: String) throws -> [String] {
        let page = try get("\(url)/embed").text
        let section = page.components(separatedBy: "with \(heading)</h2>")[1].components(separatedBy: "</section>")[0]
        return section.components(separatedBy: "<pre><code>").dropFirst().map { part in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
                .reduce(part.components(separatedBy: "</code>")[0]) { $0.replacing($1.0, with: $1.1) }
        }
    }

    @Test func curlKeepsTheLastFileAfterAnyFailure() throws {
        let program = try RollcallProcess.demo(users: 30)
        defer { program.stop() }
        let line = try #require(lines(program.url, under: "curl").first)
        let file = folder.appending(path: "people.html")
        func run(_ line: String) throws -> (status: Int32, people: String) {
            let output = try EndToEndTests.run("sh", ["-c", "cd \(folder.path) && \(line)"])
            return (output.status, try String(contentsOf: file, encoding: .utf8))
        }
        let (status, people) = try run(line)
        #expect(status == 0)
        #expect(people.components(separatedBy: "<article").count == 11)
        #expect(people.components(separatedBy: " href=\"\(program.url)/").count == 12)

        #expect(try run(line.replacing("embed=html", with: "embed=html&sort=nope")) == (22, people))
        program.stop()
        #expect(try run(line) == (7, people))
    }

    @Test func nginxIncludesAFragmentOrALinkOnFailure() throws {
        let program = try RollcallProcess.demo(users: 30)
        defer { program.stop() }
        let lines = try lines(program.url, under: "nginx")
        try Data("<h1>Mine</h1>\n\(lines[1])\n<p>The end</p>".utf8).write(to: folder.appending(path: "index.html"))
        let nginx = try Nginx(lines[0], root: folder.path)

        let page = try nginx.page("/index.html", "--compressed").text
        #expect(page.hasPrefix("<h1>Mine</h1>") && page.hasSuffix("<p>The end</p>"))
        #expect(page.components(separatedBy: "<article").count == 11)
        #expect(page.components(separatedBy: " href=\"\(program.url)/").count == 13)
        #expect(try nginx.page("/people.html").status == 404)

        program.stop()
        let without = try nginx.page("/index.html")
        #expect(without.status == 200)
        let sheet = "<link rel=\"stylesheet\" href=\"\(program.url)/fragment.css\">\n<div class=\"rollcall\">"
        #expect(
            without.text == "<h1>Mine</h1>\n\(sheet)\n\n<a href=\"\(program.url)/\">People</a>\n</div>\n<p>The end</p>")
    }

    @Test func aWrongRequestInAPageIsAMessage() throws {
        let program = try RollcallProcess.demo(users: 30)
        defer { program.stop() }
        let lines = try lines(program.url, under: "nginx")
        let nginx = try Nginx(lines[0].replacing("embed=html", with: "embed=html&sort=nope"), root: folder.path)
        try Data(lines[1].utf8).write(to: folder.appending(path: "index.html"))
        let page = try nginx.page("/index.html").text
        #expect(page.contains("<p role=\"alert\">sort: expected one of id, login, name"))
        #expect(page.contains("found “nope”</p>"))
    }
}
