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
        let whole = try write("team.csv", table)
        #expect(try importFile(whole, "--key", "Name").status == 0)
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
        let dry = try importFile(short, "--prune", "--dry-run")
        #expect(dry.status == 1 && dry.error.hasSuffix(reason) && dry.output.contains("\nleaving: 9\n"), "\(dry)")
        #expect(try exported() == before)
        let all = try importFile("-", "--prune=all", input: input)
        #expect(all.status == 0 && all.output.hasPrefix("team: 1 added, 3 changed, 9 removed"), "\(all)")
    }

    /// People who are taken over by name are not gone.
    @Test func aNewKeyRemovesNobody() throws {
        #expect(try importFile(write("team.csv", table)).status == 0)
        let keyed = try write("keyed.csv", table.enumerated().map { $1 + ($0 == 0 ? ",Nummer" : ",N\($0)") })
        let keys = try importFile(keyed, "--key", "Nummer", "--adopt", "--prune")
        #expect(keys.status == 0 && !keys.output.contains("added") && !keys.output.contains("removed"), "\(keys)")
        let other = try write("other.csv", table.enumerated().map { $1 + ($0 == 0 ? ",Mail" : ",p\($0)@example.org") })
        let mails = try importFile(other, "--key", "Mail", "--adopt", "--prune", "--missing", "erase")
        #expect(mails.status == 0 && !mails.output.contains("added") && !mails.output.contains("removed"), "\(mails)")
    }

    /// Settings take names in any case.
    @Test func membersThatDifferInCaseAreOneColumn() throws {
        let file = try write(
            "team.ndjson", [#"{"id":1,"name":"A","Code":"S1","code":"S9"}"#, #"{"id":2,"name":"B","code":"SECRET2"}"#])
        let first = try importFile(file, "--keep", "Code")
        #expect(first.status == 0, "\(first.error)")
        #expect(try !exported().joined().contains("\"S"), "a repeated private column is private, too")
        let place = ["--directory", "team", "--database", database]
        for format in ["csv", "ndjson"] {
            let all = try run(binary(), ["export", "--with-private", "--format", format] + place).output
            #expect(all.contains("SECRET2"))
            let again = try run(binary(), ["import", "file", "-"] + place, input: Data(all.utf8))
            #expect(again.output.contains(": 2 unchanged"), "\(format): \(again)")
            #expect(try !exported().joined().contains("\"S"))
        }
    }

    /// A directory made of an export would show what is private in the first.
    @Test func anExportFillsNoOtherDirectoryByAccident() throws {
        #expect(try importFile(write("team.csv", table), "--private").status == 0)
        let export = try rollcall("export", "--format", "csv", "--directory", "team")
        let file = try write("edited.csv", [export.output])
        let refused = try rollcall("import", "file", file)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.error.contains("the file is an export of the directory team: nothing was saved."))
        #expect(try !rollcall("directories").output.contains("edited"))
        #expect(try importFile(file).output.contains(": 12 unchanged"))
        let place = ["--directory", "other", "--database", database]
        #expect(try run(binary(), ["import", "file", file] + place).status == 0)
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
        let other = ["--directory", "many", "--database", database]
        #expect(try run(binary(), ["import", "file", write("first.csv", table)] + other).status == 0)
        let first = try run(binary(), ["import", "file", many, "--dry-run", "--adopt"] + other).output
        #expect(first.contains("  … and 10 more (--all lists all)\n"), "\(first)")
        let all = try run(binary(), ["import", "file", many, "--dry-run", "--adopt", "--all"] + other).output
        #expect(!all.contains("more (") && all.contains("  N 29\n"), "\(all)")
    }

    @Test func aRepeatedImportTriesAgainAfterARefusal() throws {
        let file = try write("team.csv", table)
        #expect(try importFile(file, "--key", "Name").status == 0)
        _ = try write("team.csv", Array(table.prefix(3)))
        let program = try Program(
            RollcallProcess.executable(), ["import", "file", file, "--every", "1s", "--prune", "--database", database])
        try program.wait(until: "it refuses twice") {
            program.errors.components(separatedBy: "would remove 10 of 12 people").count > 2
        }
        _ = try write("team.csv", table)
        try program.wait(until: "it imports") { program.output.contains("12 unchanged") }
        #expect(program.stop(SIGTERM) == 0)
    }

    @Test func aMissingColumnThatMostPeopleHaveIsRefused() throws {
        #expect(try importFile(write("team.csv", table), "--key", "Name").status == 0)
        let before = try exported()
        let narrow = try write("narrow.csv", ["Name,Ort"] + (1...12).map { "P \($0),\($0 == 3 ? "" : "Bonn")" })
        let reason = """
            rollcall: narrow.csv lacks Abteilung, which 12 of 12 people have: nothing was saved. --missing keep leaves \
            the values, --missing erase removes them, --map department=COLUMN reads another

            """
        for output in try [importFile(narrow), importFile(narrow, "--dry-run")] {
            #expect(output.status == 1 && output.error == reason, "\(output.error)")
        }
        #expect(try exported() == before)
        // Kept values stay kept: the next import asks again.
        let kept = try importFile(narrow, "--missing", "keep")
        #expect(kept.status == 0 && kept.error.contains("people keep what they have in it"), "\(kept.error)")
        #expect(try importFile(narrow).status == 1)
        let lines = try exported()
        #expect(lines.filter { $0.contains("Team 3") }.count == 1 && lines.count { $0.contains("Bonn") } == 11)
        #expect(lines.allSatisfy { !$0.contains("Ulm") }, "an empty cell empties")
        let renamed = try write("renamed.csv", ["Name,Bereich,Ort"] + (1...12).map { "P \($0),Crew \($0),Bonn" })
        #expect(try importFile(renamed).status == 1)
        #expect(try importFile(renamed, "--map", "department=Bereich").status == 0)
        #expect(try exported().allSatisfy { $0.contains("Crew") })
        let erased = try importFile(narrow, "--missing", "erase")
        #expect(erased.status == 0 && erased.error.contains("1 column of the last import missing: "), "\(erased.error)")
        #expect(try exported().allSatisfy { !$0.contains("Crew") })
    }

    @Test func anEditedExportErasesNoColumnThatItLacks() throws {
        #expect(try importFile(write("team.csv", table), "--key", "Name").status == 0)
        let export = try rollcall("export", "--format", "csv", "--directory", "team")
        let lines = export.output.split(separator: "\r\n").map {
            $0.split(separator: ",").prefix(2).joined(separator: ",")
        }
        let output = try importFile(write("short.csv", lines), "--missing", "erase")
        let reason = """
            rollcall: --missing: an export with a column of handles changes the columns that it has, and no others; \
            --drop COLUMN removes values

            """
        #expect(output.status == 1 && output.error.hasSuffix(reason), "\(output.error)")
        #expect(try exported().count { $0.contains("Team 3") } == 1)
    }

    /// Twelve people with private columns. Not all have a value in each.
    private func importPrivate() throws {
        let rows =
            ["id,login,name,Title,Phone,Website,Room,Noindex"]
            + (1...12).map {
                "\($0),p\($0),P \($0),Chief,\($0 == 1 ? "" : "+49 \($0)"),https://p\($0).example,,\($0 == 3 ? "yes" : "")"
            }
        let file = try write("team.csv", rows)
        #expect(try importFile(file, "--keep", "Phone,Website,Room").status == 0)
    }

    private func export(_ format: String, _ options: String..., of directory: String = "team") throws -> String {
        try rollcall(["export", "--format", format, "--layout", "rollcall", "--directory", directory] + options).output
    }

    @Test(arguments: ["ndjson", "csv"])
    func anExportWithoutPrivateValuesLeavesThemAsTheyAre(format: String) throws {
        try importPrivate()
        let whole = try export(format, "--with-private")
        #expect(whole.contains("+49 12") && whole.contains("https://p12.example"))
        let short = try export(format)
        #expect(!short.contains("+49") && !short.contains("example") && !short.contains("private"))
        #expect(try importFile(write("short.\(format)", [short])).output.contains("12 unchanged"))
        #expect(try export(format, "--with-private") == whole)
        // Public values change, and one person gets a number.
        var edited = short.replacing("Chief", with: "Head").components(separatedBy: "\n")
        if format == "ndjson" { edited[1].replace(#""fields":{"#, with: #""fields":{"Phone":"+1 2","#) }
        let changed = try importFile(write("edited.\(format)", [edited.joined(separator: "\n")]))
        #expect(changed.output.contains("12 changed"), "\(changed)")
        let after = try export("ndjson", "--with-private").split(separator: "\n")
        #expect(after.allSatisfy { $0.contains("Head") } && after[11].contains("+49 12"))
        #expect(after[1].contains("+1 2") == (format == "ndjson"))
        #expect(try importFile(write("whole.\(format)", [whole])).output.contains("12 changed"))
        #expect(try export("ndjson").contains("Chief"))
        // A record with all private values erases those that it lacks.
        let quote = format == "csv" ? #""""# : #"""#
        let without = whole.replacing("\(quote)Phone\(quote):\(quote)+49 12\(quote),", with: "")
        #expect(try importFile(write("without.\(format)", [without])).output.contains("1 changed"))
        #expect(try !export(format, "--with-private").contains("+49 12"))
        #expect(try importFile(write("short.\(format)", [short]), "--missing", "erase").status == 0)
        #expect(try !export(format, "--with-private").contains("+49"))
    }

    /// Its mark names the columns, which are like any others.
    @Test(arguments: [("ndjson", "rollcall"), ("csv", "source")])
    func anotherDirectoryTakesPrivateColumnsOnlyByName(format: String, layout: String) throws {
        try importPrivate()
        let exported = { (slug: String, options: [String]) in
            try self.rollcall(["export", "--format", format, "--layout", layout, "--directory", slug] + options).output
                .replacing(/rollcall:\w{8}/, with: "rollcall:MARK")
        }
        let whole = try rollcall("export", "--format", format, "--layout", layout, "--with-private").output
        let file = try write("copy.\(format)", [whole])
        for options in [[], ["--keep", "Phone"], ["--map", "title=Phone"]] {
            let refused = try copy(file, options)
            #expect(refused.status == 1 && refused.error.contains("who may see"), "\(refused)")
            #expect(refused.error.contains("Room\""), "\(refused)")
        }
        #expect(try copy(file, ["--keep", "Phone,Website,Room,Noindex"]).status == 0)
        #expect(try exported("copy", []) == exported("team", []))
        #expect(try exported("copy", ["--with-private"]).contains("+49 12"))
        // There, its publisher has decided.
        #expect(try copy(file, []).output.contains("12 unchanged"))
        #expect(try !exported("copy", []).contains("+49"))
    }

    private func copy(_ file: String, _ options: [String] = []) throws -> Output {
        try rollcall(["import", "file", file, "--directory", "copy"] + options)
    }

    /// A record, the settings that hide something of it afterwards, what nobody sees then, and what another directory
    /// must be told to take it; the columns of a service have no fields that could be named.
    private static let hiddenLater = [
        (
            "team.csv",
            "id,login,name,Website,Reputation,Photo\n1,p1,P 1,https://p1.example,77,https://p1.example/a.png\n",
            ["website", "reputation", "photo"], false, ["77", "example"], "website,photo,reputation", true
        ),
        (
            "github.ndjson", #"{"id":1,"login":"ada","name":"Ada","gravatar_id":"","company":"Acme","motto":"Calm"}"#,
            [], true, ["Acme", "Calm"], "company,motto", false
        ),
    ]

    @Test(arguments: hiddenLater)
    func whatIsHiddenLaterIsAsPrivateAsTheRest(
        _ file: String, _ text: String, _ keys: [String], _ hidesOthers: Bool, _ secrets: [String], _ kept: String,
        _ isTaken: Bool
    ) throws {
        #expect(try importFile(write(file, [text])).status == 0)
        let fields = keys.map { #"{"key":"\#($0)","show":"private"}"# }.joined(separator: ",")
        let settings = #"{\#(hidesOthers ? #""others":"private","# : "")"fields":[\#(fields)]}"#
        #expect(try rollcall("directories", "settings", "team", write("settings.json", [settings])).status == 0)
        let (short, whole) = (try export("ndjson"), try export("ndjson", "--with-private"))
        for secret in secrets { #expect(!short.contains(secret) && whole.contains(secret), "\(secret) in \(short)") }
        #expect(try importFile(write("short.ndjson", [short])).output.contains("1 unchanged"))
        #expect(try export("ndjson", "--with-private") == whole)
        let again = try write("whole.ndjson", [whole])
        #expect(try importFile(again).output.contains("1 unchanged"))
        #expect(try copy(again).status == 1 && copy(again, ["--keep", kept]).status == (isTaken ? 0 : 1))
        if isTaken { #expect(try export("ndjson", of: "copy") == short) }
    }

    @Test func aColumnWithAPersonalHeadingMayHidePeople() throws {
        let text = "Name,Private,Team\nAnn Lee,no,A\nBo Ek,yes,B\n"
        #expect(try importFile(write("team.csv", [text]), "--map", "hidden=Private").status == 0)
        let shown = try export("ndjson")
        #expect(shown.contains("Ann Lee") && !shown.contains("Bo Ek") && !shown.contains("Private"), "\(shown)")
    }

    /// The type of an account has two names in directories of Stack Exchange.
    @Test(arguments: ["user_type", "type"]) func theTypeOfAnAccountIsPrivateByEitherName(_ key: String) throws {
        let record = #"{"user_id":1,"display_name":"Ann","user_type":"moderator","reputation":5,"last_access_date":1}"#
        #expect(try importFile(write("se.ndjson", [record])).status == 0)
        let settings = try write("settings.json", [#"{"fields":[{"key":"\#(key)","show":"private"}]}"#])
        #expect(try rollcall("directories", "settings", "team", settings).status == 0)
        let whole = try write("whole.ndjson", [export("ndjson", "--with-private")])
        #expect(try copy(whole).status == 1 && copy(whole, ["--keep", "type,user_type"]).status == 0)
        for slug in ["team", "copy"] { #expect(try !export("ndjson", of: slug).contains("moderator"), "\(slug)") }
    }

    /// What one import publishes was not in the export that it reads.
    @Test func publishingAColumnKeepsItsValues() throws {
        try importPrivate()
        let short = try write("short.ndjson", [export("ndjson")])
        #expect(try importFile(short, "--publish", "Phone").output.contains("12 unchanged"))
        #expect(try export("ndjson").contains("+49 12"))
    }

    /// The first records decide; a later one with private columns is no guess.
    @Test func aRecordWithPrivateColumnsBehindOthersIsRejected() throws {
        try importPrivate()
        let lines = try export("ndjson").split(separator: "\n").prefix(1)
        let others = try export("ndjson", "--with-private").split(separator: "\n").dropFirst()
        let late = try copy(write("late.ndjson", (lines + others).map { String($0) }))
        #expect(late.status == 2 && late.output.contains("1 added"), "\(late)")
        #expect(late.error.contains("has private columns of an export, unlike the first records"), "\(late.error)")
    }

    /// In its own directory, a marked file has no column that nobody decided on: a heading that somebody changed, or
    /// all of an export's whose nulls a program left out.
    @Test func aRenamedPrivateColumnIsNotPublished() throws {
        try importPrivate()
        for (layout, heading, renamed) in [
            ("source", "Phone,Website", "Telefon,Website"), ("source", "Room", "Raum"),
            ("rollcall", "html_url,type", "Html_url,type"), ("rollcall", "login,name", "login,full name"),
        ] {
            let whole = try rollcall("export", "--format", "csv", "--layout", layout, "--with-private").output
            let lines = whole.split(separator: "\r\n", maxSplits: 1)
            let edited = lines[0].replacing(":private:\(heading)", with: ":private:x").replacing(
                ",\(heading)", with: ",\(renamed)")
            let output = try importFile(write("renamed.csv", [edited + "\r\n" + lines[1]]))
            #expect(output.status == 1 && output.error.contains("who may see"), "\(output)")
        }
    }

    /// Then the usual rules say what is withheld.
    @Test func withoutItsMarkAnExportIsATableLikeAnyOther() throws {
        try importPrivate()
        let whole = try rollcall("export", "--format", "csv", "--with-private", "--directory", "team").output
        let table = whole.replacing(/"?rollcall:[^"]*"?,/, with: "Handle,", maxReplacements: 1)
        #expect(try copy(write("table.csv", [table])).status == 0)
        let shown = try export("ndjson", "--with-private", of: "copy")
        #expect(shown.contains("Chief") && !shown.contains("+49"), "\(shown)")
    }

    /// Ids that Rollcall made in two directories are those of different people.
    @Test func nobodyGetsThePrivateValuesOfSomebodyElse() throws {
        try importPrivate()
        let other = try export("ndjson").replacing(
            #""login":"p12","name":"P 12""#, with: #""login":"zoe","name":"Zoe""#)
        #expect(try importFile(write("other.ndjson", [other])).output.contains("1 changed"))
        let whole = try export("ndjson", "--with-private")
        #expect(whole.contains("Zoe") && !whole.contains("+49 12") && whole.contains("+49 11"))
    }

    @Test func aWorkbookCutsNoObject() throws {
        let rows = ["id,login,name,About", "1,p1,P 1,\(String(repeating: "word ", count: 8_000))"]
        #expect(try importFile(write("team.csv", rows)).status == 0)
        let path = path("people.xlsx")
        let output = try rollcall("export", path, "--layout", "rollcall")
        #expect(
            output.status == 1 && output.error.contains("a cell has no room for the columns of p1"), "\(output.error)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatErasesHasNoVariable() throws {
        let file = try write("team.csv", table)
        #expect(try importFile(file, "--key", "Name").status == 0)
        let arguments = ["import", "file", file, "--directory", "team", "--database", database]
        for (variables, options, reason) in [
            (["ROLLCALL_PRUNE": "all"], [], "expected true or false in ROLLCALL_PRUNE"),
            (["ROLLCALL_YES": "true"], ["--drop", "Ort"], "this erases Ort of 12 people"),
        ] {
            let output = try run(binary(), arguments + options, environment: variables)
            #expect(output.status == 1 && output.error.contains(reason), "\(output.error)")
        }
        // What has no variable is not named as the cause of an error either.
        let output = try run(binary(), ["forget", "--database", database], environment: ["ROLLCALL_ID": "1"])
        #expect(output.status == 1 && output.error.contains("--id and a number"), "\(output.error)")
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
