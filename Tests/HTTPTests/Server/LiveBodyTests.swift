import Synchronization
import TestSupport
import Testing

@testable import Server

/// The writers of the live bodies that a handler has opened, and the number of those that have ended.
private final class LiveBodies: Sendable {
    private let writers = Mutex<[any LiveWriter]>([])
    let closed = Counter()

    var all: [any LiveWriter] { writers.withLock { $0 } }

    /// Responds with a live body, and to other paths than `/live` like ``echo``.
    var handler: @Sendable (Request) -> Reply {
        // The server must not keep the writers, which keep the server.
        { [weak self] request in
            guard let self, request.path.equals("/live") else { return echo(request) }
            var response = Response()
            response.live = LiveBody(
                opening: Array("hello\n".utf8), heartbeat: Array(":\n".utf8),
                opened: { writer in self.writers.withLock { $0.append(writer) } }, closed: { self.closed.add(1) })
            return .now(response)
        }
    }
}

@Suite("Bodies that stay open")
struct LiveBodyTests {
    private static let live = "GET /live HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let hello = "6\r\nhello\n\r\n"

    /// Sends a request for a live body and reads its first bytes.
    private func open(_ address: Server.Address) throws -> (client: TestClient, text: String) {
        let client = try TestClient(address)
        client.send(Self.live)
        return (client, try client.text(until: Self.hello))
    }

    @Test func whatIsWrittenLaterArrivesAsChunks() throws {
        let bodies = LiveBodies()
        try withServer(handler: bodies.handler) { server, address in
            let (client, head) = try open(address)
            #expect(head.contains("Transfer-Encoding: chunked\r\n") && head.contains("Connection: close\r\n"))
            #expect(!head.contains("Content-Length"))
            for number in 0..<3 { bodies.all[0].write(Array("event \(number)\n".utf8)) }
            #expect(try client.text(until: "event 2\n\r\n") == "8\r\nevent 0\n\r\n8\r\nevent 1\n\r\n8\r\nevent 2\n\r\n")
            bodies.all[0].end()
            #expect(client.rest() == "0\r\n\r\n")
            eventually { bodies.closed.value == 1 && server.gauge.live == 0 }
        }
    }

    /// A request with many parameters is read in the pool, and may be for a stream of events.
    @Test func aBodyMayBeOpenedByThePool() throws {
        let bodies = LiveBodies()
        let handler: @Sendable (Request) -> Reply = { [live = bodies.handler] request in
            guard case .now(let response) = live(request) else { return echo(request) }
            return .later { response }
        }
        try withServer(handler: handler) { server, address in
            let (client, _) = try open(address)
            bodies.all[0].write(Array("event 0\n".utf8))
            #expect(try client.text(until: "event 0\n\r\n") == "8\r\nevent 0\n\r\n")
            bodies.all[0].end()
            #expect(client.rest() == "0\r\n\r\n")
            eventually { bodies.closed.value == 1 && server.gauge.live == 0 }
        }
    }

