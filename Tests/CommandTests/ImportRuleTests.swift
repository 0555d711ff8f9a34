import Foundation
import Importers
import People
import Publishing
import TestSupport
import Testing

@testable import rollcall

/// What options of an import do to a list, and what the import says.
@Suite("Imports with options")
final class ImportRuleTests: Desk {
    private func importStaff(_ options: String...) throws -> Report {
        try importFile(write("staff.csv", StaffList.text), options: options)
    }

    @Test func optionsOverrideASettingsFile() throws {
        let file = try write(
            "settings.json", #"{"title": "Our team", "rows": ["title"], "order": "name", "language": "en"}"#)
        _ = try importStaff("--settings", file, "--rows", "location", "--label", "title=Role")
        let directory = try directory(), own = directory.settings.stored.own
        #expect(own.rows == ["location"] && own.order == "name" && own.language == "en")
        #expect(own.fields.first?.label == .text("Role") && directory.title == "Our team")
    }

    @Test func aDirectoryWithTheSlugOfAnEarlierVersionIsUsedOn() throws {
        func filled(_ slug: StaticString, former: Slug? = nil) throws -> String {
            var directory = Directory(
                id: 1, slug: Slug(literal: slug), title: "", source: "", total: 0, generation: 0)
            directory.formerSlugs = [former].compactMap(\.self)
            let target = ImportTarget(slug: Slug(literal: "koeln"), sourceName: "Köln.csv")
            let (slug, note) = try target.resolved(among: [directory])
            return note ?? slug.text
        }
        #expect(try filled("k-ln").hasPrefix("k-ln: the slug that an earlier version made of Köln.csv"))
        let renamed = try filled("cologne", former: Slug(literal: "k-ln"))
        #expect(renamed == "cologne: Köln.csv fills it, because k-ln was renamed")
        #expect(try filled("koeln") == "koeln" && filled("bonn") == "koeln")
    }

    @Test func aDateFormatThatIsGivenLaterMakesAnOrder() throws {
        let list = "Name;Since\nAda;1/2/2020\nBob;3/4/2019\n"
        #expect(try importing(list).said.contains(#"set "type": "date""#))
        try change(json: #"{"fields": [{"key": "joined", "type": "date", "format": "dmy"}]}"#)
        for _ in 1...2 {
            #expect(try directory().settings.stored.inferred.sorts == ["name", "joined"])
            try importing(list)
        }
    }

    /// As when a workbook is saved as CSV: its dates are ISO dates, and CSV has them as they were shown.
    @Test func datesAndNumbersMayBeWrittenInAnotherWayThanLastTime() throws {
        let first = "Name,Eintritt,Betrag\nAnna,2017-11-16,1234.5\nBert,2007-04-16,99.5\nCora,2019-01-30,5000.25\n"
        try importing(first, "--key", "Name", "--order", "joined")
        let second =
            "Name;Eintritt;Betrag\nAnna;16.11.2017;1.234,5\nBert;16.04.2007;99,5\nCora;30.01.2019;5.000,25\n"
        #expect(try importing(second).counts == WriteCounts(changed: 3))
        #expect(try export().matches(of: /"name":"(\w+)"/).map(\.1) == ["Bert", "Anna", "Cora"])
        let settings = try settings()
        #expect(settings.contains(#""format": "dmy""#) && settings.contains(#""format": "1.234,5""#))
    }

    @Test func aHeadingMayHoldAComma() throws {
        try importing(
            "Name;Ort, Land;Team\nAda;Rom, IT;A\nBob;Ulm, DE;B\n", "--only", "Name", "--only", "Ort, Land")
        #expect(try rows().users.map(\.more) == [#"{"Ort, Land":"Rom, IT"}"#, #"{"Ort, Land":"Ulm, DE"}"#])
    }

    @Test func aNewColumnIsInferredAndReported() throws {
        _ = try importStaff()
        let rows = StaffList.text.split(separator: "\n").enumerated().map {
            $1 + ($0 == 0 ? ";Raum;Telefon" : ";R\($0);0711 4711\($0)")
        }
        let report = try importing(rows.joined(separator: "\n"))
        #expect(report.counts == WriteCounts(changed: 6))
        for line in [
            "1 new column: Telefon (not stored)",
            "1 new column: Raum (public; --keep hides it, --drop leaves it out)",
            "not stored: E-Mail, Gehalt, Telefon (",
        ] { #expect(report.said.contains(line), "\(report)") }
        #expect(stored.contains("\"Raum\":\"R1\"") && !stored.contains("4711"))
    }

    @Test func photosBesideTheFileAreFoundAndNothingElseIsRead() throws {
        try write("photos/anna.jpg", [0xFF, 0xD8, 0xFF, 0xE0])
        let list = StaffList.text.replacing("65.000,00 €;", with: "65.000,00 €;../../etc/passwd")
        let report = try importFile(write("staff.csv", list), options: [])
        for line in [
            "1 photo found", "1 photo not found, first in line 6: photos/none.jpg",
            "1 photo dropped, first in line 3: ../../etc/passwd (it leads out of the folder)",
        ] { #expect(report.lines.contains(line), "\(line) in \(report)") }
        let names = "login,name\nx,Lee Anna\nanna,Ann\n"
        let named = try importing(names, into: "names", "--photos", path("photos"))
        #expect(named.lines.contains("1 photo found"), "\(named)")
        #expect(try importing(names, into: "names", "--photos", path("none")).error.contains("cannot open the folder"))
    }

    // MARK: - Who is who

    @Test func aChangedCellMakesNoSecondPerson() throws {
        _ = try importStaff()
        let changed = StaffList.text.replacing("Designerin", with: "Leiterin")
        #expect(try importing(changed).counts == WriteCounts(changed: 1, unchanged: 5))
        // From what was inferred to a key that is given, nobody has to be adopted.
        let given = try importing(changed, "--key", "Eintritt", "--prune")
        #expect(given.counts == WriteCounts(added: 2, unchanged: 4), "\(given)")
        #expect(given.said.contains("anna-mueller is not in the source any more"), "\(given)")
    }

    @Test func anAddressOfAGroupIsNobodysAlone() throws {
        let people = (1...11).map { "Person \($0),p\($0)@x.org,Sales" }
        func importing(_ changed: String..., options: String...) throws -> Report {
            let rows = ["Name,E-Mail,Team"] + changed + people.dropFirst(changed.count)
            return try importFile(write("team.csv", rows.joined(separator: "\n") + "\n"), options: options)
        }
        #expect(try importing().counts == WriteCounts(added: 11))
        let shared = try importing("Person 1,info@x.org,IT", "Person 2,info@x.org,IT", options: "--prune")
        #expect(shared.counts == WriteCounts(added: 2, unchanged: 9), "\(shared)")
        #expect(shared.said.contains("1 row has the E-Mail of an earlier row, under another name; both people stay"))
        #expect(shared.said.contains("--adopt person-1 says that they are one person"), "\(shared)")
        let adopted = try importing(
            "Person 1,info@x.org,IT", "Person 2,info@x.org,IT", options: "--adopt", "person-1", "--prune")
        #expect(adopted.summary.removed == 0 && !adopted.said.contains("--adopt person-1 "), "\(adopted)")
        #expect(adopted.said.contains("--adopt person-2 says"), "\(adopted)")
        #expect(try rows().users.first { $0.login == "person-1" }?.more?.contains("IT") == true)
    }

    @Test func aCardIsIdentifiedByItsUID() throws {
        let card = { (uid: String, name: String) in
            "BEGIN:VCARD\nVERSION:4.0\nUID:\(uid)\nFN:\(name)\nEMAIL:\(uid)@example.org\nEND:VCARD\n"
        }
        let first = try importing(card("urn:uuid:1", "Ann Lee") + card("urn:uuid:2", "Ann Lee"))
        #expect(first.counts == WriteCounts(added: 2) && !first.said.contains("whole"), "\(first)")
        let second = try importing(card("urn:uuid:2", "Ann Lee") + card("URN:UUID:1", "Ann Moe"))
        #expect(second.counts == WriteCounts(changed: 1, unchanged: 1))
        #expect(!stored.lowercased().contains("urn:uuid"))
    }

    // MARK: - Who has left

    private func list(_ status: String) -> String {
        "Name,Email,Status\nAnn Lee,ann@example.org,Active\nBo Kim,bo@example.org,\(status)\nCy Orr,cy@example.org,Active\n"
            + "Di Fox,di@example.org,Active\n"
    }

    @Test func whoeverIsNewlyInactiveIsGone() throws {
        #expect(try importing(list("Active"), "--key", "Email").counts == WriteCounts(added: 4))
        let report = try importing(list("Left"))
        #expect(report.counts.departed == 1, "\(report)")
        #expect(report.said.contains("1 inactive person (Status: Left): not listed; --all-people lists this one"))
        #expect(try rows().users.map(\.name) == ["Ann Lee", "Cy Orr", "Di Fox"])
        // Nobody is there to be removed.
        #expect(try importing(list("Left")).counts == WriteCounts(unchanged: 3))
        #expect(try importing(list("Left"), "--all-people").counts.added == 1)
        #expect(try importing(list("Left")).counts == WriteCounts(unchanged: 4))
    }

    /// A mistake in the file, or the end of a project: only its publisher knows.
    @Test func manyWhoLeaveAtOnceStayUntilSomebodyAgrees() throws {
        let list = { (status: String) in
            "Name,Status\n" + (1...12).map { "P \($0),\($0 < 8 ? status : "Active")\n" }.joined()
        }
        #expect(try importing(list("Active"), "--key", "Name").counts.added == 12)
        let refused = try importing(list("Left")).error
        #expect(refused.contains("7 of 12 people may have left (Status: Left): nobody was removed"))
        #expect(try rows().rows.count == 12)
        #expect(try importing(list("Left"), "--only-where", "Status=Active").counts.departed == 7)
        #expect(try rows().rows.count == 5)
    }

    @Test func onlyThoseWhoAreThereAreProposed() throws {
        let statuses = (1...12).map { $0 < 5 ? "Left" : $0 < 10 ? "Former" : "Active" }
        let list = { (statuses: [String]) in
            "Name,Status\n" + zip(1..., statuses).map { "P \($0),\($1)\n" }.joined()
        }
        #expect(try importing(list(statuses.map { _ in "Active" }), "--key", "Name").counts.added == 12)
        let refused = try importing(list(statuses)).error
        #expect(refused.contains("--only-where Status=Active"), "\(refused)")
    }

    @Test func thoseWhoAreHiddenAreCounted() throws {
        let report = try importing("Name,Team,hidden\nAnn Lee,A,\nBo Kim,B,yes\nCy Orr,C,\n")
        #expect(report.said.contains("3 people (1 hidden), known by"), "\(report)")
    }

    @Test func aListOfPeopleWhoLeftAsksBeforeItIsSaved() throws {
        let text = "Name,Team,Austritt\nAnn Lee,A,01.02.2020\nBo Kim,B,03.04.2021\nCy Orr,C,\n"
        let refused = try importing(text).error
        #expect(refused.contains("2 of 3 people may have left (Austritt before today): nothing was saved"))
        #expect(refused.contains("--only-where Austritt=") && store.directories.isEmpty)
        let unknown = try importing(text, "--only-where", "Status=active").error
        #expect(unknown.contains("only-where: expected a column of the file"))
        #expect(try importing(text, "--only-where", "Austritt=").counts == WriteCounts(added: 1))
        // The decision holds.
        #expect(try importing(text + "Di Fox,C,\n").counts == WriteCounts(added: 1, unchanged: 1))
        #expect(try rows().users.map(\.name) == ["Cy Orr", "Di Fox"])
    }

    @Test func totalsAndNotesStopNoPruning() throws {
        let people = "Name,Team,Hours\nAnn Lee,A,1\nBo Kim,B,2\nCy Orr,C,3\n"
        try importing(people + "Total,,6\n\nGenerated by HR on 1 May\n", "--key", "Name")
        let report = try importing("Name,Team,Hours\nAnn Lee,A,1\nBo Kim,B,2\nTotal,,3\n", "--prune")
        #expect(report.summary.removed == 1, "\(report)")
        #expect(report.lines.contains("2 people, known by Name") && report.said.contains("1 total row (line 4)"))
        #expect(try importing("Name,Team,Hours\nAnn Lee,A,1\nTotal,,1\n", "--all-rows").counts.added == 1)
    }

    // MARK: - Reports

    @Test func whatIsDroppedIsToldToProgramsToo() throws {
        let people = "login,avatar,link\nann,photos/ann.jpg,www.example.org\ncy,,javascript:alert(1)\n"
        let report = try importing(people), team = try #require(Slug("team"))
        #expect(report.lines.count { $0.hasPrefix("1 link dropped") } == 1, "\(report)")
        let json = JSONLine.text(["summary": report.summary.json(of: team, isDryRun: false)])
        #expect(json.contains(#""droppedLinks":1"#) && json.contains(#""missingPhotos":1"#), "\(json)")
    }

    @Test func blankTitlesAreIgnored() throws {
        try importing("id,login\n1,ada\n", "--title", " \u{3000}")
        #expect(try directory().title == "team")
    }

    // MARK: - Dry runs

    @Test func aDryRunPrintsTheColumnsAndFivePeople() throws {
        let report = try importFile(write("staff-1252.csv", StaffList.windows1252), options: ["--dry-run"])
        for line in [
            "staff-1252.csv: Windows-1252, semicolons, header in line 3, 5 people (1 empty row skipped), language de",
            "column      becomes     shown      searched  filter           example",
            "Kenntnisse  skills      profile    yes       3 values  list ; Swift; Rust", "E-Mail      withheld",
            "people are known by E-Mail", "4 Anna Müller   Werkstudentin · Vertrieb   München   /users/anna-mueller-2",
        ] { #expect(report.preview.contains(line), "\(line) in \(report.preview)") }
        #expect(store.directories.isEmpty)
    }

    @Test func aDryRunShowsNobodyWhoIsHidden() throws {
        let people = try importing("Name;Ort;hidden\nAda;Rom;\nBob;Ulm;yes\n", "--dry-run").preview.joined()
        #expect(people.contains("/users/ada") && !people.contains("Bob"), "\(people)")
    }

    @Test func theReportSaysWhatEachColumnWasTakenFor() throws {
        let said = try importing(list("Active"), "--explain", "--dry-run").said
        #expect(said.contains("column Email: not stored") && !said.contains("ann@example.org"), "\(said)")
        #expect(said.contains("4 people, known by"))
    }
}
