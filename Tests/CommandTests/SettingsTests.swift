import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import rollcall

@Suite("Changes of settings")
final class SettingsTests: Desk {
    private let logo = #"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>"#
    private let team = "login,title\nada,Engineer\nbob,Manager\n"

    private var own: Publishing.Settings { get throws { try directory().settings.stored.own } }

    @Test func aFileChangesOnlyWhatItNames() throws {
        try importing(team)
        try write("logo.svg", logo)
        try change(
            json: """
                {"title": "Our team", "intro": "Hello.", "logo": "logo.svg", "font": "serif", "rows": ["title"],
                 "fields": [{"key": "title", "label": "Role", "icon": "star"}]}
                """)
        // The printed settings can be put back, wherever the logo is.
        try FileManager.default.removeItem(atPath: path("logo.svg"))
        try change(json: settings())
        // An import may have such a file, too.
        let second = #"{"fields": [{"key": "title", "icon": null}], "intro": null, "font": null}"#
        try importing(team, "--settings", write("second.json", second))
        let merged = try own
        #expect(try directory().title == "Our team" && merged.logo == "logo.svg" && merged.rows == ["title"])
        #expect(merged.intro == nil && merged.font == nil && merged.fields.map(\.icon) == [nil])
        #expect(merged.fields.map(\.label) == [.text("Role")])
        try change(json: second, "--replace")
        #expect(try own.rows == nil)
    }

    /// Settings may come from somebody who must not publish other files of the machine.
    @Test func aLogoStaysInTheFolderOfItsSettings() throws {
        let outside = try write("logo.svg", logo), inside = path("looks")
        try write("looks/inside.svg", logo)
        symlink(outside, inside + "/link.svg")
        symlink(folder.path, inside + "/up")
        mkfifo(inside + "/fifo.svg", 0o600)
        for (name, expected) in [
            ("../logo.svg", "stays in the folder of the settings"), (outside, "stays in the folder of the settings"),
            ("link.svg", "not behind a link"), ("up/logo.svg", "not behind a link"), ("fifo.svg", "a regular file"),
            ("missing.svg", "cannot read"), ("settings.json", "expected an SVG, PNG or JPEG"), ("./inside.svg", ""),
        ] {
            let source = try SettingsSource(path: write("looks/settings.json", #"{"logo": "\#(name)"}"#))
            let found = message { _ = try source.logo() }
            #expect(expected.isEmpty ? found.isEmpty : found.contains(expected), "\(name): \(found)")
        }
        // The person at the terminal may name any file, but none that would make the command wait.
        for logo in [outside, inside + "/../logo.svg", inside + "/link.svg"] {
            #expect(message { _ = try Logo.read(at: logo) } == "")
        }
        #expect(message { _ = try Logo.read(at: inside + "/fifo.svg") }.contains("expected a regular file"))
    }

    @Test func aMistakeChangesNothing() throws {
        try importing(team)
        let before = try settings()
        for json in [#"{"rows": ["titel"], "fields": [{"key": "title"}]}"#, #"{"logo": "missing.svg"}"#] {
            #expect(throws: (any Error).self) { try change(json: json) }
        }
        #expect(throws: Refusal.self) { try change("--drop", "title") }
        #expect(try settings() == before)
    }

    @Test func optionsChangeTheSettings() throws {
        try importing("name,team,email\nAda,A,ada@example.org\nBob,A,bob@example.org\nCy,B,\n", into: "crew")
        let before = try directory("crew").settings
        let changed = try change(
            of: "crew", "--publish", "EMAIL", "--label", "department=Crew", "--icon", "department=flag",
            "--rows", "department,email", "--order", "name:desc")
        #expect(ResolvedSettings(changed.settings).storedColumns(besides: before) == ["email"])
        #expect(changed.erasedColumns == [])
        let printed = try settings("crew")
        #expect(printed.contains(#"{"key": "email", "show": "public"}"#))
        #expect(printed.contains(#"{"key": "department", "label": "Crew", "icon": "flag"}"#))
        #expect(printed.contains(#""rows": ["department", "email"]"#))
        #expect(printed.contains(#""order": "name:desc""#))
        #expect(throws: (any Error).self) { try change(of: "crew", "--drop", "teem") }
        #expect(try settings("crew") == printed)
        #expect(try change(of: "crew", "--drop", "team", "--yes").erasedColumns == ["team"])
        // The row no longer shows it.
        #expect(try settings("crew").contains(#""rows": ["email"]"#))
    }

    @Test func settingsAreInferredAgain() throws {
        try importing(team)
        try change(json: #"{"inferred": {"columns": ["login", "title"], "order": "name"}}"#)
        #expect(try directory().settings.stored.inferred.order == "name")
        try change("--infer")
        let inferred = try directory().settings.stored.inferred
        #expect(inferred.order == "place" && inferred.fields.contains { $0.key == "title" })
    }

    @Test func whatChangesBesidesTheSettingsIsTold() throws {
        try importing(team)
        try importing(team, into: "crew")
        let hidden = try write("hidden.json", #"{"private": true}"#)
        let reset = try write("reset.json", #"{"private": null}"#)
        for (words, said, error) in [
            ("team --drop title", "", "rollcall: this erases title of 2 people: nothing was saved. --yes agrees\n"),
            ("team --drop title --yes", "team: settings saved\nerased from the database: title\n", ""),
            ("team --language de", "team: settings saved\n", ""),
            (
                "team --publish title",
                "team: settings saved\nnewly stored columns, which stay empty until the next import: title\n", ""
            ),
            ("crew \(hidden)", "crew: settings saved\ncrew was public; it is private now\n", ""),
            // A member without a value is reset.
            ("crew \(reset)", "crew: settings saved\ncrew was private; it is public now\n", ""),
        ] {
            let output = rollcall(line: "directories settings " + words)
            #expect(output.output == said && output.error == error, "\(output)")
            #expect((output.status == 0) == error.isEmpty)
        }
    }

    @Test func looksAreDescribed() throws {
        try importing(team)
        let path = try write("logo.svg", logo)
        let output = rollcall(
            "directories", "describe", "team", "--intro", "Hello.", "--logo", path, "--accent", "#0a7d5a", "--paper",
            "#fffdf8", "--radius", ".25rem", "--font", "Georgia, serif", "--link", "Imprint=https://a.example/imprint",
            "--link", "Mail=mailto:a@example.org", "--private", "--language", "de", "--pictures", "off")
        #expect(
            output.output == "team is described\n" && output.error.hasPrefix("note: the accent #0a7d5a has a contrast"))
        let own = try own
        #expect(own.intro == "Hello." && own.logo == "logo.svg" && own.accent == "#0a7d5a" && own.paper == "#fffdf8")
        #expect(own.radius == ".25rem" && own.font == "Georgia, serif" && own.language == "de" && own.pictures == .off)
        #expect(own.isPrivate == true && own.links?.map(\.label) == ["Imprint", "Mail"])
        let removing = rollcall(
            "directories", "describe", "team", "--intro", "", "--logo", "", "--font", "", "--link", "", "--no-private")
        // The colours are as before, so there is nothing to say about them.
        #expect(removing.status == 0 && removing.error.isEmpty, "\(removing)")
        let less = try self.own
        #expect(less.intro == nil && less.logo == nil && less.font == nil && less.links == nil)
        #expect(less.isPrivate != true)
    }
}
