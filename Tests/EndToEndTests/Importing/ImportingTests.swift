import Foundation
import PictureFiles
import TestSupport
import Testing

@Suite("Importing and serving", .onThreadsForPrograms)
final class ImportingTests: Stage {
    private func importFile(_ arguments: String...) throws -> Output { try rollcall(["import", "file"] + arguments) }

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

    @Test func aFileNameWithoutASlugNeedsADirectory() throws {
        try importFile(try write("日本.csv", "id,login\n1,ada\n")).expect(
            1, error: "name the directory with --directory", "日本.csv")
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try importFile(path("日本.csv"), "--directory", "japan").status == 0)
    }

    @Test func usersAreReadFromStandardInput() throws {
        try rollcall("import", "file", "-", input: "id,login\n1,ada\n").expect()
        #expect(try rollcall("directories").output.contains("people (default)"))
    }

    @Test func aFileWhoseNameIsNotUTF8IsImported() throws {
        try write("list.csv", Array("Name\nAnn Lee\n".utf8))
        for name in ["ann", "bo"] { try write("\(name).jpg", TestImage.chequer().jpeg()) }
        let importing = { (words: String) in
            let script = #"cd "$1" && "$0" import file \#(words) --directory team --database people.sqlite"#
            return try run("bash", ["-c", script, binary(), self.folder.path])
        }
        let move = #"""
            cd "$1" && mkdir $'M\xFCller' && mv list.csv $'M\xFCller/Z\xFCrich.csv' && mv ann.jpg $'M\xFCller/Ann Lee.jpg'
            mv bo.jpg $'M\xFCller/Zo\xEB.jpg'
            """#
        #expect(try run("bash", ["-c", move, "", folder.path]).status == 0)
        let output = try importing(#"$'M\xFCller/Z\xFCrich.csv' --photos=$'M\xFCller'"#).expect(output: "1 added")
        #expect(output.error.contains(#"Zo\xEB.jpg"#) && !output.error.contains("Ann Lee.jpg"), "\(output)")
        try importing(#"$'M\xFCller.csv'"#).expect(1, error: #"cannot open M\xFCller.csv: No such"#)
        try importing(#"$'M\xFCller/Z\xFCrich.csv' --title $'Z\xFCrich'"#).expect(
            1, error: #""Z\xFCrich": expected UTF-8"#)
    }
}
