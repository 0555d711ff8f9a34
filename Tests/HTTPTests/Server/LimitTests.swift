import Foundation
import Server
import TestSupport
import Testing

@Suite("Deadlines and limits")
struct LimitTests {
    @Test func aHeadThatDoesNotArriveInTimeGets408() throws {
        try withClient({ $0.timeouts.head = .milliseconds(40) }) { _, client throws in
            client.send("GET / HT")
            #expect(try client.answer().status == 408)
            #expect(client.isClosed())
        }
    }

    @Test func idleConnectionsAreClosed() throws {
        // Long enough to complete one request before the timeout.
        try withServer({ $0.timeouts.idle = .seconds(2) }) { _, address in
            let (client, silent) = (try TestClient(address), try TestClient(address))
            #expect(try client.get("/").status == 200)
            #expect(client.isClosed() && silent.isClosed())
        }
    }

    /// Waits as long as another server with the same idle timeout keeps a new connection open.
    private func waitForIdleTimeout() throws {
        try withServer({ $0.timeouts.idle = .seconds(2) }) { _, address in
            let silent = try TestClient(address)
            #expect(silent.isClosed())
        }
    }

    /// The event loop sees the timeout first, and the request after it.
    @Test func aRequestThatArrivesBeforeTheCloseGetsAResponse() throws {
        let (gate, begun) = (Gate(), Counter())
        let handler = waiting(at: gate, counting: begun)
        try withServer({ ($0.timeouts.idle, $0.eventLoops) = (.seconds(2), 1) }, handler: handler) { _, address in
            let (client, other) = (try TestClient(address), try TestClient(address))
            #expect(try client.get("/a").text == "/a")
            other.ask("/busy")
            eventually { begun.value == 1 }
            try waitForIdleTimeout()
            client.ask("/b")
            gate.open()
            #expect(try client.answer().text == "/b")
            #expect(try other.answer().text == "/busy")
        }
    }

    @Test func aClientThatReadsNothingIsDropped() throws {
        try withServer({ $0.timeouts.write = .milliseconds(40) }, handler: big) { server, address in
            let client = try TestClient(address, receiveBuffer: 4096)
            client.ask("/big")
            eventually { server.statistics.requests == 1 && server.statistics.openConnections == 0 }
            #expect(throws: TestClient.Ended.self) { try client.answer() }
        }
    }

    @Test func theSystemKeepsLittleForAReaderThatTakesNothing() throws {
        try withClient({ $0.timeouts.write = .milliseconds(500) }, handler: big) { server, client throws in
            client.send(String(repeating: "GET /big HTTP/1.1\r\nHost: a\r\n\r\n", count: 10))
            eventually { server.statistics.requests > 0 && server.statistics.openConnections == 0 }
            // 128 KiB, the packet that goes past them, and what the reader's own system takes for it.
            #expect(server.statistics.bytesOut < 512 << 10)
            withExtendedLifetime(client) {}
        }
    }