    /// RFC 9112 §6.1: chunked coding requires HTTP/1.1.
    @Test func anOlderClientGetsTheBytesAlone() throws {
        let bodies = LiveBodies()
        try withClient(handler: bodies.handler) { _, client throws in
            client.send("GET /live HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.text(until: "hello\n").contains("Connection: close\r\n"))
            bodies.all[0].write(Array("event\n".utf8))
            bodies.all[0].end()
            #expect(client.rest() == "event\n")
        }
    }

    @Test func aHeadRequestOpensNothing() throws {
        let bodies = LiveBodies()
        try withClient({ $0.limits.maxLiveBodies = 0 }, handler: bodies.handler) { _, client throws in
            client.send("HEAD /live HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try client.answer(hasBody: false)
            #expect(answer.status == 200 && answer.fields["transfer-encoding"] == "chunked")
            #expect(client.isClosed())
            #expect(bodies.all.isEmpty && bodies.closed.value == 0)
        }
    }

    @Test func aClientThatGoesIsForgottenAndWritingToItDoesNothing() throws {
        let bodies = LiveBodies()
        try withServer(handler: bodies.handler) { server, address in
            var clients = try (0..<3).map { _ in try open(address).client }
            clients[0].reset()
            clients[1].endSending()
            eventually { bodies.closed.value == 2 }
            for writer in bodies.all { writer.write(Array("event\n".utf8)) }
            #expect(try clients[2].text(until: "event\n\r\n") == "6\r\nevent\n\r\n")
            clients = []
            eventually { bodies.closed.value == 3 && server.statistics.openConnections == 0 }
        }
    }

    @Test func theyHaveALimitOfTheirOwn() throws {
        let bodies = LiveBodies()
        let configure: (inout Server.Configuration) -> Void = {
            ($0.limits.maxConnections, $0.limits.maxLiveBodies) = (1, 2)
        }
        try withServer(configure, handler: bodies.handler) { server, address in
            let open = try (0..<2).map { _ in try self.open(address).client }
            // They leave the only place for other connections free, and are not closed for new ones.
            let other = try TestClient(address)
            for _ in 0..<3 {
                #expect(try other.get("/x").text == "/x")
                let refused = try other.get("/live")
                #expect(refused.status == 503 && refused.fields["retry-after"] == "60")
            }
            other.endSending()
            #expect(other.isClosed())
            #expect(bodies.closed.value == 0 && server.gauge.live == 2 && server.gauge.refusedLive.value == 3)
            open[0].endSending()
            eventually { server.statistics.openConnections == 1 }
            _ = try self.open(address)
        }
    }

    @Test func aSilentOneHasAHeartbeatAndOutlivesIdleConnections() throws {
        let bodies = LiveBodies()
        let configure: (inout Server.Configuration) -> Void = {
            ($0.timeouts.heartbeat, $0.timeouts.idle) = (.milliseconds(60), .milliseconds(20))
        }
        try withServer(configure, handler: bodies.handler) { _, address in
            let (client, _) = try open(address)
            #expect(try client.text(until: "2\r\n:\n\r\n2\r\n:\n\r\n2\r\n:\n\r\n").hasPrefix("2\r\n:\n"))
            #expect(bodies.closed.value == 0)
        }
    }

    @Test func drainingEndsThemAtOnce() throws {
        let bodies = LiveBodies()
        try withServer({ $0.timeouts.linger = .seconds(60) }, handler: bodies.handler) { server, address in
            let (client, _) = try open(address)
            server.drain()
            #expect(client.rest() == "0\r\n\r\n")
            eventually { bodies.closed.value == 1 }
            client.endSending()
        }
    }

    @Test func aClientThatTakesNothingIsDropped() throws {
        let bodies = LiveBodies()
        let configure: (inout Server.Configuration) -> Void = { $0.timeouts.write = .milliseconds(100) }
        try withServer(configure, handler: bodies.handler) { server, address in
            let slow = try TestClient(address, receiveBuffer: 4096)
            slow.send(Self.live)
            eventually { bodies.all.count == 1 }
            let bytes = [UInt8](repeating: 46, count: 16_384)
            eventually {
                for _ in 0..<100 { bodies.all[0].write(bytes) }
                return bodies.closed.value == 1
            }
            eventually { server.statistics.openConnections == 0 }
            withExtendedLifetime(slow) {}
        }
    }

    /// Otherwise a client could make the server keep or parse them.
    @Test func furtherRequestsOnItsConnectionAreIgnored() throws {
        let bodies = LiveBodies()
        try withClient(handler: bodies.handler) { server, client throws in
            client.send(Self.live + Self.live)
            _ = try client.text(until: Self.hello)
            client.send(Self.live)
            eventually { server.statistics.bytesIn == 3 * Self.live.utf8.count }
            bodies.all[0].end()
            #expect(client.rest() == "0\r\n\r\n")
            #expect(bodies.all.count == 1)
        }
    }

    @Test func manyWritesArriveInOrderBesidesOtherRequests() throws {
        let bodies = LiveBodies()
        try withServer({ $0.eventLoops = 1 }, handler: bodies.handler) { _, address in
            let clients = try (0..<20).map { _ in try open(address).client }
            for number in 0..<100 {
                for writer in bodies.all { writer.write(Array("\(number)\n".utf8)) }
            }
            #expect(try TestClient(address).get("/x").text == "/x")
            let expected = (0..<100).map { "\($0 < 10 ? 2 : 3)\r\n\($0)\n\r\n" }.joined()
            for client in clients { #expect(try client.text(until: "99\n\r\n") == expected) }
        }
    }
}

@Suite("Mail for live bodies")
struct LiveMailTests {
    private func letter(_ number: Int) -> LiveMail.Letter {
        (Token(slot: number, generation: 1), nil)
    }

    @Test func itIsAnnouncedOnceAndTakenInBatches() {
        let mail = LiveMail()
        let count = 2 * LiveMail.batch + 1
        #expect((0..<count).map { mail.put(letter($0)) } == [true] + Array(repeating: false, count: count - 1))
        var taken: [Int] = []
        var hasMore = true
        while hasMore {
            let batch: [LiveMail.Letter]
            (batch, hasMore) = mail.take()
            #expect(batch.count <= LiveMail.batch)
            taken += batch.map { Int($0.token.slot) }
        }
        #expect(taken == Array(0..<count))
        #expect(mail.put(letter(0)))
    }
}
