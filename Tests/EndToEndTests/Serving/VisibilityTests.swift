import Foundation
import TestSupport
import Testing

@Suite("Visibility", .onThreadsForPrograms)
final class VisibilityTests: Stage {
    override init() throws {
        try super.init()
        try load("id,login\n7,ada\n9,bob\n", into: "team")
        try load("id,login\n1,zoe\n", into: "guests")
    }

    @Test func aDirectoryThatDoesNotExistKeepsTheServerFromStarting() throws {
        try rollcall("serve", "--port", "0", "--directories", "team,tema").expect(
            1, error: "--directories: there is no directory tema; the database has team, guests")
    }

    @Test func privateDirectoriesAreNamedInOneLineWhereTheyAreHidden() throws {
        for name in ["team", "guests"] {
            #expect(try rollcall("directories", "describe", name, "--private").status == 0)
        }
        func lines(_ options: String...) throws -> [Substring] {
            let server = try serve(options)
            #expect(server.stop() == 0)
            return server.errors.split(separator: "\n").filter { $0.contains("because private") }
        }
        let hidden = try lines()
        #expect(hidden.count == 1 && hidden[0].contains("team, guests; start with --private"), "\(hidden)")
        #expect(try lines("--directories", "guests").first?.contains("private: guests;") == true)
        #expect(try lines("--private").isEmpty)
    }

    /// The lines of Documentation/proxy, with the addresses of this test.
    @Test func nginxAsksForAPassword() throws {
        let server = try serve("--private")
        let passwords = path("passwords")
        // The password of ann is "to be read".
        try Data("ann:$apr1$saltsalt$SQblDXucCzNXZ82xJgCf80\n".utf8).write(to: URL(filePath: passwords))
        let file = RollcallProcess.packageFolder.appending(path: "Documentation/proxy/nginx-password.conf")
        let lines = try String(contentsOf: file, encoding: .utf8)
            .replacing("/etc/nginx/rollcall.htpasswd", with: passwords)
            .replacing("proxy_pass http://rollcall;", with: "proxy_pass \(server.url);")
        let nginx = try Nginx(lines, root: folder.path)

        for path in ["/", "/fragment", "/users/ada", "/api/v3/users", "/style.css", "/export.csv", "/metrics"] {
            for options in [[], ["-u", "ann:wrong"], ["-H", "X-Forwarded-User: ann"], ["-H", "Remote-User: ann"]] {
                let answer = try nginx.page(path, options)
                #expect(answer.status == 401 && !answer.text.contains("ada"), "\(path) \(options)")
            }
        }
        for _ in 0..<2 {
            let page = try nginx.page("/", ["-u", "ann:to be read"])
            #expect(page.status == 200 && page.text.contains("ada"))
            #expect(page.fields["cache-control"] == "private, no-store")
            #expect(page.fields["x-robots-tag"] == "noindex")
            #expect(page.fields["access-control-allow-origin"] == nil)
        }
        #expect(try nginx.page("/export.csv", ["-u", "ann:to be read"]).status == 404)
        #expect(try nginx.page("/?embed=1", ["-u", "ann:to be read"]).status == 400)
    }
}
