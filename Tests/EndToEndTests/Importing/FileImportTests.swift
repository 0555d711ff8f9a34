import Foundation
import TestSupport
import Testing

@Suite("Files of publishers")
struct FileImportTests {
    let folder: URL
    var database: String { folder.appending(path: "people.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }

    private func importFile(_ arguments: String...) throws -> Output {
        try run(binary(), ["import", "file"] + arguments + ["--directory", "team", "--database", database])
    }

    @Test func aListInAnotherEncodingIsReadAndTheEncodingReported() throws {
        let file = try write("list.csv", encoded(StaffList.english("김민수", "이서연"), as: "windows-949"))
        let output = try importFile(file)
        #expect(output.status == 0 && output.error.contains("list.csv is read as CP949\n"), "\(output.error)")
        #expect(output.output.contains("9 added"))
        let program = try RollcallProcess(["serve", "--database", database])
        let page = try curl(program.url + "/").text
        #expect(page.contains("김민수") && page.contains("이서연") && page.contains("Ann Lee"))
    }

    @Test func aNameThatCanBeReadInTwoWaysSavesNothing() throws {
        let file = try write("list.csv", encoded(StaffList.english("李娜"), as: "gb18030"))
        let output = try importFile(file)
        let (best, name) = ("\"李娜\" in GB18030", "--encoding GB18030")
        #expect(output.status == 1 && output.error.contains(best) && output.error.contains(name), "\(output.error)")
        #expect(output.error.contains("line 9") && output.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try importFile(file, "--encoding", "gbk").status == 0)
    }

    @Test func anUnknownEncodingIsRefused() throws {
        let output = try importFile("list.csv", "--encoding", "klingon")
        #expect(output.status == 64 || output.status == 1)
        #expect(output.error.contains("--encoding: expected the name of an encoding"), "\(output.error)")
    }

    @Test func aWorkbookIsAnsweredWithWhatToDo() throws {
        let file = try write("staff.xlsx", Array("PK\u{3}\u{4}\u{14}..[Content_Types].xml".utf8))
        let output = try importFile(file)
        #expect(output.status == 1)
        #expect(
            output.error == "rollcall: staff.xlsx is an Excel workbook: in Excel choose Save As, CSV UTF-8\n",
            "\(output.error)")
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test func theHeaderMayFollowTitles() throws {
        let file = try write("list.csv", Array("sep=;\r\nTeam, 2026;;\r\nLogin;Name\r\nann;Ann\r\n;\r\nbo;Bo\r\n".utf8))
        let output = try importFile(file)
        #expect(output.status == 0 && output.output.contains("2 added") && output.error.isEmpty, "\(output.error)")
        let named = try importFile(file, "--header", "4")
        #expect(named.status == 1 && named.error.contains("found \"ann\", \"Ann\""), "\(named.error)")
    }
}
