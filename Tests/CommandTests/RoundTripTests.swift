import Foundation
import People
import Publishing
import TestSupport
import Testing

/// Exports that are imported again, into the directory that they came from or another one.
@Suite("Exports that come back")
final class RoundTripTests: Desk {
    /// Every field that a record may have, and enough users for several pages.
    private static let people: String = {
        let odd = [
            #"{"id":1,"login":"ada","name":null,"x":null,"y":"","z":[1.50,{"b":"\"\n,\\\u0007"}]}"#,
            #"{"id":2,"login":"=1+1","name":"@SUM(A1)","type":"-Bot","reputation":-5,"more":"=2"}"#,
            #"{"id":3,"login":"'=1","name":"''+1","more":{"a":1},"rollcall":"mine"}"#,
            #"{"id":9223372036854775807,"login":"bo,\"x\"","name":"<b>김</b> & 'c'","avatar_url":"https://example.com/a?b=1&c=2","html_url":"http://example.com/,;","type":"Organization","reputation":0}"#,
        ]
        return (odd + (10..<500).map { #"{"id":\#($0),"login":"user\#($0)","bio":"line\\nbreak"}"# }).joined(
            separator: "\n")
    }()

    @Test(arguments: ["ndjson", "csv", "json"])
    func restoreTheDirectory(_ format: String) throws {
        try importing(Self.people)
        let once = try export("--layout", "rollcall", "--format", format), second = try Desk()
        try second.importing(once)
        #expect(try second.export("--layout", "rollcall", "--format", format) == once)
        // The other formats reveal what this one may have lost.
        let all = try export()
        #expect(try all.split(separator: "\n").count == 494 && second.export() == all)
    }

    @Test(arguments: ["ndjson", "csv"])
    func thatAreIncompleteRemoveNobody(_ format: String) throws {
        try importing(Self.people)
        let whole = try export("--format", format, "--layout", "rollcall", "--proof")
        #expect(try importing(whole, "--prune").summary.removed == 0)
        var lines = whole.utf8.split(separator: 0x0A)
        lines.removeSubrange(100..<110)
        let text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
        let cut = try importing(text, "--prune")
        let reason = "the file is incomplete: expected 494 records, as the proof line says, found 484"
        #expect(cut.error.contains(reason) && cut.counts.unchanged == 484, "\(cut)")
        #expect(cut.summary.keptBecause != nil && cut.summary.removed == nil)
        // The users that arrived are saved.
        #expect(try importing(text, into: "new").counts.added == 484)
    }

    /// Headings and cells that spreadsheets or imports would change.
    private static let hostile: [String] = ["=", "+", "-", "@", "\t", "\r", "'"].flatMap { [$0, $0 + "x", "'" + $0] }

    @Test(arguments: ["source", "rollcall"])
    func haveWhatSpreadsheetsWouldChange(_ layout: String) throws {
        let people = Self.hostile.enumerated().map { number, text in
            var person = Dictionary(uniqueKeysWithValues: Self.hostile.map { ($0, text) })
            (person["Name"], person["@Codename"]) = ("Person \(number)", text)
            return person
        }
        let json = try JSONSerialization.data(withJSONObject: people)
        #expect(try importing(String(decoding: json, as: UTF8.self), "--keep", "@Codename").error == "")
        let all = try export("--with-private", "--layout", layout), settings = try settings()
        for format in ["csv", "ndjson"] {
            let again = try importing(export("--with-private", "--layout", layout, "--format", format))
            #expect(again.counts == WriteCounts(unchanged: 21) && !again.said.contains("new column"), "\(again)")
            #expect(try export("--with-private", "--layout", layout) == all && self.settings() == settings)
        }
        for ending in ["xlsx", "csv"] {
            let file = try export(to: "hostile.\(ending)", "--with-private", "--layout", layout)
            let again = try importFile(file, options: [])
            #expect(again.counts == WriteCounts(unchanged: 21), "\(ending): \(again)")
        }
        #expect(try !export().contains("Codename"))
    }

    /// They are among the other values of an export, under the name of a column that readers see of everybody.
    @Test(arguments: ["ndjson", "csv"]) func keepPrivateNames(_ format: String) throws {
        try importing("login,name,Team\nann,Ann Lee,A\nbo,Bo Ek,B\n", "--keep", "name")
        let all = try export("--with-private", "--layout", "rollcall")
        let again = try importing(export("--with-private", "--layout", "rollcall", "--format", format))
        #expect(again.counts == WriteCounts(unchanged: 2), "\(again)")
        #expect(try all.contains("Ann Lee") && export("--with-private", "--layout", "rollcall") == all)
        #expect(try !export().contains("Ann Lee"))
    }

    /// An export does not say which logins and ids were generated.
    @Test(
        arguments: [
            "ID,Name\n1,Ann\n2,Bo\n", "login,Name\na,Ann\nb,Bo\n", "Name\nAnn\nBo\n", "id,login\n1,a\n2,b\n",
            #"[{"name":"Ann","tags":["a","b"],"age":5,"x":null},{"name":"Bo","tags":[],"age":"6","ok":true}]"#,
        ])
    func changeNobodyUnedited(_ people: String) throws {
        try importing(people)
        for file in try [export("--layout", "rollcall"), export("--format", "csv", "--layout", "source"), people] {
            #expect(try importing(file).counts == WriteCounts(unchanged: 2), "\(file)")
        }
    }

    /// Members that are columns come before the others, tables have numbers as texts, and the figure is a number.
    @Test(
        arguments: [
            "Name,Team,Reputation,Website\nAda,Ops,12,https://a.example/\nBob,,1500,\n",
            "login,Reputation,Score,Type,html_url\nada,12,3,User,https://a.example/\nbob,1.5,4,,\n",
            #"""
            {"name":"Ada","tags":["a","b"],"age":5,"ok":true,"o":{"x":1},"reputation":"12","n":null}
            {"name":"Bo","tags":[],"age":"6","ok":false,"reputation":7,"website":"https://b.example/"}
            """#,
            #"""
            {"id":7,"login":"annie","name":"Annie","reputation":12,"type":"Bot","more":{"z":1,"reputation":3}}
            {"id":9,"login":"bo","x":1,"reputation":70e-1,"html_url":"https://b.example/","y":2}
            """#,
            #"""
            {"badge_counts":{"gold":0},"reputation":10,"user_type":"registered","user_id":1,"location":"Oslo","display_name":"A","link":"https://a.example/"}
            {"reputation":20,"creation_date":12,"user_type":"moderator","user_id":2,"link":"https://b.example/","display_name":"B"}
            """#,
            #"""
            {"login":"ann","id":1,"node_id":"x","url":"https://api.github.com/users/ann","html_url":"https://github.com/ann","type":"User","site_admin":false}
            {"login":"bo","id":2,"node_id":"y","url":"https://api.github.com/users/bo","html_url":"https://github.com/bo","type":"Bot","site_admin":true}
            """#,
        ], ["ndjson", "csv", "json", "xlsx"])
    func changeNobodyInRollcallsLayout(_ people: String, _ format: String) throws {
        try importing(people)
        let all = try export()
        let again = try importFile(export(to: "people.\(format)", "--layout", "rollcall"), options: [])
        #expect(again.counts == WriteCounts(unchanged: 2), "\(again)")
        #expect(try export() == all)
    }

    @Test func keepTheCharactersOfDatesInAWorkbook() throws {
        try importing("Name,Eintritt\nAnna,2020-03-01\nBert,2020-03-1.\nCora,2019-01-30\n")
        let file = try export(to: "dates.xlsx", "--layout", "source")
        #expect(try importFile(file, options: []).counts == WriteCounts(unchanged: 3))
    }

    @Test func loseNoHeadingThatComesTwice() throws {
        let staff = "Name,Team,Team,Name,City,\nAnna,A,B,C,D,E\nBen,G,H,I,J,K\n"
        try importing(staff)
        let table = try export("--format", "csv")
        #expect(table.contains(",Name,Team,Team 2,Name 2,City,Column 6\r\nanna,Anna,A,B,C,D,E\r\n"), "\(table)")
        for file in [table, staff] { #expect(try importing(file).counts == WriteCounts(unchanged: 2)) }
        try importing("login,name,html_url\nann,Ann,https://a.example/\nben,Ben,see me\n", into: "links")
        let last = try export(of: "links").split(separator: "\n").last
        #expect(last?.contains(#""html_url":"see me","type":null,"reputation":null}"#) == true)
    }

    /// Rollcall's own layout has the column in a member of its own.
    @Test(arguments: ["ndjson", "csv"])
    func keepSearchEnginesAwayFromWhoAsks(_ format: String) throws {
        try importing("Name,Title,noindex\nAnna Lind,Boss,yes\nBert Kraus,Clerk,no\n")
        let file = try export("--with-private", "--layout", "rollcall", "--format", format)
        #expect(try importing(file).counts == WriteCounts(unchanged: 2))
        #expect(try rows().rows.map(\.isNoIndex) == [true, false])
    }

    @Test func cutNoObjectInAWorkbook() throws {
        try importing("id,login,name,About\n1,p1,P 1,\(String(repeating: "word ", count: 8_000))\n")
        let said = message { _ = try export(to: "people.xlsx", "--layout", "rollcall") }
        #expect(said.contains("a cell has no room for the columns of p1"))
    }
}

/// An export whose rows or columns somebody changed.
@Suite("Edited exports")
final class EditedExportTests: Desk {
    private func exportStaff(_ options: String...) throws -> [String] {
        try importFile(write("staff.csv", StaffList.text), options: ["--key", "E-Mail"] + options)
        return try export("--format", "csv").components(separatedBy: "\r\n").filter { !$0.isEmpty }
    }

    private func importing(_ rows: [String], _ options: String...) throws -> Report {
        try importFile(write("edited.csv", rows.joined(separator: "\r\n") + "\r\n"), options: options)
    }

    @Test func exactlyTheEditsArrive() throws {
        var rows = try exportStaff("--publish", "Gehalt")
        #expect(rows.count == 7 && rows[0].hasSuffix(",Eintritt,Gehalt,Foto") && !rows[0].contains("E-Mail"), "\(rows)")
        rows[1] = rows[1].replacing("Müller", with: "Bauer")
        rows.removeAll { $0.contains("Controllerin") }
        let report = try importing(rows, "--prune")
        #expect(report.counts == WriteCounts(changed: 1, unchanged: 4) && report.summary.removed == 1, "\(report)")
        #expect(try export("--format", "csv").contains("anna-bauer,Anna,Bauer,Leiterin"))
    }

    @Test func newRowsNeedNoKey() throws {
        var rows = try exportStaff()
        rows.removeAll { $0.contains("Controllerin") }
        rows.append(",Ines,Neu,Praktikantin,Technik,Köln,,01.02.2026,")
        let report = try importing(rows, "--prune")
        #expect(report.counts == WriteCounts(added: 1, unchanged: 5) && report.summary.removed == 1, "\(report)")
        // The new person is known by name.
        #expect(try importing(rows).counts == WriteCounts(unchanged: 6))
        let unknown = try importing(rows + ["nobody" + String(repeating: ",", count: 8)])
        #expect(unknown.error.contains("nobody has the handle \"nobody\""), "\(unknown)")
    }

    @Test func missingColumnsKeepTheirValuesAndEmptyCellsEmptyThem() throws {
        let heading = try exportStaff()[0].prefix { $0 != "," }
        let report = try importing(["\(heading),Position,Standort", "anna-mueller,'=Chefin,"])
        #expect(report.counts == WriteCounts(changed: 1), "\(report)")
        let anna = try #require(rows().users.first { $0.login == "anna-mueller" })
        #expect(
            anna.name == "Anna Müller" && anna.more?.contains(#""Position":"=Chefin","Abteilung":"Vertrieb""#) == true)
        #expect(anna.more?.contains("München") == false)
        let erasing = try importing(["\(heading),Position", "anna-mueller,x"], "--missing", "erase")
        #expect(
            erasing.error.hasPrefix("--missing: an export with a column of handles changes the columns that it has"))
    }
}
