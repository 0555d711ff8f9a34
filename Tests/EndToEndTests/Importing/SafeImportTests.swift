import Foundation
import TestSupport
import Testing

@Suite("Imports that would lose or show something", .onThreadsForPrograms)
final class SafeImportTests: Stage {
    private func write(_ name: String, _ rows: [String]) throws -> String {
        try write(name, rows.joined(separator: "\n") + "\n")
    }

    private func importFile(_ file: String, _ options: String..., input: String = "") throws -> Output {
        try rollcall(["import", "file", file, "--directory", "team"] + options, input: input)
    }

    private func exported() throws -> [Substring] {
        try rollcall("export", "--directory", "team").output.split(separator: "\n")
    }

    /// A heading and twelve people.
    private let table = ["Name,Abteilung,Ort"] + (1...12).map { "P \($0),Team \($0),Ulm" }

    @Test func aFileThatWouldRemoveManyIsRefusedBeforeAnythingIsSaved() throws {
        #expect(try importFile(write("team.csv", table), "--key", "Name").status == 0)
        let before = try exported()
        let rows = table.prefix(4).map { $0.replacing("Ulm", with: "Bonn") } + ["New,Team 1,Bonn"]
        let short = try write("short.csv", rows)
        let reason =
            "rollcall: team: --prune would remove 9 of 12 people (75 %): nothing was saved. If that is right: --prune=all\n"
        let input = try text("short.csv")
        for output in try [importFile(short, "--prune"), importFile("-", "--prune", input: input)] {
            #expect(output.status == 1 && output.error == reason && output.output.isEmpty, "\(output)")
        }
        // Who would go is what a dry run is for.
        let dry = try importFile(short, "--prune", "--dry-run").expect(1, output: "\nleaving: 9\n")
        #expect(dry.error.hasSuffix(reason), "\(dry)")
        #expect(try exported() == before)
        let all = try importFile("-", "--prune=all", input: input).expect()
        #expect(all.output.hasPrefix("team: 1 added, 3 changed, 9 removed"), "\(all)")
    }

    /// A directory made of an export would show what is private in the first.
    @Test func anExportFillsNoOtherDirectoryByAccident() throws {
        #expect(try importFile(write("team.csv", table), "--private").status == 0)
        let export = try rollcall("export", "--format", "csv", "--directory", "team")
        let file = try write("edited.csv", [export.output])
        try rollcall("import", "file", file).expect(
            1, error: "the file is an export of the directory team: nothing was saved.")
        #expect(try !rollcall("directories").output.contains("edited"))
        #expect(try importFile(file).output.contains(": 12 unchanged"))
        #expect(try rollcall("import", "file", file, "--directory", "other").status == 0)
    }

    @Test func aDryRunListsWhatItWouldChange() throws {
        let file = try write(
            "team.csv",
            ["Name,Abteilung,Seit", "Jürgen Groß,Technik,2019", "Zoe Mueller,Labor,2020", "Anna,Labor,2021"])
        #expect(try importFile(file, "--key", "Name", "--keep", "Seit").status == 0)
        let next = try write(
            "next.csv", ["Name,Abteilung,Seit", "Jürgen Groß,Labor,2018", "Kim Lee,Labor,2026", "Anna,Labor,2021"])
        let output = try importFile(next, "--prune", "--dry-run").output
        let list = """
            new: 1
              Kim Lee
            leaving: 1
              Zoe Mueller   /users/zoe-mueller
            changed: 1 person, 2 cells
              Jürgen Groß   Abteilung: Technik → Labor; Seit: (private)
            team: 1 new, 1 changed, 1 to remove, 1 unchanged, nothing saved
            """
        #expect(output.contains(list), "\(output)")
        let json = try importFile(next, "--prune", "--dry-run", "--json").output
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["counts"] as? [String: Int] == ["added": 1, "changed": 1, "unchanged": 1, "removed": 1])
        let changed = try #require((object["changed"] as? [[String: Any]])?.first)
        let cells = try #require(changed["cells"] as? [[String: Any]])
        #expect(changed["handle"] as? String == "juergen-gross")
        #expect(cells[0] as? [String: String] == ["column": "Abteilung", "old": "Technik", "new": "Labor"])
        #expect(cells[1].count == 2 && cells[1]["private"] as? Bool == true, "\(cells)")
        #expect(try !importFile(next, "--dry-run").output.contains("leaving"))

