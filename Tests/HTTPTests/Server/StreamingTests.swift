import Server
import Synchronization
import TestSupport
import Testing

/// Responds with `count` pieces that count up, and then with a failure or the end.
private func stream(_ count: Int, of size: Int = 3, fails: Bool = false, made: Counter = Counter())
    -> @Sendable (Request) -> Reply
{
    { _ in
        let pieces = Counter()
        var response = Response()
        response.stream = BodyStream {
            made.add()
            let number = pieces.add()
            if number > count { return fails ? .failure : .end }
            return .bytes(Array(String(repeating: "\(number % 10)", count: size).utf8))
        }
        return .now(response)
    }
}

@Suite("Streamed bodies")
struct StreamingTests {
    @Test func streamsAreChunkedAndTheConnectionStaysOpen() throws {
        try withClient(handler: stream(2)) { _, client throws in
            for _ in 1...2 {
                client.ask("/")
                let text = try client.text(until: "0\r\n\r\n")
                #expect(text.contains("Transfer-Encoding: chunked\r\n") && !text.contains("Content-Length"))
                #expect(text.hasSuffix("\r\n\r\n3\r\n111\r\n3\r\n222\r\n0\r\n\r\n"))
            }
        }
    }

    @Test func whatIsNotThereYetIsAskedForAgain() throws {
        let handler: @Sendable (Request) -> Reply = { _ in
            let asked = Counter()
            var response = Response()
            response.stream = BodyStream {
                let number = asked.add()
                return number < 4 ? .later : number == 4 ? .bytes(Array("made".utf8)) : .end
            }
            return .now(response)
        }
        try withClient(handler: handler) { _, client throws in
            client.ask("/")
            #expect(try client.text(until: "0\r\n\r\n").hasSuffix("\r\n\r\n4\r\nmade\r\n0\r\n\r\n"))
        }
    }

    /// A request with many parameters is read in the pool, and may be for an export.
    @Test func aStreamMayBeginInThePool() throws {
        let handler: @Sendable (Request) -> Reply = { request in
            guard case .now(let response) = stream(2)(request) else { return echo(request) }
            return .later { response }
        }
        let lines = Lines()
        try withClient({ $0.accessLog = .init(.common, sink: lines.sink) }, handler: handler) { _, client throws in
            for _ in 1...2 {
                client.ask("/all")
                #expect(try client.text(until: "0\r\n\r\n").hasSuffix("\r\n\r\n3\r\n111\r\n3\r\n222\r\n0\r\n\r\n"))
            }
            client.send("HEAD /all HTTP/1.1\r\nHost: a\r\n\r\nGET /all HTTP/1.0\r\n\r\n")
            #expect(try client.text(until: "111222").contains("Connection: close\r\n"))
            #expect(client.isClosed())
        }
        #expect(lines.all.count == 4)
        #expect(lines.all.filter { $0.contains("\"GET /all HTTP/1.1\" 200 6") }.count == 2, "\(lines.all)")
    }

    /// RFC 9112 §6.1: chunked coding requires HTTP/1.1.
    @Test func anOlderClientReadsUntilTheConnectionCloses() throws {
        try withClient(handler: stream(2)) { _, client throws in
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.text(until: "111222").contains("Connection: close\r\n"))
            #expect(client.isClosed())
        }
    }

    @Test func aFailedStreamHasNoLastChunk() throws {
        try withClient(handler: stream(1, fails: true)) { _, client throws in
            client.ask("/")
            #expect(throws: TestClient.Ended.self) { try client.text(until: "0\r\n\r\n") }
        }
    }

    @Test func nothingIsProducedForAClientThatReadsNothing() throws {
        let made = Counter()
        let configure: (inout Server.Configuration) -> Void = { $0.timeouts.write = .milliseconds(100) }
        try withServer(configure, handler: stream(.max, of: 1 << 20, made: made)) { server, address in
            let client = try TestClient(address, receiveBuffer: 4096)
            client.ask("/")
            eventually { server.statistics.requests == 1 && server.statistics.openConnections == 0 }
            // The pieces that the system's buffers took, and one more.
            #expect(made.value < 20)
            withExtendedLifetime(client) {}
        }
    }
}
