import Foundation
import TestSupport
import Testing

@Suite("Directories", .onThreadsForPrograms)
final class DirectoriesTests: Stage {
    private func directories(_ arguments: String...) throws -> Output { try rollcall(["directories"] + arguments) }

    private func importFile(_ name: String, _ text: String) throws {
        #expect(try rollcall("import", "file", write(name, text)).status == 0)
    }

    private func importTwo() throws {
        try importFile("team.csv", "id,login\n7,ada\n9,bob\n")
        try importFile("crew.csv", "id,login\n1,zoe\n")
    }

    @Test func aRunningServerShowsChanges() throws {
        try importTwo()
        let server = try serve()
        #expect(try get(server.url + "/fragment").text.contains("ada"))
        #expect(try get(server.url + "/api/v3/users?directory=crew").text.contains("zoe"))

        #expect(try directories("default", "crew").output == "crew is now the default\n")
        try eventually { try get(server.url + "/fragment").text.contains("zoe") }
        #expect(try get(server.url + "/fragment?directory=team").text.contains("directory=team"))

        #expect(try directories("rename", "team", "people").output == "team is now called people\n")
        // Addresses with the old slug lead to the new one, as long as the directory is shown.
        try eventually { try get(server.url + "/?directory=team").status == 301 }
        for (old, new) in [
            ("/?view=grid&directory=team&q=a%22b", "/?view=grid&directory=people&q=a%22b"),
            ("/users/ada?directory=team", "/users/ada?directory=people"),
            ("/api/v3/users?directory=team", "/api/v3/users?directory=people"),
            ("/2.3/users?site=team", "/2.3/users?site=people"),
            ("/export.csv?directory=team", "/export.csv?directory=people"),
            ("/sitemap-team-1.xml", "/sitemap-people-1.xml"),
        ] {
            let moved = try get(server.url + old)
            #expect(moved.status == 301 && moved.fields["location"] == new, "\(old): \(moved.fields)")
            #expect(moved.fields["cache-control"] == "no-cache")
        }
        #expect(try get(server.url + "/?directory=people").text.contains("ada"))
        for path in ["/sitemap-team-x.xml", "/sitemap-tea-1.xml", "/sitemap--1.xml"] {
            #expect(try get(server.url + path).status == 404, "\(path)")
        }
        _ = try directories("describe", "people", "--private")
        try eventually { try get(server.url + "/?directory=team").status == 404 }
        #expect(try get(server.url + "/sitemap-team-1.xml").status == 404)
        _ = try directories("describe", "people", "--no-private")
        try eventually { try get(server.url + "/?directory=team").status == 301 }

        #expect(try directories("describe", "people", "--title", "The <Team>").output == "people is described\n")
        try eventually { try get(server.url + "/").text.contains("The &lt;Team&gt;") }

        let credits = ["--licence", "CC BY 4.0", "--attribution", "Them", "--attribution-url", "https://them.example/"]
        #expect(try rollcall(["directories", "describe", "people"] + credits).status == 0)
        try eventually { try get(server.url + "/?directory=people").text.contains("Licence: <bdi>CC BY 4.0") }
        try eventually { try get(server.url + "/directories").text.contains("https://them.example/") }
        #expect(try get(server.url + "/directories").text.contains("The &lt;Team&gt;"))

        #expect(try directories("remove", "crew", "--yes").output.hasPrefix("removed crew with 1 users"))
        try eventually { try get(server.url + "/fragment").text.contains("ada") }
        #expect(try get(server.url + "/fragment?directory=crew").status == 404)
        #expect(try get(server.url + "/readyz").status == 200)
    }

    @Test func aServerReportsThatItsDirectoryIsGone() throws {
        try importTwo()
        let server = try serve("--directory", "team")
        #expect(try get(server.url + "/readyz").status == 200)
        _ = try directories("rename", "team", "people")
        try eventually { try get(server.url + "/readyz").status == 503 }
        #expect(try get(server.url + "/readyz").text == "not ready: there is no directory team\n")
        for _ in 0..<10 { _ = try get(server.url + "/") }
        let warning = "there is no directory team any more"
        #expect(server.errors.components(separatedBy: warning).count == 2, "\(server.errors)")
        #expect(server.errors.contains("there is: people, crew"))
        _ = try directories("rename", "people", "team")
        try eventually { try get(server.url + "/readyz").status == 200 }
        #expect(try get(server.url + "/fragment").text.contains("ada"))
    }
}