    @Test func aLongPipelineTakesTurnsWithOtherConnections() throws {
        let (gate, begun, answered) = (Gate(), Counter(), Counter())
        let handler: @Sendable (Request) -> Reply = { request in
            if request.path.equals("/busy") {
                begun.add(1)
                gate.pass()
            }
            answered.add(1)
            let isNumber = request.path.equals("/number")
            return isNumber ? .now(Response(body: .init(Array("\(answered.value)".utf8)))) : echo(request)
        }
        try withServer({ $0.eventLoops = 1 }, handler: handler) { _, address in
            let clients = try (0..<3).map { _ in try TestClient(address) }
            for client in clients { #expect(try client.get("/").status == 200) }
            clients[0].ask("/busy")
            eventually { begun.value == 1 }
            clients[1].send(String(repeating: "GET /b HTTP/1.1\r\nHost: a\r\n\r\n", count: 1000))
            clients[2].ask("/number")
            gate.open()
            let number = try #require(Int(try clients[2].answer().text))
            #expect(number < 500, "after \(number) others")
            for _ in 0..<1000 { #expect(try clients[1].answer().text == "/b") }
        }
    }
}

@Suite("Deferred responses")
struct LaterTests {
    /// `/later` waits at the gate; every other target gets its response at once.
    func handler(_ gate: Gate) -> @Sendable (Request) -> Reply {
        { request in
            guard String(request.path) == "/later" else { return echo(request) }
            return .later {
                gate.pass()
                return Response(body: .init(Array("later".utf8)))
            }
        }
    }

    @Test func deferredResponsesKeepTheirOrderAndDelayNobodyElse() throws {
        let gate = Gate()
        try withServer({ $0.eventLoops = 1 }, handler: handler(gate)) { _, address in
            let client = try TestClient(address)
            client.send(
                "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\nHEAD /later HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            #expect(try client.answer().text == "/a")
            #expect(try TestClient(address).get("/other").text == "/other")
            client.endSending()
            gate.open(2)
            #expect(try client.answer().text == "later")
            #expect(try client.answer(hasBody: false).fields["content-length"] == "5")
            #expect(try client.answer().text == "/b")
            #expect(client.isClosed())
        }
    }

    @Test func tooManyDeferredResponsesGet503() throws {
        let gate = Gate()
        try withServer({ ($0.workers, $0.workBacklog) = (1, 1) }, handler: handler(gate)) { server, address in
            let clients = try (0..<3).map { _ in try TestClient(address) }
            for (index, client) in clients.prefix(2).enumerated() {
                client.ask("/later")
                eventually { server.statistics.pendingWork == index + 1 }
            }
            let refused = try clients[2].get("/later")
            #expect(refused.status == 503 && refused.fields["retry-after"] == "1")
            #expect(try clients[2].get("/x").text == "/x")
            gate.open(2)
            for client in clients.prefix(2) { #expect(try client.answer().text == "later") }
        }
    }

    @Test func deferredResponsesAreDroppedWithTheirConnection() throws {
        let gate = Gate()
        try withServer(handler: handler(gate)) { server, address in
            let client = try TestClient(address)
            client.ask("/later")
            eventually { server.statistics.pendingWork == 1 }
            client.reset()
            gate.open()
            eventually { server.statistics.openConnections == 0 }
            #expect(try TestClient(address).get("/x").text == "/x")
        }
    }

    @Test func workOfAClosedConnectionIsNotStarted() throws {
        let gate = Gate()
        let begun = Counter()
        let handler: @Sendable (Request) -> Reply = { _ in
            .later {
                begun.add(1)
                gate.pass()
                return Response()
            }
        }
        try withServer({ ($0.workers, $0.workBacklog) = (1, 4) }, handler: handler) { server, address in
            let first = try TestClient(address)
            first.ask("/")
            eventually { begun.value == 1 }
            for _ in 0..<10 {
                var client = try Optional(TestClient(address))
                client?.ask("/")
                eventually { server.statistics.pendingWork == 2 }
                client?.reset()
                client = nil
                eventually { server.statistics.pendingWork == 1 }
            }
            gate.open(11)
            #expect(try first.answer().status == 200)
            eventually { server.statistics.pendingWork == 0 }
            #expect(begun.value == 1)
        }
    }

    @Test func aTimeoutDoesNotAffectTheNextResponse() throws {
        let gate = Gate()
        try withClient({ $0.timeouts.answer = .milliseconds(40) }, handler: handler(gate)) { server, client throws in
            let late = try client.get("/later")
            #expect(late.status == 503 && late.fields["retry-after"] == "1")
            gate.open()
            eventually { server.statistics.pendingWork == 0 }
            #expect(try client.get("/next").text == "/next")
        }
    }
}

@Suite("Draining")
struct DrainTests {
    /// Sends requests until a response announces that the connection closes.
    private func waitUntilDraining(_ client: TestClient) throws {
        while try client.get("/").fields["connection"] != "close" {}
    }

    @Test func drainingClosesIdleConnectionsAndFinishesOthers() throws {
        let gate = Gate()
        // One loop: once the idle connection is closed, the loop of the busy one drains as well.
        try withServer({ $0.eventLoops = 1 }, handler: LaterTests().handler(gate)) { server, address in
            let (idle, busy) = (try TestClient(address), try TestClient(address))
            #expect(try idle.get("/").status == 200)
            busy.ask("/later")
            eventually { server.statistics.pendingWork == 1 }
            server.drain()
            #expect(idle.isClosed())
            #expect(throws: (any Error).self) { _ = try TestClient(address) }
            gate.open()
            let answer = try busy.answer()
            #expect(answer.text == "later" && answer.fields["connection"] == "close")
            #expect(busy.isClosed())
        }
    }

    @Test func drainingLeavesTimeForARequestInTransit() throws {
        try withServer({ ($0.timeouts.lastCall, $0.eventLoops) = (.seconds(60), 1) }) { server, address in
            let (answered, new, watcher) = (try TestClient(address), try TestClient(address), try TestClient(address))
            #expect(try answered.get("/a").fields["connection"] == nil)
            server.drain()
            try waitUntilDraining(watcher)
            for client in [answered, new] {
                let answer = try client.get("/b")
                #expect(answer.text == "/b" && answer.fields["connection"] == "close")
                #expect(client.isClosed())
            }
        }
    }

    @Test func everyRequestSentGetsAResponse() throws {
        let gate = Gate()
        // The watcher's request is in transit, however late the watcher sends it.
        let configure: (inout Server.Configuration) -> Void = {
            ($0.timeouts.lastCall, $0.eventLoops) = (.seconds(60), 1)
        }
        try withServer(configure, handler: LaterTests().handler(gate)) { server, address in
            let (client, watcher) = (try TestClient(address), try TestClient(address))
            client.send(["later", "b", "c"].map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            eventually { server.statistics.pendingWork == 1 }
            server.drain()
            try waitUntilDraining(watcher)
            gate.open()
            #expect(try client.answer().text == "later")
            #expect(try client.answer().text == "/b")
            let last = try client.answer()
            #expect(last.text == "/c" && last.fields["connection"] == "close")
            #expect(client.isClosed())
        }
    }

    /// SIGTERM must be obeyed, whatever a request does to an event loop.
    @Test func drainingEndsWhileAnEventLoopIsBusy() throws {
        let (begun, end) = (Gate(), Gate())
        let handler: @Sendable (Request) -> Reply = { request in
            begun.open()
            end.pass()
            return echo(request)
        }
        try withServer({ $0.timeouts.drain = .milliseconds(50) }, handler: handler) { server, address in
            defer { end.open(2) }
            let client = try TestClient(address)
            client.ask("/")
            begun.pass()
            let done = Gate()
            server.drain { done.open() }
            done.pass()
        }
    }

    @Test func drainingDropsConnectionsAtTheDeadline() throws {
        try withClient({ $0.timeouts.drain = .milliseconds(50) }) { server, client throws in
            client.send("GET / HT")
            eventually { server.statistics.bytesIn > 0 }
            let done = Gate()
            server.drain { done.open() }
            done.pass()
            #expect(client.isClosed())
            #expect(server.statistics.openConnections == 0)
        }
    }

    @Test func drainingMayBeRequestedAtAnyTimeAndTwice() throws {
        let server = Server(
            configuration: .init(addresses: [.tcp(port: 0)]), application: TestApplication(handler: echo))
        server.drain()
        server.waitUntilStopped()
        #expect(try server.start() == [])
        try withServer { server, _ in
            server.drain()
            server.drain()
            server.waitUntilStopped()
        }
    }
}

@Suite("Access log")
struct AccessLogTests {
    @Test func everyRequestHasOneLine() throws {
        let lines = Lines()
        try withClient({ $0.accessLog = .init(.common, sink: lines.sink) }) { _, client throws in
            _ = try client.get("/a?b=\"", "Referer: r\\\u{e9}\r\nUser-Agent: u\r\nX-Request-ID: 7\r\n")
            client.send("GET / HTTP/1.1\r\nbad\r\n\r\n")
            _ = try client.answer()
            eventually { lines.all.count == 2 }
        }
        #expect(lines.all[0].hasPrefix("127.0.0.1 - - ["))
        #expect(lines.all[0].contains("] \"GET /a?b=\\x22 HTTP/1.1\" 200 6 \"r\\x5c\\xc3\\xa9\" \"u\" "))
        #expect(lines.all[0].hasSuffix(" \"7\""))
        #expect(lines.all[1].contains("] \"- /\" 400 "))
    }

    @Test func linesMayBeJSON() throws {
        let lines = Lines()
        try withServer(
            { $0.accessLog = .init(.json, sink: lines.sink) },
            handler: { _ in .later { Response(.noContent) } }
        ) { _, address in
            _ = try TestClient(address).get("/김\"", "User-Agent: u\tv\u{85}\u{202e}😀\r\nX-Request-Id: a.b\r\n")
            eventually { lines.all.count == 1 }
        }
        #expect(
            lines.all[0].contains(
                "\"remote\":\"127.0.0.1\",\"method\":\"GET\",\"target\":\"/\\uae40\\u0022\",\"status\":204,\"bytes\":0,\"microseconds\":"
            ))
        #expect(
            lines.all[0].hasSuffix(",\"user_agent\":\"u\\u0009v\\u0085\\u202e\\ud83d\\ude00\",\"request_id\":\"a.b\"}"))
    }

    @Test func anIDIsGeneratedForTheLogAndSent() throws {
        let lines = Lines()
        try withClient({ $0.accessLog = .init(.json, sink: lines.sink) }) { _, client throws in
            let ids = try (0..<2).map { _ in try #require(try client.get("/").fields["x-request-id"]) }
            #expect(ids[0].wholeMatch(of: /[0-9a-f]{16}/) != nil && ids[0] != ids[1])
            eventually { lines.all.count == 2 }
            for (line, id) in zip(lines.all, ids) { #expect(line.hasSuffix(",\"request_id\":\"\(id)\"}")) }
        }
    }

    @Test func aBlockedLogDelaysNobody() throws {
        let gate = Gate()
        try withClient({ $0.accessLog = .init(.common, sink: { _ in gate.pass() }) }) { server, client throws in
            let target = "/" + String(repeating: "a", count: 7000)
            for _ in 0..<200 { #expect(try client.get(target).status == 200) }
            #expect(server.statistics.droppedLogLines > 0)
            gate.open(1000)
        }
    }
}
