import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Errors, request ids and timing", .onThreadsForPrograms)
final class ErrorTests: Stage {
    /// A database disappears under its server.
    @Test func anUnexpectedErrorShowsOnlyAnIDThatTheLogRepeats() throws {
        try load("id,login\n1,ada\n2,bo\n")
        let program = try serve()
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + end) }
        let page = try get(program.url + "/?q=ada")
        #expect(page.status == 503)
        let id = try #require(page.fields["x-request-id"])
        #expect(page.text.contains("<code>\(id)</code>"))
        #expect(program.errors.contains("error-id=\(id)"))
        for secret in ["sqlite", "SQL", "/tmp", folder.lastPathComponent] { #expect(!page.text.contains(secret)) }
        let json = try get(program.url + "/api/v3/users?q=bo")
        #expect(json.text.contains("\"error_id\":\"\(json.fields["x-request-id"] ?? "?")\""))
        // The client's own id and its trace are repeated beside it.
        let trace = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
        let own = try get(program.url + "/?q=bob", "X-Request-Id: my.id-7", trace)
        #expect(own.fields["traceparent"] == nil && own.fields["x-request-id"] == "my.id-7")
        #expect(own.text.contains(/<code>[0-9a-f]+<\/code>/))
    }

    @Test func serverTimingIsSentWhenEnabled() throws {
        let program = try RollcallProcess.demo(users: 100, ["--server-timing"])
        let times = try ["/fragment", "/fragment", "/fragment?q=a", "/style.css"].map {
            try get(program.url + $0, "Accept-Encoding: gzip").fields["server-timing"] ?? ""
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
