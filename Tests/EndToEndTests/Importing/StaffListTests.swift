import Foundation
import TestSupport
import Testing

@Suite("A publisher's own list", .onThreadsForPrograms)
final class StaffListTests: Stage {
    override init() throws {
        try super.init()
        try write("photos/anna.jpg", [0xFF, 0xD8, 0xFF, 0xE0])
        try write("staff.csv", StaffList.text)
    }

    private func importFile(_ name: String, _ arguments: String...) throws -> Output {
        let path = path(name)
        return try rollcall(["import", "file", path, "--directory", "staff"] + arguments)
    }

    private func settings() throws -> [String: Any] { try settings(of: "staff") }

    /// The bytes of the database with its log.
    private func stored() throws -> Data {
        var bytes = Data()
        for suffix in ["", "-wal"] { bytes += (try? Data(contentsOf: URL(filePath: database + suffix))) ?? Data() }
        return bytes
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test func aPlainImportInfersSettingsAndWithholdsWhatIsPersonal() throws {
        let output = try importFile("staff.csv")
        #expect(output.status == 0 && output.output.hasPrefix("staff: 6 added"), "\(output.error)")
        let told = lines(output.error)
        #expect(told.contains { $0.hasPrefix("not stored: E-Mail, Gehalt (") })
        #expect(told.contains("6 people, known by E-Mail"), "\(told)")
        #expect(told.contains("1 photo not found, first in line 6: photos/none.jpg"), "\(told)")
        let inferred = try #require(try settings()["inferred"] as? [String: Any])
        #expect(inferred["filters"] as? [String] == ["department", "location", "skills"])
        #expect(inferred["rows"] as? [String] == ["title", "department"])
        #expect(inferred["order"] as? String == "place" && inferred["language"] as? String == "de")
        let fields = try #require(inferred["fields"] as? [[String: Any]])
        #expect(fields.first { $0["key"] as? String == "name" }?["from"] as? String == "{Vorname} {Nachname}")
        let server = try serve()
        var texts = ["/", "/api/v3/users", "/users/anna-mueller", "/export.csv", "/export.ndjson", "/sitemap.xml"]
            .map { server.url + $0 }
        texts = try texts.map { try get($0).text } + [String(decoding: stored(), as: UTF8.self)]
        for text in texts {
            #expect(!text.contains("72.000") && !text.contains("@example.org") && !text.contains("photos/anna.jpg"))
        }
    }

    /// Returns the values of the filters on a page with their counts, `*` for chosen ones.
    private func filters(_ page: String) -> [String] {
        page.matches(of: /<input type="checkbox" name="[^"]*" value="([^"]*)"( checked)?>.*?<span>(\d+)<\/span>/)
            .map { "\($0.2 == nil ? "" : "*")\($0.1) \($0.3)" }
    }

    @Test func severalFiltersKeepExactCounts() throws {
        #expect(try importFile("staff.csv").status == 0)
        let server = try serve()
        func total(_ query: String) throws -> String? {
            try get(server.url + "/fragment?" + query).fields["x-total-count"]
        }
        #expect(
            filters(try get(server.url + "/").text) == [
                "Technik 3", "Vertrieb 2", "Finanzen 1", "Köln 3", "München 3", "Swift 3", "Go 2", "Rust 2",
            ])
        #expect(try total("skills=Swift&skills=Go") == "5")
        let page = try get(server.url + "/?skills=Swift&skills=Go&location=m%C3%BCnchen")
        #expect(page.fields["x-total-count"] == "3")
        #expect(
            filters(page.text) == [
                "Vertrieb 2", "Finanzen 1", "Technik 0", "*München 3", "Köln 2", "*Go 2", "Rust 2", "*Swift 1",
            ])
        #expect(try total("joined=2020..2021") == "2" && total("utm_source=x") == "6" && total("Gehalt=1") == "6")
        let export = try get(server.url + "/export.csv?department=Technik&department=finanzen").text
        #expect(export.split(whereSeparator: \.isNewline).count == 5 && !export.contains("Vertrieb"))
        let check = try run(
            binary(), ["check", server.url + "/?department=Technik&department=Vertrieb&location=K%C3%B6ln&sort=name"])
        #expect(check.status == 0 && check.output.hasPrefix("3 users"), "\(check.error)")
    }

