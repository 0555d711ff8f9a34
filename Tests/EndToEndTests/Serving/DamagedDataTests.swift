import Foundation
import TestDatabases
import TestSupport
import Testing

/// A disk or another program may change what the database holds. Whatever that is, what is sent is valid.
@Suite("Damaged data", .onThreadsForPrograms, .tags(.long))
struct DamagedDataTests {
    let folder: URL
    var database: String { folder.appending(path: "people.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-damaged-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let people = (1...5).map {
            #"{"id":\#($0),"login":"ada\#($0)","name":"Ada \#($0)","bio":"Counts.","type":"User"}"#
        }
        let input = Data(people.joined(separator: "\n").utf8)
        let output = try run(
            binary(), ["import", "file", "-", "--directory", "team", "--database", database], input: input)
        #expect(output.status == 0, "\(output.error)")
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
    @Test(arguments: [
        "login = CAST(x'61C3' AS TEXT)", "name = CAST(x'41FF80' AS TEXT)", "name = CAST(x'EDA080' AS TEXT)",
        "avatarURL = CAST(x'68747470733A2F2FC3' AS TEXT)", "name = CAST(x'00' AS TEXT)",
        "more = CAST(x'7B2262696F223A22C3227D' AS TEXT)",  // {"bio":"?"}
        "more = CAST(x'7B22C3223A317D' AS TEXT)",  // {"?":1}
        "more = CAST(x'7B2274797065223A22C0AF227D' AS TEXT)",  // {"type":"??"}
        "more = '{\"bio\":\"cut'", "more = '{\"bio\":}'", "more = '[1]'", "more = '{'", "more = '{\"a\":1}{\"b\":2}'",
        "more = '{\"a\":' || char(10) || '1}'", "more = 'null'", "more = '{\"bio\":\"' || char(7) || '\"}'",
        "more = CAST(x'FFFE80' AS TEXT)", "more = 7",
    ])
    func whatIsSentIsValid(_ change: String) throws {
        try damage("user1 SET \(change) WHERE id = 2")
        let server = try RollcallProcess(["serve", "--database", database])
        for target in Self.targets {
            // A response that breaks off has no last chunk, which curl reports as an error.
            guard let answer = try? curl(server.url + target) else {
                #expect(target.hasPrefix("/export"), "\(target) breaks off")
                continue
            }
            #expect([200, 404, 503].contains(answer.status), "\(target): \(answer.status)")
            #expect(String(validating: answer.body, as: UTF8.self) != nil, "\(target)")
            switch (answer.fields["content-type"] ?? "").split(separator: ";").first {
            case "application/json": #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: answer.body) }
            case "application/x-ndjson":
                for line in answer.text.split(separator: "\n") {
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
                }
            case "text/csv":
                let copy = folder.appending(path: "copy-\(UUID().uuidString).sqlite").path
                let output = try run(
                    binary(), ["import", "file", "-", "--format", "csv", "--directory", "team", "--database", copy],
                    input: answer.body)
                #expect([0, 2].contains(output.status), "\(output.error)")
            default: break
            }
        }
        #expect(try curl(server.url + "/users/ada1").status == 200)
        #expect(server.stop() == 0)
    }

    @Test func anExportOfDamagedDataFailsAndNamesTheUser() throws {
        try damage("user1 SET more = '{\"bio\":' WHERE id = 2")
        for format in ["ndjson", "csv", "json"] {
            let file = folder.appending(path: "people.\(format)").path
            let output = try run(
                binary(), ["export", "--format", format, file, "--database", database])
            #expect(output.status == 1 && output.error.contains("user 2"), "\(output.error)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    /// A log with a line for each request would hide everything else.
    @Test func damageIsLoggedOnce() throws {
        try damage("userBlock1 SET entries = x'00'")
        let server = try RollcallProcess(["serve", "--database", database])
        for number in 0..<5 {
            for target in ["/fragment?sort=name&n=\(number)", "/api/v3/users?sort=login&per_page=\(10 + number)"] {
                let answer = try curl(server.url + target)
                #expect(answer.status == 503 && answer.fields["x-request-id"] != nil, "\(target)")
            }
        }
        #expect(server.errors.components(separatedBy: "error-id=").count == 2, "\(server.errors)")
    }

    /// An index of sitemaps for more users than there can be is bounded, and is not made by the event loop.
    @Test func anAbsurdTotalStallsNeitherHealthChecksNorTheEnd() throws {
        let server = try RollcallProcess(["serve", "--database", database])
        try damage("directory SET total = 1 << 40")
        try eventually("the index has sitemaps") {
            try curl(server.url + "/sitemap.xml").text.contains("<sitemapindex")
        }
        let requests = try (0..<16).map { _ in
            try Program(
                Program.find("curl"), ["-s", "-o", "/dev/null", "-w", "%{http_code}", server.url + "/sitemap.xml"])
        }
        while requests.contains(where: \.isRunning) {
            let start = ContinuousClock.now
            #expect(try curl(server.url + "/healthz").status == 200)
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
