import Foundation
import TestDatabases
import TestSupport
import Testing

/// A disk or another program may change what the database holds. Whatever that is, what is sent is valid.
@Suite("Damaged data", .onThreadsForPrograms, .tags(.long))
final class DamagedDataTests: Stage {
    override init() throws {
        try super.init()
        let people = (1...5).map {
            #"{"id":\#($0),"login":"ada\#($0)","name":"Ada \#($0)","bio":"Counts.","type":"User"}"#
        }
        try load(people.joined(separator: "\n"))
    }

    private func damage(_ changes: String) throws {
        try SQLiteFile(database).execute("PRAGMA ignore_check_constraints = ON; UPDATE \(changes)")
    }

    private static let targets = [
        "/", "/fragment", "/fragment?sort=name", "/?q=ada", "/users/ada2", "/embed", "/directories", "/api/v3/users",
        "/api/v3/users?sort=name", "/api/v3/users/ada2", "/2.3/users?site=team", "/2.3/users/2?site=team",
        "/api/character", "/api/character/2", "/sitemap.xml", "/export.ndjson", "/export.csv", "/export.json",
    ]

    /// Texts in hexadecimal, with bytes that are no UTF-8.
    private static let changes = [
        "login = CAST(x'61C3' AS TEXT)", "name = CAST(x'41FF80' AS TEXT)", "name = CAST(x'EDA080' AS TEXT)",
        "avatarURL = CAST(x'68747470733A2F2FC3' AS TEXT)", "name = CAST(x'00' AS TEXT)",
        "more = CAST(x'7B2262696F223A22C3227D' AS TEXT)",  // {"bio":"?"}
        "more = CAST(x'7B22C3223A317D' AS TEXT)",  // {"?":1}
        "more = CAST(x'7B2274797065223A22C0AF227D' AS TEXT)",  // {"type":"??"}
        "more = '{\"bio\":\"cut'", "more = '{\"bio\":}'", "more = '[1]'", "more = '{'", "more = '{\"a\":1}{\"b\":2}'",
        "more = '{\"a\":' || char(10) || '1}'", "more = 'null'", "more = '{\"bio\":\"' || char(7) || '\"}'",
        "more = CAST(x'FFFE80' AS TEXT)", "more = 7",
    ]

    @Test func whatIsSentIsValid() throws {
        let whole = try Data(contentsOf: URL(filePath: database))
        for change in Self.changes {
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + end) }
            try whole.write(to: URL(filePath: database))
            try damage("user1 SET \(change) WHERE id = 2")
            try expectValidAnswers(change)
        }
    }

    private func expectValidAnswers(_ change: String) throws {
        let server = try serve()
        for target in Self.targets {
            // A response that breaks off has no last chunk.
            guard let answer = try? get(server.url + target) else {
                #expect(target.hasPrefix("/export"), "\(change), \(target) breaks off")
                continue
            }
            #expect([200, 404, 503].contains(answer.status), "\(change), \(target): \(answer.status)")
            #expect(String(validating: answer.body, as: UTF8.self) != nil, "\(change), \(target)")
            switch (answer.fields["content-type"] ?? "").split(separator: ";").first {
            case "application/json":
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.body)) }
            case "application/x-ndjson":
                for line in answer.text.split(separator: "\n") {
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
                }
            case "text/csv":
                let copy = path("copy-\(UUID().uuidString).sqlite")
                let output = try rollcall(
                    "import", "file", "-", "--format", "csv", "--directory", "team", database: copy, input: answer.text)
                #expect([0, 2].contains(output.status), "\(output.error)")
            default: break
            }
        }
        #expect(try get(server.url + "/users/ada1").status == 200)
        #expect(server.stop() == 0)
    }

    @Test func anExportOfDamagedDataFailsAndNamesTheUser() throws {
        try damage("user1 SET more = '{\"bio\":' WHERE id = 2")
        for format in ["ndjson", "csv", "json"] {
            let file = path("people.\(format)")
            try rollcall("export", "--format", format, file).expect(1, error: "user 2")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    /// An index of sitemaps for more users than there can be is bounded, and is not made by the event loop.
    @Test func anAbsurdTotalStallsNeitherHealthChecksNorTheEnd() throws {
        let server = try serve()
        try damage("directory SET total = 1 << 40")
        try eventually("the index has sitemaps") { try get(server.url + "/sitemap.xml").text.contains("<sitemapindex") }
        let requests = try (0..<16).map { _ in
            try Program(
                Program.find("curl"), ["-s", "-o", "/dev/null", "-w", "%{http_code}", server.url + "/sitemap.xml"])
        }
        while requests.contains(where: \.isRunning) {
            let start = ContinuousClock.now
            #expect(try get(server.url + "/healthz").status == 200)
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        for request in requests { #expect(request.output == "200") }
        let last = try (0..<16).map { _ in
            try Program(Program.find("curl"), ["-s", "-o", "/dev/null", server.url + "/sitemap.xml"])
        }
        let start = ContinuousClock.now
        #expect(server.stop() == 0)
        #expect(ContinuousClock.now - start < .seconds(20))
        for request in last { request.wait() }
    }
}
