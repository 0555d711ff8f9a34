import Foundation
import TestSupport
import Testing

@Suite("Importing and serving", .onThreadsForPrograms)
final class ImportingTests: Stage {
    private func importFile(_ arguments: String...) throws -> Output {
        try rollcall(["import", "file"] + arguments)
    }

    @Test func avatarsAndLinksThatAreNoURLsAreReportedOnce() throws {
        let people = """
            login,avatar,link
            ann,photos/ann.jpg,www.example.org
            bob,https://example.org/b.png,https://example.org/bob
            cy,,javascript:alert(1)
            x y,,ftp://example.org/
            """
        let importing = ["import", "file", "-", "--directory", "team"]
        let output = try rollcall(importing, input: people)
        let links =
            #"2 links dropped, first in line 4: link "javascript:alert(1)" "#
            + "(expected an http, https, mailto or tel URL)"
        let photos = "1 photo not found, first in line 2: photos/ann.jpg"
        let told = output.error.split(separator: "\n")
        #expect(output.status == 0 && told.filter { $0.contains("dropped") } == [links[...]], "\(output.error)")
        #expect(told.filter { $0.contains("photo") } == [photos[...]], "\(output.error)")
        let json = try rollcall(importing + ["--progress", "json"], input: people)
        let lines = json.error.split(separator: "\n").filter { $0.contains("dropped") }
        #expect(json.status == 0 && lines.count == 1 && lines[0].hasPrefix(#"{"note":"2 links"#), "\(json.error)")
        #expect(json.output.contains(#""droppedLinks":2"#), "\(json.output)")
        #expect(json.output.contains(#""missingPhotos":1"#), "\(json.output)")
        let none = try rollcall(importing, input: "login,avatar\nann,\nbob,https://example.org/b\n")
        let missing = none.error.contains("\n1 column of the last import missing: link (website); ")
        #expect(none.status == 0 && missing && !none.error.contains("dropped"), "\(none.error)")
    }

    @Test func whatIsImportedIsServed() throws {
        let file = try write("team.csv", "id,login,name\n7,ada,Ada Lovelace\n9,김,\"Kim, Min-su\"\n")
        #expect(try importFile(file).status == 0)
        let program = try serve()
        let page = try get(program.url + "/")
        #expect(page.text.contains("Ada Lovelace") && page.text.contains("Min-su Kim"))
        #expect(page.fields["x-total-count"] == "2")
        #expect(try get(program.url + "/fragment?q=lOvE").fields["x-total-count"] == "1")
        #expect(try get(program.url + "/api/v3/users/ADA").text.contains(#""id":7"#))
    }

    @Test func aSecondImportChangesNothing() throws {
        let file = try write(
            "team.ndjson", (1...500).map { #"{"id":\#($0),"login":"user\#($0)"}"# }.joined(separator: "\n"))
        #expect(try importFile(file).status == 0)
        let program = try serve()
        let tag = try get(program.url + "/").fields["etag"]
        let again = try importFile(file)
        #expect(again.status == 0)
        #expect((again.output + again.error).contains("500 unchanged"))
        #expect(try get(program.url + "/").fields["etag"] == tag)
    }

    @Test func aRunningServerSeesNewUsersWithoutARestart() throws {
        let program = try serve()
        #expect(try get(program.url + "/").text.contains("Nobody here yet"))
        #expect(try importFile(try write("a.csv", "id,login\n1,ada\n"), "--directory", "team").status == 0)
        try eventually { try get(program.url + "/").text.contains("ada") }
        #expect(try importFile(try write("b.csv", "id,login\n2,bob\n"), "--directory", "team").status == 0)
        try eventually { try get(program.url + "/").fields["x-total-count"] == "2" }
    }

    @Test(arguments: ["日本.csv", "_-_.csv"])
    func aFileNameWithoutASlugNeedsADirectory(_ name: String) throws {
        let output = try importFile(try write(name, "id,login\n1,ada\n"))
        #expect(output.status == 1)
        #expect(output.error.contains("name the directory with --directory") && output.error.contains(name))
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try importFile(path(name), "--directory", "japan").status == 0)
    }

    @Test func usersAreReadFromStandardInput() throws {
        let output = try rollcall("import", "file", "-", input: "id,login\n1,ada\n")
        #expect(output.status == 0)
        #expect(try rollcall("directories").output.contains("people (default)"))
    }

    @Test func blankTitlesAreIgnored() throws {
        let file = try write("team.csv", "id,login\n1,ada\n")
        #expect(try importFile(file, "--title", " \u{3000}").status == 0)
        let program = try serve()
        #expect(try get(program.url + "/").text.contains("<title>team</title>"))
    }
}
