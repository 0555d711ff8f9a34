import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Errors, request ids and timing", .onThreadsForPrograms)
struct ErrorTests {
    /// Runs `body` with a server whose database disappears.
    private func withBrokenDatabase(_ body: (RollcallProcess) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-error-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appending(path: "people.sqlite").path
        let people = Data("id,login\n1,ada\n2,bo\n".utf8)
        #expect(
            try run(binary(), ["import", "file", "-", "--directory", "people", "--database", database], input: people)
                .status == 0)
        let program = try RollcallProcess(["serve", "--database", database])
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + end) }
        try body(program)
    }

    @Test func anUnexpectedErrorShowsOnlyAnIDThatTheLogRepeats() throws {
        try withBrokenDatabase { program in
            let page = try curl(program.url + "/?q=ada")
            #expect(page.status == 503)
            let id = try #require(page.fields["x-request-id"])
            #expect(page.text.contains("<code>\(id)</code>"))
            #expect(program.errors.contains("error-id=\(id)"))
            for secret in ["sqlite", "SQL", "/tmp", "rollcall-error"] { #expect(!page.text.contains(secret)) }
            let json = try curl(program.url + "/api/v3/users?q=bo")
            #expect(json.text.contains("\"error_id\":\"\(json.fields["x-request-id"] ?? "?")\""))
        }
    }

    @Test func theClientsOwnIDAndItsTraceAreRepeatedBesideIt() throws {
        try withBrokenDatabase { program in
            let trace = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
            let page = try curl("-H", "X-Request-Id: my.id-7", "-H", trace, program.url + "/?q=ada")
            #expect(page.fields["traceparent"] == nil)
            #expect(page.fields["x-request-id"] == "my.id-7")
            let id = try #require(page.text.firstMatch(of: /<code>([0-9a-f]+)<\/code>/)?.1)
            #expect(
                program.errors.contains(
                    "error-id=\(id) request-id=my.id-7 span=00f067aa0ba902b7 trace=0af7651916cd43dd8448eb211c80319c"))
        }
    }

    @Test func serverTimingIsSentWhenEnabled() throws {
        let program = try RollcallProcess.demo(users: 100, ["--server-timing"])
        let times = try ["/fragment", "/fragment", "/fragment?q=a", "/style.css"].map {
            try curl("-H", "Accept-Encoding: gzip", program.url + $0).fields["server-timing"] ?? ""
        }
        let number = #"\d+\.\d{3}"#
        let made = try Regex(
            "cache;desc=miss, (wait;dur=\(number), )?db;dur=\(number), render;dur=\(number), gzip;dur=\(number), total;dur=\(number)"
        )
        #expect(try made.wholeMatch(in: times[0]) != nil, "\(times[0])")
        #expect(times[1].wholeMatch(of: /cache;desc=hit, total;dur=\d+\.\d{3}/) != nil, "\(times[1])")
        #expect(try made.wholeMatch(in: times[2]) != nil, "\(times[2])")
        #expect(times[3].wholeMatch(of: /total;dur=\d+\.\d{3}/) != nil, "\(times[3])")
    }
}