    @Test func lastNamesHaveLetters() throws {
        #expect(try importFile("staff.csv", "--sorts", "surname,name").status == 0)
        let server = try serve()
        let shown = try get(server.url + "/?sort=surname").text.matches(of: /<h2[^>]*>\s*<a[^>]*>([^<]*)<\/a>/)
        let expected = ["Jürgen Groß", "Zoe Mueller", "Anna Müller", "Anna Müller", "Åsa Öberg", "김민수"]
        #expect(shown.map { String($0.1) } == expected)
        struct Letters: Decodable {
            struct Letter: Decodable {
                var letter, url: String
                var count, position: Int
            }
            var sort: String
            var letters: [Letter]
        }
        let data = Data(try get(server.url + "/letters.json?sort=surname").text.utf8)
        let letters = try JSONDecoder().decode(Letters.self, from: data)
        let counts = letters.letters.filter { $0.count > 0 }.map { "\($0.letter) \($0.count)" }
        #expect(letters.sort == "surname" && counts == ["G 1", "M 3", "O 1", "… 1"])
        let link = try #require(letters.letters.first { $0.letter == "M" }?.url)
        #expect(link == "/?letter=M&sort=surname")
        #expect(try get(server.url + link).text.contains("aria-posinset=\"2\""))
        for query in ["?sort=surname", "?sort=-surname", "?sort=name", "?sort=-name"] {
            let output = try run(binary(), ["check", server.url + "/" + query])
            #expect(output.status == 0, "\(query): \(output.error)")
        }
        let page = try get(server.url + "/?sort=name").text
        #expect(page.contains(/data-collation="de-u-kn-true;[0-9.]+;[0-9.]+"/))
    }

