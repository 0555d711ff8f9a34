import Foundation
import TestSupport
import Testing

@Suite("Settings on the command line", .onThreadsForPrograms)
final class SettingsTests: Stage {
    override init() throws {
        try super.init()
        let people = try write("team.csv", "login,title\nada,Engineer\nbob,Manager\n")
        #expect(try rollcall("import", "file", people).status == 0)
    }

    private func directories(_ arguments: String...) throws -> Output { try rollcall(["directories"] + arguments) }

    private func settings() throws -> [String: Any] { try settings(of: "team") }

    private let logo = #"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>"#

    @Test func whatBecomesPublicIsTold() throws {
        let people = try write("crew.csv", "name,staff_no\nAda,A1\nBob,B2\n")
        #expect(try rollcall("import", "file", people, "--key", "staff_no", "--private").status == 0)
        let none = try write("none.json", #"{"private": false, "key": []}"#)
        let adopted = try rollcall("import", "file", people, "--settings", none, "--adopt")
        #expect(adopted.status == 0 && !adopted.output.contains("added"), "\(adopted)")
        #expect(adopted.error.contains("crew was private; it is public now\n"), "\(adopted.error)")
        let hidden = try write("hidden.json", #"{"private": true}"#)
        #expect(try directories("settings", "crew", hidden).output.contains("crew was public; it is private now\n"))
        // A member without a value is reset.
        let reset = try write("reset.json", #"{"private": null}"#)
        #expect(try directories("settings", "crew", reset).output.contains("crew was private; it is public now\n"))
    }

    @Test func erasedColumnsAreNamed() throws {
        let refused = try directories("settings", "team", "--drop", "title")
        #expect(refused.status == 1)
        #expect(
            refused.error == "rollcall: this erases title of 2 people: nothing was saved. --yes agrees\n",
            "\(refused.error)")
        #expect(try directories("settings", "team").output.contains("never") == false)
        let output = try directories("settings", "team", "--drop", "title", "--yes")
        #expect(output.output == "team: settings saved\nerased from the database: title\n", "\(output.error)")
        #expect(try directories("settings", "team", "--language", "de").output == "team: settings saved\n")
        let again = try directories("settings", "team", "--publish", "title").output
        #expect(again.hasSuffix("which stay empty until the next import: title\n"), "\(again)")
        // Environment variables apply to imports only: printing with one set changes nothing.
        let printed = try rollcall("directories", "settings", "team", environment: ["ROLLCALL_DROP": "title"])
        #expect(try printed.output == directories("settings", "team").output)
    }

    @Test func anImportTakesTheLogoOfItsSettings() throws {
        try write("logo.svg", logo)
        let path = try write("settings.json", #"{"logo": "logo.svg", "title": "Crew"}"#)
        let people = try write("crew.csv", "name\nAda\n")
        let arguments = ["import", "file", people, "--settings", path, "--database", database]
        #expect(try run(binary(), arguments).status == 0)
        #expect(try directories("settings", "crew").output.contains(#""logo": "logo.svg""#))
        // The picture itself is in the database.
        let stored = try Data(contentsOf: URL(filePath: database))
        #expect(stored.range(of: Data("M0 0h9v9z".utf8)) != nil)
        try FileManager.default.removeItem(at: folder.appending(path: "logo.svg"))
        #expect(try run(binary(), arguments).status == 1)
    }

    @Test func looksAreDescribed() throws {
        let path = try write("logo.svg", logo)
        let output = try directories(
            "describe", "team", "--intro", "Hello.", "--logo", path, "--accent", "#0a7d5a", "--paper", "#fffdf8",
            "--radius", ".25rem", "--font", "Georgia, serif", "--link", "Imprint=https://example.org/imprint", "--link",
            "Mail=mailto:a@example.org", "--private", "--language", "de", "--pictures", "off")
        #expect(
            output.output == "team is described\n" && output.error.hasPrefix("note: the accent #0a7d5a has a contrast"))
        let printed = try settings()
        for (member, value) in [
            ("intro", "Hello."), ("logo", "logo.svg"), ("accent", "#0a7d5a"), ("paper", "#fffdf8"),
            ("radius", ".25rem"), ("font", "Georgia, serif"), ("language", "de"), ("pictures", "off"),
        ] { #expect(printed[member] as? String == value, "\(member)") }
        #expect(printed["private"] as? Bool == true)
        #expect((printed["links"] as? [[String: String]])?.map { $0["label"] } == ["Imprint", "Mail"])
        let removing = try directories(
            "describe", "team", "--intro", "", "--logo", "", "--font", "", "--link", "", "--no-private")
        // The colours are as before, so there is nothing to say about them.
        #expect(removing.status == 0 && removing.error.isEmpty)
        let less = try settings()
        for member in ["intro", "logo", "font", "links", "private"] { #expect(less[member] == nil, "\(member)") }
    }
}
