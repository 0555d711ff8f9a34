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

    @Test func aFileChangesOnlyWhatItNames() throws {
        try write("logo.svg", logo)
        let first = try write(
            "first.json",
            """
            {"title": "Our team", "intro": "Hello.", "logo": "logo.svg", "accent": "#ffee00", "rows": ["title"],
             "fields": [{"key": "title", "label": "Role", "icon": "star"}]}
            """)
        let output = try directories("settings", "team", first)
        #expect(output.status == 0 && output.output == "team: settings saved\n", "\(output.error)")
        #expect(output.error.hasPrefix("note: the accent #ffee00 has a contrast of 1.2:1 to light pages"))
        // The printed settings can be put back, wherever the logo is.
        let copy = try write("copy.json", directories("settings", "team").output)
        try FileManager.default.removeItem(at: folder.appending(path: "logo.svg"))
        #expect(try directories("settings", "team", copy).status == 0)
        // An import may have such a file, too.
        let second = try write(
            "second.json", #"{"fields": [{"key": "title", "icon": null}], "intro": null, "accent": null}"#)
        #expect(try rollcall("import", "file", path("team.csv"), "--settings", second).status == 0)
        let merged = try settings()
        #expect(merged["title"] as? String == "Our team" && merged["logo"] as? String == "logo.svg")
        #expect(merged["rows"] as? [String] == ["title"] && merged["intro"] == nil && merged["accent"] == nil)
        #expect(merged["fields"] as? [[String: String]] == [["key": "title", "label": "Role"]])
        #expect(try directories("settings", "team", second, "--replace").status == 0)
        #expect(try settings()["rows"] == nil)
        #expect(try directories("settings", "team", "--replace").error.contains("--replace: expected a file"))
    }

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

    /// Settings may come from somebody who must not publish other files of the machine.
    @Test func aLogoStaysInTheFolderOfItsSettings() throws {
        let inside = folder.appending(path: "looks")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        let outside = try write("logo.svg", logo)
        try write("looks/inside.svg", logo)
        symlink(outside, inside.appending(path: "link.svg").path)
        symlink(folder.path, inside.appending(path: "up").path)
        mkfifo(inside.appending(path: "fifo.svg").path, 0o600)
        for (name, message) in [
            ("../logo.svg", "stays in the folder of the settings"), (outside, "stays in the folder of the settings"),
            ("link.svg", "not behind a link"), ("up/logo.svg", "not behind a link"), ("fifo.svg", "a regular file"),
        ] {
            let settings = try write("looks/settings.json", #"{"logo": "\#(name)"}"#)
            for output in try [
                directories("settings", "team", settings),
                run(
                    binary(), ["import", "file", path("team.csv"), "--settings", settings] + ["--database", database]),
            ] { #expect(output.status == 1 && output.error.contains(message), "\(name): \(output.error)") }
        }
        let settings = try write("looks/settings.json", #"{"logo": "./inside.svg"}"#)
        #expect(try directories("settings", "team", settings).status == 0)
        // The person at the terminal may name any file, but none that would make the command wait.
        for logo in [outside, inside.path + "/../logo.svg", inside.path + "/link.svg"] {
            #expect(try directories("describe", "team", "--logo", logo).status == 0)
        }
        let fifo = try directories("describe", "team", "--logo", inside.path + "/fifo.svg")
        #expect(fifo.status == 1 && fifo.error.contains("expected a regular file"), "\(fifo.error)")
    }

    private static let mistakes = [
        (#"{"rows": ["titel"], "fields": [{"key": "title"}]}"#, #"unknown field "titel" (did you mean "title"?)"#),
        (#"{"logo": "missing.svg"}"#, "cannot read"), (#"{"logo": "team.csv"}"#, "expected an SVG, PNG or JPEG"),
    ]

    @Test func aMistakeChangesNothing() throws {
        let before = try directories("settings", "team").output
        for (json, message) in Self.mistakes {
            let output = try directories("settings", "team", write("settings.json", json))
            #expect(output.status == 1 && output.error.contains(message), "\(output.error)")
        }
        #expect(try directories("settings", "team").output == before)
    }

    @Test func looksAreDescribed() throws {
        let path = try write("logo.svg", logo)
        let output = try directories(
            "describe", "team", "--intro", "Hello.", "--logo", path, "--accent", "#0a7d5a", "--paper", "#fffdf8",
            "--radius", ".25rem", "--font", "Georgia, serif", "--link", "Imprint=https://example.org/imprint", "--link",
            "Mail=mailto:a@example.org", "--private", "--language", "de")
        #expect(
            output.output == "team is described\n" && output.error.hasPrefix("note: the accent #0a7d5a has a contrast"))
        let printed = try settings()
        for (member, value) in [
            ("intro", "Hello."), ("logo", "logo.svg"), ("accent", "#0a7d5a"), ("paper", "#fffdf8"),
            ("radius", ".25rem"), ("font", "Georgia, serif"), ("language", "de"),
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

    private static let badLooks = [
        (["--accent", "red"], "--accent: expected a colour"), (["--link", "Imprint"], "--link: expected LABEL=URL"),
        (["--link", "A=javascript:alert(1)"], "--link: expected an http, https or mailto URL"),
    ]

    @Test func badLooksChangeNothing() throws {
        let before = try directories("settings", "team").output
        for (arguments, message) in Self.badLooks {
            let output = try rollcall(["directories", "describe", "team"] + arguments)
            #expect(output.status != 0 && output.error.contains(message), "\(output.error)")
        }
        #expect(try directories("settings", "team").output == before)
    }

    @Test func optionsChangeTheSettings() throws {
        let path = try write("crew.csv", "name,team,email\nAda,A,ada@example.org\nBob,A,bob@example.org\nCy,B,\n")
        #expect(try rollcall("import", "file", path).status == 0)
        let output = try directories(
            "settings", "crew", "--publish", "EMAIL", "--label", "department=Crew", "--icon", "department=flag",
            "--rows", "department,email", "--order", "name:desc")
        #expect(output.status == 0, "\(output.error)")
        #expect(output.output.contains("empty until the next import: email"))
        let printed = try directories("settings", "crew").output
        #expect(printed.contains(#"{"key": "email", "show": "public"}"#))
        #expect(printed.contains(#"{"key": "department", "label": "Crew", "icon": "flag"}"#))
        #expect(printed.contains(#""rows": ["department", "email"]"#))
        #expect(printed.contains(#""order": "name:desc""#))

        // Environment variables apply to imports only: printing with one set changes nothing.
        let environment = ["ROLLCALL_DROP": "team"]
        #expect(
            try run(binary(), ["directories", "settings", "crew", "--database", database], environment: environment)
                .output == printed)

        let dropped = try directories("settings", "crew", "--drop", "teem")
        #expect(dropped.status == 1)
        #expect(dropped.error.contains(#"(did you mean "team"?); the columns are name, team, email"#))
        #expect(try directories("settings", "crew").output == printed)
        #expect(try directories("settings", "crew", "--drop", "team", "--yes").status == 0)
        // The row no longer shows it.
        #expect(try directories("settings", "crew").output.contains(#""rows": ["email"]"#))
    }

    @Test func settingsAreInferredAgain() throws {
        let path = try write("settings.json", #"{"inferred": {"columns": ["login", "title"]}}"#)
        #expect(try directories("settings", "team", path).status == 0)
        #expect(try directories("settings", "team", "--infer").status == 0)
        let inferred = try #require(settings()["inferred"] as? [String: Any])
        #expect(inferred["order"] as? String == "place")
        #expect((inferred["fields"] as? [[String: String]])?.contains { $0["key"] == "title" } == true)
    }
}
