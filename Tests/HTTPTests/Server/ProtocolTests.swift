import Foundation
import Server
import Testing

/// Refusals, bodies and persistence are cases of `Tests/Corpus`, which `CorpusTests` sends.
@Suite("Requests and responses over a socket")
struct ProtocolTests {
    @Test func aConnectionServesSeveralRequests() throws {
        try withClient { server, client throws in
            for number in 0..<10 { #expect(try client.get("/\(number)").text == "/\(number)") }
            #expect(server.statistics.acceptedConnections == 1)
            #expect(server.statistics.requests == 10)
        }
    }

    @Test func pipelinedRequestsGetResponsesInOrder() throws {
        try withClient { _, client throws in
            client.send((0..<2000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for number in 0..<2000 { #expect(try client.answer().text == "/\(number)") }
        }
    }

    @Test func bytesMayArriveOneByOne() throws {
        try withClient { _, client throws in
            for byte
                in "POST / HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: a\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /y HTTP/1.1\r\nHost: a\r\n\r\n"
            {
                client.send(String(byte))
            }
            #expect(try client.answer().status == 405)
            #expect(try client.answer().text == "/x")
            #expect(try client.answer().text == "/y")
        }
    }

    @Test func continueIsSentToClientsThatExpectIt() throws {
        try withClient { _, client throws in
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.answer().status == 100)
            client.send("abc")
            #expect(try client.answer().text == "/a")
            client.send("GET /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc")
            #expect(try client.answer().text == "/b")
        }
    }

    @Test func aHalfClosedConnectionGetsItsResponses() throws {
        try withClient { _, client throws in
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /inc")
            client.endSending()
            #expect(try client.answer().text == "/a")
            #expect(try client.answer().text == "/b")
            #expect(client.isClosed())
        }
    }

    @Test func aResetHarmsNobody() throws {
        try withServer(handler: big) { server, address in
            for target in ["/", "/big"] {
                let client = try TestClient(address, receiveBuffer: 4096)
                client.ask("\(target)", "/big")
                _ = try? client.answer(hasBody: false)
                client.reset()
            }
            eventually { server.statistics.openConnections == 0 }
            #expect(try TestClient(address).get("/x").text == "/x")
        }
    }

    @Test func aSlowReaderDelaysOnlyItsOwnResponse() throws {
        try withServer({ $0.eventLoops = 1 }, handler: big) { _, address in
            let slow = try TestClient(address, receiveBuffer: 4096)
            slow.ask("/big", "/after")
            let other = try TestClient(address)
            for number in 0..<20 { #expect(try other.get("/\(number)").text == "/\(number)") }
            #expect(try slow.answer().body.count == bigCount)
            #expect(try slow.answer().text == "/after")
        }
    }

    @Test func aFloodOfRequestsMeetsBackPressure() throws {
        try withServer { server, address in
            let client = try TestClient(address, receiveBuffer: 4096)
            let request = "GET /\(String(repeating: "a", count: 4000)) HTTP/1.1\r\nHost: a\r\n\r\n"
            // Sending and receiving are independent of each other.
            nonisolated(unsafe) let sender = client
            Thread.detachNewThread {
                sender.send(String(repeating: request, count: 3000))
                sender.endSending()
            }
            for _ in 0..<3000 { #expect(try client.answer().body.count == 4001) }
            #expect(client.isClosed())
            #expect(server.statistics.requests == 3000)
        }
    }

    @Test func unixSocketsAreServedAndStaleOnesAreReplaced() throws {
        let path = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"
        for _ in 0..<2 {
            try withServer({ $0.addresses = [.unix(path: path)] }) { _, address in
                #expect(address == .unix(path: path))
                let answer = try TestClient(address).get("/u")
                #expect(answer.text == "/u")
                let second = Server(
                    configuration: .init(addresses: [address]), application: TestApplication(handler: echo))
                _ = #expect(throws: ServerError.self) { try second.start() }
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aPortInUseIsNamed() throws {
        try withServer { _, address in
            guard case .tcp(_, let port) = address else { return }
            let error = #expect(throws: ServerError.self) {
                try withServer({ $0.addresses = [.tcp(port: port)] }) { _, _ in }
            }
            #expect(error?.description == "cannot listen on 127.0.0.1:\(port): the port is in use")
            #expect(error?.isPortTaken == true)
        }
    }

    @Test(arguments: ["*", "localhost", "127.0.0.1"])
    func hostnamesAreAccepted(_ hostname: String) throws {
        try withServer({ $0.addresses = [.tcp(hostname: hostname, port: 0)] }) { _, address in
            let answer = try TestClient(address).get("/x")
            #expect(answer.text == "/x")
            #expect(address.description.hasPrefix("http://\(hostname):"))
        }
    }

    @Test(arguments: [
        Server.Address.tcp(hostname: "a..b", port: 0), .tcp(port: 70000), .unix(path: "/nowhere/x"),
        .unix(path: "/etc/passwd"),
    ])
    func invalidAddressesAreRejected(_ address: Server.Address) {
        #expect(throws: ServerError.self) { try withServer({ $0.addresses = [address] }) { _, _ in } }
    }
}

let bigCount = 4 << 20
private let bigBody = Response.Body([UInt8](repeating: 98, count: bigCount))

/// Responds to `/big` with 4 MiB, and to any other target with the target.
let big: @Sendable (Request) -> Reply = { request in
    String(request.path) == "/big" ? .now(Response(body: bigBody)) : echo(request)
}
