import Foundation
import People
import Publishing
import TestSupport
import Testing

@Suite("Imports that would lose or show something")
final class SafeImportTests: Desk {
    /// A heading and twelve people.
    private static let table = (["Name,Abteilung,Ort"] + (1...12).map { "P \($0),Team \($0),Ulm" })
        .joined(separator: "\n")

    private func people() throws -> [Substring] { try export().split(separator: "\n") }

    /// People who are taken over by name are not gone.
    @Test func aNewKeyRemovesNobody() throws {
        let rows = Self.table.split(separator: "\n")
        try importing(Self.table)
        let keyed = rows.enumerated().map { $1 + ($0 == 0 ? ",Nummer" : ",N\($0)") }.joined(separator: "\n")
        let mailed = rows.enumerated().map { $1 + ($0 == 0 ? ",Mail" : ",p\($0)@example.org") }.joined(separator: "\n")
        for report in try [
            importing(keyed, "--key", "Nummer", "--adopt", "--prune"),
            importing(mailed, "--key", "Mail", "--adopt", "--prune", "--missing", "erase"),
        ] { #expect(report.counts.added == 0 && report.summary.removed == 0, "\(report)") }
    }

    @Test func aMissingColumnThatMostPeopleHaveIsRefused() throws {
        try importing(Self.table, "--key", "Name")
        let before = try people()
        let narrow = (["Name,Ort"] + (1...12).map { "P \($0),\($0 == 3 ? "" : "Bonn")" }).joined(separator: "\n")
        let reason = """
            list lacks Abteilung, which 12 of 12 people have: nothing was saved. --missing keep leaves the values, \
            --missing erase removes them, --map department=COLUMN reads another
            """
        for report in try [importing(narrow), importing(narrow, "--dry-run")] { #expect(report.error == reason) }
        #expect(try people() == before)
        // Kept values stay kept: the next import asks again.
        let kept = try importing(narrow, "--missing", "keep")
        #expect(kept.error == "" && kept.said.contains("people keep what they have in it"), "\(kept)")
        #expect(try importing(narrow).error != "")
        let lines = try people()
        #expect(lines.filter { $0.contains("Team 3") }.count == 1 && lines.count { $0.contains("Bonn") } == 11)
        #expect(lines.allSatisfy { !$0.contains("Ulm") }, "an empty cell empties")
        let renamed = (["Name,Bereich,Ort"] + (1...12).map { "P \($0),Crew \($0),Bonn" }).joined(separator: "\n")
        #expect(try importing(renamed).error != "" && importing(renamed, "--map", "department=Bereich").error == "")
        #expect(try people().allSatisfy { $0.contains("Crew") })
        let erased = try importing(narrow, "--missing", "erase")
        #expect(erased.said.contains("1 column of the last import missing: "), "\(erased)")
        #expect(try people().allSatisfy { !$0.contains("Crew") })
    }

    /// Programs write headings in capitals. People who keep other columns have one of each.
    @Test func columnsInOtherLettersAreThoseOfTheDirectory() throws {
        let text = "Name,Straße,Büro,Team\nAnn,Weg 1,B1,A\nBob,Weg 2,B2,B\n"
        try importing(text, "--key", "Name", "--keep", "Straße")
        let later = "NAME,STRASSE,BÜRO\nAnn,Neu 1,N1\nBob,Neu 2,\nCy,Neu 3,N3\n"
        #expect(try importing(later, "--missing", "keep").error == "")
        #expect(try people().contains { $0.contains(#""fields":{"Büro":"N1","Team":"A"}"#) })
        let whole = try export(to: "whole.csv", "--layout", "source", "--with-private")
        let rows = try String(contentsOfFile: whole, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
        #expect(rows == ["ann;Ann;Neu 1;N1;A", "bob;Bob;Neu 2;;B", "cy;Cy;Neu 3;N3;"])
    }

    @Test func aColumnThatIsDroppedLaterIsErased() throws {
        try importing(StaffList.text)
        let refused = try importing(StaffList.text, "--drop", "Position")
        #expect(refused.error == "this erases Position of 6 people: nothing was saved. --yes agrees")
        let dry = try importing(StaffList.text, "--drop", "Position", "--dry-run")
        #expect(dry.summary.schema?.agreed.map(\.fact) == ["this erases Position of 6 people"])
        #expect(stored.contains("Werkstudentin"))
        #expect(try importing(StaffList.text, "--drop", "Position", "--yes").error == "")
        #expect(!stored.contains("Werkstudentin"))
    }

    /// Settings take names in any case.
    @Test func membersThatDifferInCaseAreOneColumn() throws {
        let people = """
            {"id":1,"name":"A","Code":"S1","code":"S9"}
            {"id":2,"name":"B","code":"SECRET2"}
            """
        try importing(people, "--keep", "Code")
        #expect(try !export().contains("\"S"), "a repeated private column is private, too")
        for format in ["csv", "ndjson"] {
            let all = try export("--with-private", "--format", format)
            #expect(all.contains("SECRET2"))
            #expect(try importing(all).counts == WriteCounts(unchanged: 2) && !export().contains("\"S"))
        }
    }

    @Test func aColumnWithAPersonalHeadingMayHidePeople() throws {
        try importing("Name,Private,Team\nAnn Lee,no,A\nBo Ek,yes,B\n", "--map", "hidden=Private")
        let shown = try export()
        #expect(shown.contains("Ann Lee") && !shown.contains("Bo Ek") && !shown.contains("Private"), "\(shown)")
    }

    @Test func nobodyWhoIsHiddenIsShownWithoutAQuestion() throws {
        let people = "Name,hidden\nAnn Lee,no\nBo Ek,yes\n"
        try importing(people)
        let refused = try importing(people, "--drop", "hidden")
        #expect(refused.error.contains("hidden"), "\(refused)")
        #expect(try rows().users.map(\.name) == ["Ann Lee"])
    }

    @Test func eachOfSeveralColumnsMayHidePeople() throws {
        try importing("Name,A,B\nAnn,yes,no\nBob,no,no\nCy,no,yes\n", "--map", "hidden={A} {B}")
        #expect(try rows().users.map(\.name) == ["Bob"])
    }
}

/// What is private in a directory, in exports of it with and without private values.
@Suite("Imports of exports with private columns")
final class PrivateColumnTests: Desk {
    /// Twelve people with private columns. Not all have a value in each.
    private func importPrivate() throws {
        let rows =
            ["id,login,name,Title,Phone,Website,Room,Noindex"]
            + (1...12).map {
                "\($0),p\($0),P \($0),Chief,\($0 == 1 ? "" : "+49 \($0)"),https://p\($0).example,,\($0 == 3 ? "yes" : "")"
            }
        #expect(try importing(rows.joined(separator: "\n"), "--keep", "Phone,Website,Room").error == "")
    }

    /// An export in Rollcall's layout.
    private func whole(_ format: String = "ndjson", of slug: String = "team") throws -> String {
        try export(of: slug, "--with-private", "--layout", "rollcall", "--format", format)
    }

    private func short(_ format: String = "ndjson", of slug: String = "team") throws -> String {
        try export(of: slug, "--layout", "rollcall", "--format", format)
    }

    @Test(arguments: ["ndjson", "csv"])
    func anExportWithoutPrivateValuesLeavesThemAsTheyAre(format: String) throws {
        try importPrivate()
        let (whole, short) = (try whole(format), try short(format))
        #expect(whole.contains("+49 12") && whole.contains("https://p12.example"))
        #expect(!short.contains("+49") && !short.contains("example") && !short.contains("private"))
        #expect(try importing(short).counts == WriteCounts(unchanged: 12) && self.whole(format) == whole)
        // Public values change, and one person gets a number.
        var edited = short.replacing("Chief", with: "Head").components(separatedBy: "\n")
        if format == "ndjson" { edited[1].replace(#""fields":{"#, with: #""fields":{"Phone":"+1 2","#) }
        #expect(try importing(edited.joined(separator: "\n")).counts == WriteCounts(changed: 12))
        let after = try self.whole().split(separator: "\n")
        #expect(after.allSatisfy { $0.contains("Head") } && after[11].contains("+49 12"))
        #expect(after[1].contains("+1 2") == (format == "ndjson"))
        #expect(try importing(whole).counts == WriteCounts(changed: 12) && self.short().contains("Chief"))
        // A record with all private values erases those that it lacks.
        let quote = format == "csv" ? #""""# : #"""#
        let without = whole.replacing("\(quote)Phone\(quote):\(quote)+49 12\(quote),", with: "")
        #expect(try importing(without).counts.changed == 1 && !self.whole(format).contains("+49 12"))
        #expect(try importing(short, "--missing", "erase").error == "" && !self.whole(format).contains("+49"))
    }

    /// Its mark names the columns, which are like any others.
    @Test(arguments: [("ndjson", "rollcall"), ("csv", "source")])
    func anotherDirectoryTakesPrivateColumnsOnlyByName(format: String, layout: String) throws {
        try importPrivate()
        let whole = try export("--format", format, "--layout", layout, "--with-private")
        for options in [[], ["--keep", "Phone"], ["--map", "title=Phone"]] {
            let refused = try importFile(write("list", whole), into: "copy", options: options)
            #expect(refused.error.contains("who may see") && refused.error.contains("Room\""), "\(refused)")
        }
        #expect(try importing(whole, into: "copy", "--keep", "Phone,Website,Room,Noindex").error == "")
        let shown = try ["team", "copy"].map { slug in
            try export(of: slug, "--format", format, "--layout", layout)
                .replacing(/rollcall:\w{8}/, with: "rollcall:MARK")
        }
        #expect(shown[0] == shown[1])
        #expect(try export(of: "copy", "--with-private").contains("+49 12"))
        // There, its publisher has decided.
        #expect(try importing(whole, into: "copy").counts == WriteCounts(unchanged: 12))
        #expect(try !export(of: "copy").contains("+49"))
    }

    /// A record, the settings that hide something of it afterwards, what nobody sees then, and what another directory
    /// must be told to take it; the columns of a service have no fields that could be named.
    private static let hiddenLater = [
        (
            "id,login,name,Website,Reputation,Photo\n1,p1,P 1,https://p1.example,77,https://p1.example/a.png\n",
            ["website", "reputation", "photo"], false, ["77", "example"], "website,photo,reputation", true
        ),
        (
            #"{"id":1,"login":"ada","name":"Ada","gravatar_id":"","company":"Acme","motto":"Calm"}"#,
            [], true, ["Acme", "Calm"], "company,motto", false
        ),
    ]

    @Test(arguments: hiddenLater)
    func whatIsHiddenLaterIsAsPrivateAsTheRest(
        _ text: String, _ keys: [String], _ hidesOthers: Bool, _ secrets: [String], _ kept: String, _ isTaken: Bool
    ) throws {
        try importing(text)
        let fields = keys.map { #"{"key":"\#($0)","show":"private"}"# }.joined(separator: ",")
        try change(json: #"{\#(hidesOthers ? #""others":"private","# : "")"fields":[\#(fields)]}"#)
        let (short, whole) = (try short(), try whole())
        for secret in secrets { #expect(!short.contains(secret) && whole.contains(secret), "\(secret) in \(short)") }
        #expect(try importing(short).counts == WriteCounts(unchanged: 1) && self.whole() == whole)
        #expect(try importing(whole).counts == WriteCounts(unchanged: 1))
        #expect(try importing(whole, into: "copy").error != "")
        #expect(try importing(whole, into: "copy", "--keep", kept).error.isEmpty == isTaken)
        if isTaken { #expect(try self.short(of: "copy") == short) }
    }

    /// The type of an account has two names in directories of Stack Exchange.
    @Test(arguments: ["user_type", "type"]) func theTypeOfAnAccountIsPrivateByEitherName(_ key: String) throws {
        try importing(
            #"{"user_id":1,"display_name":"Ann","user_type":"moderator","reputation":5,"last_access_date":1}"#)
        try change(json: #"{"fields":[{"key":"\#(key)","show":"private"}]}"#)
        let whole = try whole()
        #expect(try importing(whole, into: "copy").error != "")
        #expect(try importing(whole, into: "copy", "--keep", "type,user_type").error == "")
        for slug in ["team", "copy"] { #expect(try !short(of: slug).contains("moderator"), "\(slug)") }
    }

    /// What one import publishes was not in the export that it reads.
    @Test func publishingAColumnKeepsItsValues() throws {
        try importPrivate()
        #expect(try importing(short(), "--publish", "Phone").counts == WriteCounts(unchanged: 12))
        #expect(try short().contains("+49 12"))
    }

    /// The first records decide; a later one with private columns is no guess.
    @Test func aRecordWithPrivateColumnsBehindOthersIsRejected() throws {
        try importPrivate()
        let lines = try short().split(separator: "\n").prefix(1) + whole().split(separator: "\n").dropFirst()
        let late = try importing(lines.joined(separator: "\n"), into: "copy")
        #expect(late.counts.added == 1 && late.summary.progress.rejected == 11, "\(late)")
        #expect(late.said.contains("has private columns of an export, unlike the first records"), "\(late)")
    }

    /// In its own directory, a marked file has no column that nobody decided on: a heading that somebody changed, or
    /// all of an export's whose nulls a program left out.
    @Test func aRenamedPrivateColumnIsNotPublished() throws {
        try importPrivate()
        for (layout, heading, renamed) in [
            ("source", "Phone,Website", "Telefon,Website"), ("source", "Room", "Raum"),
            ("rollcall", "html_url,type", "Html_url,type"), ("rollcall", "login,name", "login,full name"),
        ] {
            let whole = try export("--format", "csv", "--layout", layout, "--with-private")
            let lines = whole.split(separator: "\r\n", maxSplits: 1)
            let edited = lines[0].replacing(":private:\(heading)", with: ":private:x").replacing(
                ",\(heading)", with: ",\(renamed)")
            let report = try importing(edited + "\r\n" + lines[1])
            #expect(report.error.contains("who may see"), "\(report)")
        }
    }

    /// Then the usual rules say what is withheld.
    @Test func withoutItsMarkAnExportIsATableLikeAnyOther() throws {
        try importPrivate()
        let whole = try export("--format", "csv", "--with-private")
        let table = whole.replacing(/"?rollcall:[^"]*"?,/, with: "Handle,", maxReplacements: 1)
        #expect(try importing(table, into: "copy").error == "")
        let shown = try self.whole(of: "copy")
        #expect(shown.contains("Chief") && !shown.contains("+49"), "\(shown)")
    }

    /// Ids that Rollcall made in two directories are those of different people.
    @Test func nobodyGetsThePrivateValuesOfSomebodyElse() throws {
        try importPrivate()
        let other = try short().replacing(#""login":"p12","name":"P 12""#, with: #""login":"zoe","name":"Zoe""#)
        #expect(try importing(other).counts.changed == 1)
        let whole = try whole()
        #expect(whole.contains("Zoe") && !whole.contains("+49 12") && whole.contains("+49 11"))
    }
}
