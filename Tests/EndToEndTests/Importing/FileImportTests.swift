import Foundation
import PictureFiles
import TestSupport
import Testing

@Suite("Files of publishers", .onThreadsForPrograms)
final class FileImportTests: Stage {
    private func importFile(_ arguments: String...) throws -> Output {
        try rollcall(["import", "file"] + arguments + ["--directory", "team"])
    }

    @Test func aNameThatCanBeReadInTwoWaysSavesNothing() throws {
        let file = try write("list.csv", encoded(StaffList.english("李娜"), as: "gb18030"))
        let output = try importFile(file)
        let (best, name) = ("\"李\" in GB18030", "--encoding GB18030")
        #expect(output.status == 1 && output.error.contains(best) && output.error.contains(name), "\(output.error)")
        #expect(output.error.contains("line 9") && output.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try importFile(file, "--encoding", "gbk").status == 0)
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
        let output = try importing(#"$'M\xFCller/Z\xFCrich.csv' --photos=$'M\xFCller'"#)
        #expect(output.status == 0 && output.output.contains("1 added"), "\(output)")
        #expect(output.error.contains(#"Zo\xEB.jpg"#) && !output.error.contains("Ann Lee.jpg"), "\(output)")
        let missing = try importing(#"$'M\xFCller.csv'"#)
        #expect(missing.status == 1 && missing.error.contains(#"cannot open M\xFCller.csv: No such"#), "\(missing)")
        let title = try importing(#"$'M\xFCller/Z\xFCrich.csv' --title $'Z\xFCrich'"#)
        #expect(title.status == 1 && title.error.contains(#""Z\xFCrich": expected UTF-8"#), "\(title)")
    }

    @Test func photosBesideTheFileAreFoundAndNothingElseIsRead() throws {
        try write("photos/anna.jpg", [0xFF, 0xD8, 0xFF, 0xE0])
        let list = StaffList.text.replacing("65.000,00 €;", with: "65.000,00 €;../../etc/passwd")
        let output = try importFile(try write("staff.csv", Array(list.utf8)))
        #expect(output.status == 0)
        for line in [
            "1 photo found", "1 photo not found, first in line 6: photos/none.jpg",
            "1 photo dropped, first in line 3: ../../etc/passwd (it leads out of the folder)",
        ] { #expect(output.error.split(separator: "\n").contains(Substring(line)), "\(line) in \(output.error)") }
        let named = try importFile(
            try write("list.csv", Array("login,name\nx,Lee Anna\nanna,Ann\n".utf8)), "--photos", path("photos"),
            "--missing", "erase", "--key", "name")
        #expect(named.error.contains("1 photo found"), "\(named.error)")
        let none = try importFile(path("list.csv"), "--photos", folder.path + "/none")
        #expect(none.status == 1 && none.error.contains("cannot open the folder"))
    }

    /// As when a workbook is saved as CSV: its dates are ISO dates, and CSV has them as they were shown.
    @Test func datesAndNumbersMayBeWrittenInAnotherWayThanLastTime() throws {
        let first = "Name,Eintritt,Betrag\nAnna,2017-11-16,1234.5\nBert,2007-04-16,99.5\nCora,2019-01-30,5000.25\n"
        let file = try write("list.csv", Array(first.utf8))
        #expect(try importFile(file, "--key", "Name", "--order", "joined").status == 0)
        let second = "Name;Eintritt;Betrag\nAnna;16.11.2017;1.234,5\nBert;16.04.2007;99,5\nCora;30.01.2019;5.000,25\n"
        #expect(try importFile(try write("list.csv", Array(second.utf8))).output.contains("3 changed"))
        let people = try rollcall("export", "--directory", "team").output
        let names = people.split(separator: "\n").compactMap { $0.firstMatch(of: /"name":"(\w+)"/)?.1 }
        #expect(names == ["Bert", "Anna", "Cora"])
        let settings = try rollcall("directories", "settings", "team").output
        #expect(settings.contains(#""format": "dmy""#) && settings.contains(#""format": "1.234,5""#))
    }
}
