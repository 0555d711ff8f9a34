import Foundation
import TestSupport
import Testing

/// What an import does about settings besides the people.
@Suite("Settings of an import", .onThreadsForPrograms)
final class SettingsTests: Stage {
    @Test func whatBecomesPublicIsTold() throws {
        let people = try write("crew.csv", "name,staff_no\nAda,A1\nBob,B2\n")
        #expect(try rollcall("import", "file", people, "--key", "staff_no", "--private").status == 0)
        let none = try write("none.json", #"{"private": false, "key": []}"#)
        let adopted = try rollcall("import", "file", people, "--settings", none, "--adopt")
        #expect(!adopted.expect(error: "crew was private; it is public now\n").output.contains("added"), "\(adopted)")
    }

    @Test func anImportTakesTheLogoOfItsSettings() throws {
        try write("logo.svg", #"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>"#)
        let path = try write("settings.json", #"{"logo": "logo.svg", "title": "Crew"}"#)
        let people = try write("crew.csv", "name\nAda\n")
        #expect(try rollcall("import", "file", people, "--settings", path).status == 0)
        #expect(try settings(of: "crew")["logo"] as? String == "logo.svg")
        // The picture itself is in the database.
        #expect(try Data(contentsOf: URL(filePath: database)).range(of: Data("M0 0h9v9z".utf8)) != nil)
        try FileManager.default.removeItem(at: folder.appending(path: "logo.svg"))
        #expect(try rollcall("import", "file", people, "--settings", path).status == 1)
    }

    /// Environment variables apply to imports only: printing with one set changes nothing.
    @Test func printingTakesNoVariable() throws {
        try load("login,title\nada,Engineer\n")
        let printed = try rollcall("directories", "settings", "team", environment: ["ROLLCALL_DROP": "title"])
        #expect(try printed.status == 0 && printed.output == rollcall("directories", "settings", "team").output)
    }
}
