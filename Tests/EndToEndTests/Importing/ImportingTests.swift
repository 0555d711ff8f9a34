import Foundation
import TestSupport
import Testing

@Suite("Importing and serving", .onThreadsForPrograms)
final class ImportingTests: Stage {
    private func importFile(_ arguments: String...) throws -> Output { try rollcall(["import", "file"] + arguments) }

    @Test func whatIsDroppedIsToldToProgramsToo() throws {
        let people = "login,avatar,link\nann,photos/ann.jpg,www.example.org\ncy,,javascript:alert(1)\n"
        let json = try rollcall("import", "file", "-", "--directory", "team", "--progress", "json", input: people)
        let lines = json.error.split(separator: "\n").filter { $0.contains("dropped") }
        #expect(json.status == 0 && lines.count == 1 && lines[0].hasPrefix(#"{"note":"1 link"#), "\(json.error)")
        #expect(json.output.contains(#""droppedLinks":1"#) && json.output.contains(#""missingPhotos":1"#), "\(json)")
    }

    @Test func whatIsImportedIsServedAndTheSameAfterASecondImport() throws {
        let file = try write("team.csv", "id,login,name\n7,ada,Ada Lovelace\n9,김,\"Kim, Min-su\"\n")
        #expect(try importFile(file).status == 0)
        let program = try serve()
        let page = try get(program.url + "/")
        #expect(page.text.contains("Ada Lovelace") && page.text.contains("Min-su Kim"))
        #expect(page.fields["x-total-count"] == "2")
        #expect(try get(program.url + "/fragment?q=lOvE").fields["x-total-count"] == "1")
        #expect(try get(program.url + "/api/v3/users/ADA").text.contains(#""id":7"#))
        #expect(try importFile(file).output.contains("2 unchanged"))
        #expect(try get(program.url + "/").fields["etag"] == page.fields["etag"])
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
