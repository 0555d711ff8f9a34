import Foundation
import TestSupport
import Testing

/// The commands on a PostgreSQL server. Their output and pages are compared with those of the same commands on a file.
@Suite("PostgreSQL", .onThreadsForPrograms, .tags(.long))
final class PostgresTests: Stage {
    private let postgres: String
    private var databases: [String] { [database, postgres] }

    override init() throws {
        postgres = try PostgresCluster.shared().makeURL()
        try super.init()
        try write("staff.csv", StaffList.text)
    }

    /// Runs a command on both databases and expects it to succeed in the same way.
    @discardableResult private func equally(_ arguments: String...) throws -> String {
        let outputs = try databases.map { try rollcall(arguments, database: $0) }
        #expect(outputs.allSatisfy { $0.status == 0 }, "\(outputs.map(\.error))")
        // Imports say how long they took.
        let texts = outputs.map { $0.output.replacing(/\ in [0-9.]+ s/, with: "") }
        #expect(texts[0] == texts[1])
        return texts[1]
    }

    @Test func aMistypedDatabaseIsNotMade() throws {
        for database in [postgres, "postgres:ada:secret@host/people"] {
            let output = try rollcall("export", database: database)
            #expect(output.status != 0 && !output.error.contains("secret"), "\(output)")
        }
        try rollcall("import", "file", path("staff.csv"), "--dry-run", database: postgres).expect()
        #expect(try rollcall("export", database: postgres).status != 0)
    }

    private func importStaff() throws { _ = try equally("import", "file", path("staff.csv"), "--directory", "staff") }

    @Test func anImportIsExportedAsFromAFile() throws {
        try importStaff()
        for format in ["ndjson", "csv", "json"] {
            let export = try equally("export", "--format", format, "--layout", "rollcall")
            #expect(export.contains("Öberg"), "\(format)")
        }
        #expect(try equally("directories", "settings", "staff").contains("\"key\""))
        #expect(try equally("import", "file", path("staff.csv"), "--directory", "staff").contains("6 unchanged"))
    }

    /// The database counts who would lose something.
    @Test func whatWouldLosePeopleOrValuesIsRefusedAsOnAFile() throws {
        try importStaff()
        let before = try equally("export", "--with-private")
        let narrow = try write("narrow.csv", StaffList.text.replacing("Abteilung", with: "Truppe"))
        let short = try write("short.csv", StaffList.text.prefix { $0 != "\n" } + "\nIda;Neu;;;;;;ida@example.org;;\n")
        for (arguments, reason) in [
            (["import", "file", short, "--directory", "staff", "--prune"], "would remove 6 of 6 people (100 %)"),
            (["import", "file", narrow, "--directory", "staff"], "which 6 of 6 people have"),
            (["directories", "settings", "staff", "--drop", "Position"], "this erases Position of 6 people"),
        ] {
            for database in databases {
                try rollcall(arguments, database: database).expect(1, error: reason)
            }
        }
        #expect(try equally("export", "--with-private") == before)
    }

    @Test func pagesSearchesAndFiltersAreServedAsFromAFile() throws {
        try importStaff()
        let servers = try databases.map { try serve(database: $0) }
        for target in [
            "/fragment", "/fragment?sort=name&order=desc&per_page=2", "/fragment?q=mu", "/fragment?q=swift",
            "/fragment?department=Technik", "/fragment?at=3", "/api/v3/users?fields=*", "/fields.json", "/letters.json",
            "/fields/department.json?q=an", "/export.ndjson?proof=1", "/api/v3/users?sort=relevance&q=zoe",
        ] {
            let answers = try servers.map { try get($0.url + target) }
            #expect(answers.allSatisfy { $0.status == 200 }, "\(target): \(answers.map(\.text))")
            let texts = zip(answers, servers).map { $0.text.replacing($1.url, with: "") }
            #expect(texts[0] == texts[1], "\(target)")
            #expect(answers[0].fields["x-total-count"] == answers[1].fields["x-total-count"], "\(target)")
        }
        let ready = try get(servers[1].url + "/readyz").text
        #expect(ready.hasPrefix("ready\ndatabase host: ") && ready.contains("lag: 0 generations"), "\(ready)")
        #expect(try get(servers[1].url + "/users/nobody-at-all").status == 404)
    }

    @Test func aWorkbookThatCannotBeMadeIsRefusedBeforeItBegins() throws {
        try importStaff()
        let server = try serve(database: postgres, environment: ["TMPDIR": "/nowhere"])
        #expect(try get(server.url + "/export.xlsx").status == 503)
        #expect(server.errors.contains("/nowhere: No such file or directory; TMPDIR names another folder"))
    }

    /// OpenSSL, which is used over TCP, frees its tables at the end of the program: no thread may use them then.
    @Test func aProgramThatEndsAtOnceEndsWell() throws {
        try importStaff()
        let relay = try PostgresRelay(to: PostgresCluster.shared().host)
        defer { relay.stop() }
        let schema = try #require(postgres.split(separator: "schema=").last)
        let database = relay.url(schema: String(schema))
        for _ in 1...4 {
            try rollcall("list", database: database).expect(output: "Öberg")
            #expect(try serve(database: database).stop() == 0)
        }
    }

    @Test func severalServersShowAnImportAndAgree() throws {
        func importPeople(_ ids: ClosedRange<Int>) throws {
            try load(ids.map { #"{"id":\#($0),"login":"u\#($0)"}"# }.joined(separator: "\n"), database: postgres)
        }
        try importPeople(1...250)
        let servers = try (0..<2).map { _ in try serve(database: postgres) }
        for server in servers { #expect(try get(server.url + "/fragment").fields["x-total-count"] == "250") }
        try importPeople(200...300)
        for server in servers { try eventually { try get(server.url + "/fragment").fields["x-total-count"] == "300" } }
        // The same URL has the same validator, and a cursor of one server is one of the other.
        let first = try servers.map { try get("\($0.url)/fragment?sort=login&per_page=7") }
        #expect(first[0].fields["etag"] == first[1].fields["etag"])
        let next = try #require(first[0].link("next"))
        let path = try #require(URL(string: next).flatMap { $0.query.map { "/fragment?\($0)" } })
        #expect(try get(servers[1].url + path).body == get(servers[0].url + path).body)
        for server in servers { try check(server, "/?sort=login&order=desc", users: 300) }
    }
}