    @Test func aColumnThatIsDroppedLaterIsErased() throws {
        #expect(try importFile("staff.csv").status == 0)
        #expect(String(decoding: try stored(), as: UTF8.self).contains("Werkstudentin"))
        let refused = try importFile("staff.csv", "--drop", "Position")
        #expect(
            refused.status == 1 && refused.error.contains("this erases Position of 6 people: nothing was saved. --yes"))
        let dry = try importFile("staff.csv", "--drop", "Position", "--dry-run")
        #expect(dry.status == 0 && dry.error.contains("staff: this erases Position of 6 people"), "\(dry.error)")
        #expect(String(decoding: try stored(), as: UTF8.self).contains("Werkstudentin"))
        #expect(try importFile("staff.csv", "--drop", "Position", "--yes").status == 0)
        #expect(!String(decoding: try stored(), as: UTF8.self).contains("Werkstudentin"))
    }

    @Test func optionsOverrideASettingsFile() throws {
        let path = try write(
            "settings.json", #"{"title": "Our team", "rows": ["title"], "order": "name", "language": "en"}"#)
        #expect(
            try importFile("staff.csv", "--settings", path, "--rows", "location", "--label", "title=Role").status == 0)
        let settings = try settings()
        #expect(settings["rows"] as? [String] == ["location"] && settings["order"] as? String == "name")
        #expect(settings["language"] as? String == "en" && settings["title"] as? String == "Our team")
        #expect((settings["fields"] as? [[String: Any]])?.first?["label"] as? String == "Role")
    }

    @Test func optionsComeFromTheEnvironmentAsWell() throws {
        let path = path("staff.csv")
        let output = try run(
            binary(), ["import", "file", path, "--database", database, "--directory", "staff"],
            environment: ["ROLLCALL_ROWS": "location", "ROLLCALL_DROP": "Position", "ROLLCALL_LANGUAGE": "sv"])
        #expect(output.status == 0, "\(output.error)")
        #expect(try settings()["rows"] as? [String] == ["location"])
        #expect(!String(decoding: try stored(), as: UTF8.self).contains("Leiterin"))
    }

    @Test func aDateFormatThatIsGivenLaterMakesAnOrder() throws {
        try write("list.csv", "Name;Since\nAda;1/2/2020\nBob;3/4/2019\n")
        #expect(try importFile("list.csv").error.contains(#"set "type": "date""#))
        let path = try write("settings.json", #"{"fields": [{"key": "joined", "type": "date", "format": "dmy"}]}"#)
        let set = try rollcall("directories", "settings", "staff", path)
        #expect(set.status == 0, "\(set.error)")
        let sorts = { () throws in (try self.settings()["inferred"] as? [String: Any])?["sorts"] as? [String] }
        #expect(try sorts() == ["name", "joined"])
        #expect(try importFile("list.csv").status == 0)
        #expect(try sorts() == ["name", "joined"])
    }

    @Test func aHeadingMayHoldAComma() throws {
        try write("list.csv", "Name;Ort, Land;Team\nAda;Rom, IT;A\nBob;Ulm, DE;B\n")
        #expect(try importFile("list.csv", "--only", "Name", "--only", "Ort, Land").status == 0)
        let text = String(decoding: try stored(), as: UTF8.self)
        #expect(text.contains("Rom, IT") && !text.contains("\"Team\":\"A\""))
    }

    @Test func aNewColumnIsInferredAndReported() throws {
        #expect(try importFile("staff.csv").status == 0)
        let rows = lines(StaffList.text)
        let wider = rows.enumerated().map { $1 + ($0 == 0 ? ";Raum;Telefon" : ";R\($0);0711 4711\($0)") }
        try write("wider.csv", wider.joined(separator: "\n") + "\n")
        let output = try importFile("wider.csv")
        #expect(
            output.output.hasPrefix("staff: 6 changed") && output.error.contains("1 new column: Telefon (not stored)"))
        #expect(
            output.error.contains("1 new column: Raum (public; --keep hides it, --drop leaves it out)"),
            "\(output.error)")
        #expect(output.error.contains("not stored: E-Mail, Gehalt, Telefon ("), "\(output.error)")
        let text = String(decoding: try stored(), as: UTF8.self)
        #expect(text.contains("\"Raum\":\"R1\"") && !text.contains("4711"))
    }

    @Test func anUnknownHandleWithoutANameIsNamed() throws {
        #expect(try importFile("staff.csv").status == 0)
        let exported = try rollcall("export", "--directory", "staff", "--format", "csv")
        #expect(exported.status == 0)
        try write("edited.csv", exported.output + "nobody" + String(repeating: ",", count: 8) + "\n")
        let output = try importFile("edited.csv")
        #expect(output.status == 1 && output.error.contains("nobody has the handle \"nobody\""), "\(output.error)")
    }

    @Test func aChangedCellMakesNoSecondPerson() throws {
        #expect(try importFile("staff.csv").status == 0)
        try write("staff.csv", StaffList.text.replacing("Designerin", with: "Leiterin"))
        #expect(try importFile("staff.csv").output.hasPrefix("staff: 1 changed, 5 unchanged"))
        // From what was inferred to a key that is given, nobody has to be adopted.
        let given = try importFile("staff.csv", "--key", "Eintritt", "--prune")
        #expect(given.output.hasPrefix("staff: 2 added, 4 unchanged"), "\(given)")
        #expect(given.error.contains("anna-mueller is not in the source any more"), "\(given.error)")
    }

    @Test func anAddressOfAGroupIsNobodysAlone() throws {
        let people = (1...11).map { "Person \($0),p\($0)@x.org,Sales" }
        func importing(_ changed: String..., options: String...) throws -> Output {
            let rows = ["Name,E-Mail,Team"] + changed + people.dropFirst(changed.count)
            let path = try write("team.csv", rows.joined(separator: "\n") + "\n")
            return try rollcall(["import", "file", path, "--directory", "team"] + options)
        }
        #expect(try importing().output.hasPrefix("team: 11 added"))
        let shared = try importing("Person 1,info@x.org,IT", "Person 2,info@x.org,IT", options: "--prune")
        #expect(shared.output.hasPrefix("team: 2 added, 9 unchanged"), "\(shared)")
        #expect(shared.error.contains("1 row has the E-Mail of an earlier row, under another name; both people stay"))
        #expect(shared.error.contains("--adopt person-1 says that they are one person"), "\(shared.error)")
        let adopted = try importing(
            "Person 1,info@x.org,IT", "Person 2,info@x.org,IT", options: "--adopt", "person-1", "--prune")
        #expect(!adopted.output.contains("removed") && !adopted.error.contains("--adopt person-1 "), "\(adopted)")
        #expect(adopted.error.contains("--adopt person-2 says"), "\(adopted.error)")
        let server = try serve()
        #expect(try get(server.url + "/users/person-1").text.contains("IT"))
    }

    @Test func aCardIsIdentifiedByItsUID() throws {
        let card = { (uid: String, name: String) in
            "BEGIN:VCARD\nVERSION:4.0\nUID:\(uid)\nFN:\(name)\nEMAIL:\(uid)@example.org\nEND:VCARD\n"
        }
        try write("book.vcf", card("urn:uuid:1", "Ann Lee") + card("urn:uuid:2", "Ann Lee"))
        let first = try importFile("book.vcf")
        #expect(first.output.hasPrefix("staff: 2 added") && !first.error.contains("whole"), "\(first.error)")
        try write("book.vcf", card("urn:uuid:2", "Ann Lee") + card("URN:UUID:1", "Ann Moe"))
        #expect(try importFile("book.vcf").output.hasPrefix("staff: 1 changed, 1 unchanged"))
        #expect(!String(decoding: try stored(), as: UTF8.self).lowercased().contains("urn:uuid"))
    }

    @Test func aDryRunPrintsTheColumnsAndFivePeople() throws {
        try Data(StaffList.windows1252).write(to: folder.appending(path: "staff-1252.csv"))
        let output = try importFile("staff-1252.csv", "--dry-run")
        #expect(output.status == 0 && !FileManager.default.fileExists(atPath: database))
        for line in [
            "staff-1252.csv: Windows-1252, semicolons, header in line 3, 5 people (1 empty row skipped), language de",
            "column      becomes     shown      searched  filter           example",
            "Kenntnisse  skills      profile    yes       3 values  list ; Swift; Rust", "E-Mail      withheld",
            "people are known by E-Mail", "4 Anna Müller   Werkstudentin · Vertrieb   München   /users/anna-mueller-2",
        ] { #expect(lines(output.output).contains(line), "\(line) in \(output.output)") }
    }

    @Test func aDryRunShowsNobodyWhoIsHidden() throws {
        try write("list.csv", "Name;Ort;hidden\nAda;Rom;\nBob;Ulm;yes\n")
        let output = try importFile("list.csv", "--dry-run")
        #expect(output.status == 0 && output.output.contains("/users/ada"), "\(output.error)")
        #expect(!output.output.contains("Bob"), "\(output.output)")
    }

    @Test func exactlyTheEditsOfAnExportArrive() throws {
        #expect(try importFile("staff.csv", "--publish", "Gehalt", "--key", "E-Mail").status == 0)
        let export = try rollcall("export", "--directory", "staff", "--format", "csv")
        #expect(export.status == 0)
        var rows = export.output.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        #expect(rows.count == 7 && rows[0].hasSuffix(",Eintritt,Gehalt,Foto") && !rows[0].contains("E-Mail"), "\(rows)")
        rows[1] = rows[1].replacing("Müller", with: "Bauer")
        rows.removeAll { $0.contains("Controllerin") }
        try write("edited.csv", rows.joined(separator: "\r\n") + "\r\n")
        let output = try importFile("edited.csv", "--prune")
        #expect(
            output.status == 0 && output.output.hasPrefix("staff: 1 changed, 1 removed, 4 unchanged"),
            "\(output.output) \(output.error)")
        let server = try serve()
        #expect(try get(server.url + "/users/anna-bauer").text.contains("Leiterin"))
    }

    @Test func anEditedExportWithoutTheKeyAddsNewRows() throws {
        #expect(try importFile("staff.csv", "--key", "E-Mail").status == 0)
        let export = try rollcall("export", "--directory", "staff", "--format", "csv")
        var rows = export.output.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        rows.removeAll { $0.contains("Controllerin") }
        rows.append(",Ines,Neu,Praktikantin,Technik,Köln,,01.02.2026,")
        try write("edited.csv", rows.joined(separator: "\r\n") + "\r\n")
        let output = try importFile("edited.csv", "--prune")
        #expect(
            output.status == 0 && output.output.hasPrefix("staff: 1 added, 1 removed, 5 unchanged"),
            "\(output.output) \(output.error)")
        // The new person is known by name.
        #expect(try importFile("edited.csv").output.hasPrefix("staff: 6 unchanged"))
    }

    @Test func missingColumnsKeepTheirValuesAndEmptyCellsEmptyThem() throws {
        #expect(try importFile("staff.csv", "--key", "E-Mail").status == 0)
        let export = try rollcall("export", "--directory", "staff", "--format", "csv")
        let rows = export.output.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let heading = try #require(rows[0].split(separator: ",").first)
        try write("edited.csv", "\(heading),Position,Standort\r\nanna-mueller,'=Chefin,\r\n")
        let output = try importFile("edited.csv")
        #expect(output.output.hasPrefix("staff: 1 changed"), "\(output.output) \(output.error)")
        let server = try serve()
        let page = try get(server.url + "/users/anna-mueller").text
        #expect(page.contains("=Chefin") && !page.contains("'=Chefin") && !page.contains("München"))
        #expect(page.contains("Vertrieb") && page.contains("Anna Müller"))
    }

    @Test func aFileOfAnotherNameReportsTheNewDirectory() throws {
        #expect(try importFile("staff.csv").status == 0)
        let path = try write("Staff 2027.csv", StaffList.text)
        let failure = try rollcall("import", "file", path, "--key", "Nope")
        #expect(failure.status == 1 && !failure.error.contains("a new public"), "\(failure.error)")
        let output = try rollcall("import", "file", path)
        #expect(
            output.error.contains(
                "staff-2027: a new public directory, named after the source; --directory fills another one (staff)\n"),
            "\(output.error)")
        #expect(try !rollcall("import", "file", path).error.contains("a new public"))
    }
}