        let many = try write(
            "many.csv", table.map { $0.replacing("Ulm", with: "Bonn") } + (0..<30).map { "N \($0),,Ulm" })
        let other = ["--directory", "many"]
        #expect(try rollcall(["import", "file", write("first.csv", table)] + other).status == 0)
        let first = try rollcall(["import", "file", many, "--dry-run", "--adopt"] + other).output
        #expect(first.contains("  … and 10 more (--all lists all)\n"), "\(first)")
        let all = try rollcall(["import", "file", many, "--dry-run", "--adopt", "--all"] + other).output
        #expect(!all.contains("more (") && all.contains("  N 29\n"), "\(all)")
    }

    @Test func aDryRunListsWhoHasLeft() throws {
        let people = { (status: String) in
            ["Name,Status"] + (1...12).map { "Person \($0),\($0 < 8 ? status : "Active")" }
        }
        #expect(try importFile(write("team.csv", people("Active")), "--key", "Name").status == 0)
        try importFile(write("team.csv", people("Left")), "--dry-run").expect(
            1, output: "\nleaving: 7\n  Person 1 ",
            error: "7 of 12 people may have left (Status: Left): nothing was saved")
    }

    @Test func aRepeatedImportTriesAgainAfterARefusal() throws {
        let file = try write("team.csv", table)
        #expect(try importFile(file, "--key", "Name").status == 0)
        _ = try write("team.csv", Array(table.prefix(3)))
        let program = try start("import", "file", file, "--every", "1s", "--prune")
        try program.wait(until: "it refuses twice") {
            program.errors.components(separatedBy: "would remove 10 of 12 people").count > 2
        }
        _ = try write("team.csv", table)
        try program.wait(until: "it imports") { program.output.contains("12 unchanged") }
        #expect(program.stop(SIGTERM) == 0)
    }

    @Test func whatErasesHasNoVariable() throws {
        let file = try write("team.csv", table)
        #expect(try importFile(file, "--key", "Name").status == 0)
        let arguments = ["import", "file", file, "--directory", "team"]
        for (variables, options, reason) in [
            (["ROLLCALL_PRUNE": "all"], [], "expected true or false in ROLLCALL_PRUNE"),
            (["ROLLCALL_YES": "true"], ["--drop", "Ort"], "this erases Ort of 12 people"),
        ] {
            try rollcall(arguments + options, environment: variables).expect(1, error: reason)
        }
        // What has no variable is not named as the cause of an error either.
        let output = try rollcall("forget", environment: ["ROLLCALL_ID": "1"]).expect(1, error: "--id and a number")
        #expect(!output.error.contains("ROLLCALL_ID"), "\(output.error)")
    }

    @Test func aPrivateImportIsNeverPublic() throws {
        let file = try write("team.csv", table)
        #expect(try importFile(file, "--private").status == 0 && importFile(file).status == 0)
        let looks = try write("looks.json", [#"{"private": true}"#])
        #expect(try rollcall("import", "file", file, "--directory", "board", "--settings", looks).status == 0)
        #expect(try rollcall("import", "file", file, "--directory", "guests").status == 0)
        let hidden = try rollcall("import", "file", file, "--directory", "guests", "--private")
        #expect(hidden.error.contains("guests was public; it is private now\n"), "\(hidden.error)")
        let server = try serve()
        for slug in ["team", "board", "guests"] {
            #expect(try rollcall("directories", "settings", slug).output.contains(#""private": true"#), "\(slug)")
            #expect(try get(server.url + "/?directory=\(slug)").status == 404, "\(slug)")
        }
    }
}
