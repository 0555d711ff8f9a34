import Foundation
import TestSupport
import Testing

/// The events of new people, as curl gets them while an import runs.
@Suite("Events", .onThreadsForPrograms)
final class EventTests: Stage {
    override init() throws {
        try super.init()
        try importPeople(40)
    }

    /// Imports `count` people, every third of them in Sales.
    private func importPeople(_ count: Int) throws {
        let rows = (1...count).map { "\($0),Person \($0),\($0 % 3 == 0 ? "Sales" : "Web"),2024-01-\($0 % 28 + 1)" }
        try load((["id,name,department,joined"] + rows).joined(separator: "\n"))
    }

    /// Starts a `curl` that prints the stream while it arrives, and waits until it is open.
    private func listen(_ server: RollcallProcess, _ query: String = "", _ options: String...) throws -> Program {
        let arguments = ["-sSNi", "--max-time", "600"] + options + ["\(server.url)/events\(query)"]
        let curl = try Program(Program.find("curl"), arguments)
        try eventually("the stream is open") { curl.output.contains("retry: ") }
        return curl
    }

    private func event(_ new: Int) -> Regex<Substring> {
        // swift-format-ignore
        try! Regex("id: \\d+\nevent: people\ndata: \\{\"generation\":\\d+,\"new\":\(new),\"label\":\"[^}]*\\}\n\n")
    }

    @Test func anImportIsToldToThoseWhoseListsItChanges() throws {
        let server = try serve()
        let all = try listen(server)
        let sales = try listen(server, "?department=Sales&sort=-name")
        let one = try listen(server, "?q=Person+45&seen=0", "--http1.0")
        let nobody = try listen(server, "?q=zoe")
        let other = try listen(server, "?department=Sales&department=Web&q=person")
        #expect(all.output.contains("Content-Type: text/event-stream\r\n"))
        #expect(all.output.contains("X-Accel-Buffering: no\r\n"))
        let started = ContinuousClock.now
        try importPeople(52)
        try eventually("12 new people") { all.output.contains(event(12)) && other.output.contains(event(12)) }
        // A loaded machine may be slow; this one reads twice a second.
        #expect(ContinuousClock.now - started < .seconds(30))
        try eventually("4 in Sales") { sales.output.contains(event(4)) }
        try eventually("one by name") { one.output.contains(event(1)) }
        #expect(one.output.contains("HTTP/1.1 200 OK\r\n") && !one.output.contains("chunked"))
        try importPeople(53)
        try eventually("13 new people") { all.output.contains(event(13)) }
        for curl in [sales, nobody] { #expect(!curl.output.contains("new\":13,")) }
        #expect(!nobody.output.contains("event: people"))
    }

    @Test func moreStreamsThanAllowedGet503() throws {
        let server = try serve("--max-event-streams", "2")
        let streams = try (0..<2).map { _ in try listen(server) }
        let refused = try get("\(server.url)/events")
        #expect(refused.status == 503 && refused.fields["retry-after"] == "60")
        #expect(refused.text.contains("\"message\":\"Too many clients"))
        #expect(try get("\(server.url)/").status == 200)
        let metrics = try get("\(server.url)/metrics").text
        #expect(metrics.contains("rollcall_http_open_streams 2\n"))
        #expect(metrics.contains("rollcall_http_refused_streams_total 1\n"))
        streams[0].stop()
        try eventually("a place is free") {
            try get("\(server.url)/metrics").text.contains("rollcall_http_open_streams 1\n")
        }
        _ = try listen(server)
    }

    /// nginx keeps what it gets until its buffer is full, unless the response says otherwise.
    @Test func eventsPassAProxyAtOnce() throws {
        let server = try serve()
        let nginx = try Nginx("location / { proxy_pass \(server.url); proxy_http_version 1.1; }", root: folder.path)
        let curl = try nginx.listen("/events")
        try eventually("the stream is open") { curl.output.contains("retry: ") }
        try importPeople(42)
        try eventually("2 new people") { curl.output.contains(event(2)) }
    }
}
