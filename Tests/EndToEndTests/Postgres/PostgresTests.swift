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

    /// Runs a command on both databases, and returns what it does on each.
    private func both(_ arguments: String..., input: String = "") throws -> [Output] {
        try databases.map { database in
            let output = try run(binary(), arguments + ["--database", database], input: Data(input.utf8))
            return Output(
                status: output.status, output: output.output.replacing(database, with: "DATABASE"),
                error: output.error.replacing(database, with: "DATABASE"))
        }
    }

    /// Runs a command on both databases and expects it to succeed in the same way.
    @discardableResult private func equally(_ arguments: String..., input: String = "") throws -> String {
        let outputs = try databases.map { database in
            try run(binary(), arguments + ["--database", database], input: Data(input.utf8))
        }
        #expect(outputs.allSatisfy { $0.status == 0 }, "\(outputs.map(\.error))")
        // Imports say how long they took.
        let texts = outputs.map { $0.output.replacing(/\ in [0-9.]+ s/, with: "") }
        #expect(texts[0] == texts[1])
        return texts[1]
    }

    @Test func aMistypedDatabaseIsNotMade() throws {
        for database in [postgres, "postgres:ada:secret@host/people"] {
            let output = try run(binary(), ["export", "--database", database])
            #expect(output.status != 0 && !output.error.contains("secret"), "\(output)")
        }
        let preview = try run(
            binary(),
            ["import", "file", path("staff.csv"), "--dry-run", "--database", postgres])
        #expect(preview.status == 0, "\(preview)")
        #expect(try run(binary(), ["export", "--database", postgres]).status != 0)
    }

    private func importStaff() throws {
        _ = try equally("import", "file", path("staff.csv"), "--directory", "staff")
    }

    @Test func anImportIsExportedAsFromAFile() throws {
        try importStaff()
        for format in ["ndjson", "csv", "json"] {
            let export = try equally("export", "--format", format, "--layout", "rollcall")
            #expect(export.contains("Öberg"), "\(format)")
        }
        #expect(try equally("directories", "settings", "staff").contains("\"key\""))
        #expect(
            try equally("import", "file", path("staff.csv"), "--directory", "staff")
                .contains("6 unchanged"))
    }

    @Test func aDryRunCountsAsOnAFile() throws {
        try importStaff()
        let before = try equally("export", "--with-private")
        let rows = StaffList.text.replacing("Leiterin", with: "Chefin").components(separatedBy: "\n")
        let others = rows.filter { !$0.hasPrefix("Zoe") }
        let list = try write("list.csv", (others + ["Ida;Neu;;;;;;ida@example.org;;", ""]).joined(separator: "\n"))
        let output = try equally("import", "file", list, "--directory", "staff", "--prune", "--dry-run")
        #expect(output.contains(" new, ") && output.contains(" unchanged, ") && output.contains(" to remove, "))
        #expect(!output.contains(" read, "), "\(output)")
        #expect(try equally("export", "--with-private") == before)
    }

    @Test func whatWouldLosePeopleOrValuesIsRefusedAsOnAFile() throws {
        let rows = (1...12).map { "P \($0),Team \($0),Ulm" }
        let whole = try write("people.csv", (["Name,Abteilung,Ort"] + rows).joined(separator: "\n"))
        let short = try write("short.csv", (["Name,Abteilung,Ort"] + rows.prefix(3)).joined(separator: "\n"))
        let narrow = try write("narrow.csv", "Name,Ort\n" + (1...12).map { "P \($0),Bonn\n" }.joined())
        try equally("import", "file", whole, "--key", "Name", "--private")
        let before = try equally("export", "--directory", "people")
        for (arguments, reason) in [
            (["import", "file", short, "--directory", "people", "--prune"], "would remove 9 of 12 people (75 %)"),
            (["import", "file", narrow, "--directory", "people"], "which 12 of 12 people have"),
            (["import", "file", whole, "--drop", "Ort"], "this erases Ort of 12 people"),
            (
                ["directories", "settings", "people", "--only", "Name"],
                "this erases Abteilung of 12 people and Ort of 12"
            ),
        ] {
            for database in databases {
                let output = try run(binary(), arguments + ["--database", database])
                #expect(output.status == 1 && output.error.contains(reason), "\(output.error)")
            }
        }
        #expect(try equally("export", "--directory", "people") == before)
        #expect(try equally("directories", "settings", "people").contains("\"private\": true"))
        try equally("import", "file", narrow, "--directory", "people", "--missing", "keep")
        #expect(try equally("export", "--directory", "people").contains("Team 7"))
        try equally("import", "file", short, "--directory", "people", "--prune=all")
        #expect(try equally("export", "--directory", "people").split(separator: "\n").count == 3)
        try equally("directories", "rename", "people", "staff")
        #expect(try equally("import", "file", short, "--directory", "staff").contains("3 unchanged"))
        #expect(try equally("import", "file", whole).contains("staff: 9 added"))
    }

    @Test func pagesSearchesAndFiltersAreServedAsFromAFile() throws {
        try importStaff()
        let servers = try databases.map { try RollcallProcess(["serve", "--database", $0]) }
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
        let server = try RollcallProcess(["serve", "--database", postgres], environment: ["TMPDIR": "/nowhere"])
        #expect(try get(server.url + "/export.xlsx").status == 503)
        #expect(server.errors.contains("/nowhere: No such file or directory; TMPDIR names another folder"))
    }

    /// OpenSSL, which is used over TCP, frees its tables at the end of the program: no thread may use them then.
    @Test func aProgramThatEndsAtOnceEndsWell() throws {
        try importStaff()
        let relay = try PostgresRelay(to: PostgresCluster.shared().host)
        defer { relay.stop() }
        let schema = try #require(postgres.split(separator: "schema=").last)
        let database = "postgres://rollcall@127.0.0.1:\(relay.port)/postgres?schema=\(schema)"
        for _ in 1...4 {
            let list = try run(binary(), ["list", "--database", database])
            #expect(list.status == 0 && list.output.contains("Öberg"), "\(list)")
            #expect(try RollcallProcess(["serve", "--database", database]).stop() == 0)
        }
    }

    @Test func severalServersShowAnImportAndAgree() throws {
        let people = { (ids: ClosedRange<Int>) in
            ids.map { #"{"id":\#($0),"login":"u\#($0)"}"# }.joined(separator: "\n")
        }
        func importPeople(_ ids: ClosedRange<Int>) throws {
            let output = try run(
                binary(), ["import", "file", "-", "--directory", "team", "--database", postgres],
                input: Data(people(ids).utf8))
            #expect(output.status == 0, "\(output.error)")
        }
        try importPeople(1...250)
        let servers = try (0..<2).map { _ in try RollcallProcess(["serve", "--database", postgres]) }
        for server in servers {
            #expect(try get(server.url + "/fragment").fields["x-total-count"] == "250")
        }
        try importPeople(200...300)
        for server in servers {
            try eventually { try get(server.url + "/fragment").fields["x-total-count"] == "300" }
        }
        // The same URL has the same validator, and a cursor of one server is one of the other.
        let first = try servers.map { try get("\($0.url)/fragment?sort=login&per_page=7") }
        #expect(first[0].fields["etag"] == first[1].fields["etag"])
        let next = try #require(first[0].link("next"))
        let path = try #require(URL(string: next).flatMap { $0.query.map { "/fragment?\($0)" } })
        #expect(try get(servers[1].url + path).body == get(servers[0].url + path).body)
        for server in servers {
            let check = try run(binary(), ["check", server.url + "/?sort=login&order=desc"])
            #expect(check.status == 0 && check.output.hasPrefix("300 users"), "\(check.error)")
        }
    }

    @Test func aForgottenPersonIsInNoTable() throws {
        try importStaff()
        let server = try RollcallProcess(["serve", "--database", postgres])
        let login = try #require(
            equally("export").split(separator: "\n").first { $0.contains("Zoe") }?
                .firstMatch(of: /"login":"([^"]*)"/)?.output.1)
        #expect(try get(server.url + "/users/\(login)").status == 200)
        #expect(try equally("forget", String(login), "--directory", "staff") == "\(login): forgotten in staff (1)\n")
        try eventually { try get(server.url + "/users/\(login)").status == 404 }
        #expect(try get(server.url + "/fragment?q=zoe").fields["x-total-count"] == "0")
        #expect(
            try equally("import", "file", path("staff.csv"), "--directory", "staff")
                .contains("1 forgotten left out"))

        let cluster = try PostgresCluster.shared()
        let schema = try #require(postgres.components(separatedBy: "schema=").last)
        let tables = try cluster.query(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = '\(schema)'"
        ).split(separator: "\n")
        #expect(tables.count > 5)
        for table in tables {
            let rows = try cluster.query("SELECT count(*) FROM \(schema).\(table) t WHERE t::text ILIKE '%zoe%'")
            #expect(rows == "0", "\(table)")
        }
    }

    @Test func directoriesAreListedRenamedAndRemoved() throws {
        try importStaff()
        try equally("import", "file", "-", "--directory", "team", input: #"{"id":1,"login":"ada"}"#)
        try equally("directories", "rename", "team", "board")
        let list = try both("directories").map(\.output)
        #expect(list[1].contains("board") && list[1].contains("staff") && !list[1].contains("team"))
        try equally("directories", "remove", "staff", "--yes")
        #expect(try equally("export", "--directory", "board").contains("ada"))
    }

    /// A command that cannot use a database says what to do, and leaves it as it is.
    @Test func aDatabaseThatCannotBeUsedIsExplained() throws {
        let cluster = try PostgresCluster.shared()
        let cases = [
            ("postgres:///postgres?host=/nonexistent&user=rollcall", "/nonexistent"),
            ("postgres:///nothing?host=\(cluster.host)&user=rollcall", "nothing"),
            ("postgres:///postgres?host=\(cluster.host)&user=nobody-knows", "nobody-knows"),
            ("postgres:///postgres?host=\(cluster.host)&user=rollcall&sslmod=require", "sslmod"),
        ]
        for (url, word) in cases {
            for command in [["serve", "--port", "0"], ["export"]] {
                let output = try run(binary(), command + ["--database", url])
                #expect(output.status == 1 && output.error.contains(word), "\(command): \(output.error)")
            }
        }
    }

    /// The roles of Documentation/ManyServers.md.
    @Test func aServerNeedsOnlyToRead() throws {
        let cluster = try PostgresCluster.shared()
        let schema = "reader_\(UInt32.random(in: 0 ... .max))"
        try cluster.query(
            """
            CREATE ROLE \(schema) LOGIN; ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO \(schema);
            ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO \(schema);
            ALTER DEFAULT PRIVILEGES GRANT SELECT ON SEQUENCES TO \(schema)
            """)
        let owner = cluster.url(schema: schema)
        let output = try run(
            binary(), ["import", "file", "-", "--directory", "team", "--database", owner],
            input: Data(#"{"id":1,"login":"ada"}"#.utf8))
        #expect(output.status == 0, "\(output.error)")
        let reader = owner.replacing("user=rollcall", with: "user=\(schema)")
        let server = try RollcallProcess(["serve", "--database", reader])
        #expect(try get(server.url + "/fragment").text.contains("ada"))
        #expect(try get(server.url + "/readyz").status == 200)
        let refused = try run(
            binary(), ["import", "file", "-", "--directory", "team", "--database", reader],
            input: Data(#"{"id":2,"login":"bob"}"#.utf8))
        #expect(refused.status == 1 && refused.error.contains("lacks a right"), "\(refused.error)")
        #expect(try get(server.url + "/fragment").fields["x-total-count"] == "1")
    }
}
