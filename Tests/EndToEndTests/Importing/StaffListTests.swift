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
        try rollcall(["import", "file", path(name), "--directory", "staff"] + arguments)
    }

    private func settings() throws -> [String: Any] { try settings(of: "staff") }

    @Test func aPlainImportInfersSettingsAndWithholdsWhatIsPersonal() throws {
        let output = try importFile("staff.csv").expect(
            error: "not stored: E-Mail, Gehalt (", "\n6 people, known by E-Mail\n",
            "\n1 photo not found, first in line 6: photos/none.jpg\n")
        #expect(output.output.hasPrefix("staff: 6 added"), "\(output)")
        let inferred = try #require(try settings()["inferred"] as? [String: Any])
        #expect(inferred["filters"] as? [String] == ["department", "location", "skills"])
        let server = try serve()
        var texts = ["/", "/api/v3/users", "/users/anna-mueller", "/export.csv", "/export.ndjson", "/sitemap.xml"]
            .map { server.url + $0 }
        texts = try texts.map { try get($0).text } + [String(decoding: stored(in: database), as: UTF8.self)]
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
        try check(server, "/?department=Technik&department=Vertrieb&location=K%C3%B6ln&sort=name", users: 3)
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
        for sort in ["surname", "-surname"] { try check(server, "/?sort=\(sort)", users: 6) }
        let page = try get(server.url + "/?sort=name").text
        #expect(page.contains(/data-collation="de-u-kn-true;[0-9.]+;[0-9.]+"/))
    }

    @Test func optionsComeFromTheEnvironmentAsWell() throws {
        let variables = ["ROLLCALL_ROWS": "location", "ROLLCALL_DROP": "Position", "ROLLCALL_LANGUAGE": "sv"]
        try rollcall("import", "file", path("staff.csv"), "--directory", "staff", environment: variables).expect()
        #expect(try settings()["rows"] as? [String] == ["location"])
        #expect(!holds("Leiterin"))
    }

    @Test func aFileOfAnotherNameReportsTheNewDirectory() throws {
        #expect(try importFile("staff.csv").status == 0)
        let path = try write("Staff 2027.csv", StaffList.text)
        let failure = try rollcall("import", "file", path, "--key", "Nope")
        #expect(failure.status == 1 && !failure.error.contains("a new public"), "\(failure.error)")
        let note = "staff-2027: a new public directory, named after the source; --directory fills another one (staff)\n"
        try rollcall("import", "file", path).expect(error: note)
        #expect(try !rollcall("import", "file", path).error.contains("a new public"))
        let hidden = try rollcall("import", "file", write("Board.csv", StaffList.text), "--private")
        #expect(hidden.error.contains("board: a new private directory, named after the source"), "\(hidden.error)")
    }
}
