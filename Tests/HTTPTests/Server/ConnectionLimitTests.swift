import Foundation
import TestSupport
import Testing

@testable import Server

@Suite("Room for new connections")
struct ConnectionLimitTests {
    /// A connection that is not idle: half of a head has arrived.
    private func busyClient(_ server: Server, _ address: Server.Address) throws -> TestClient {
        let before = server.statistics.bytesIn
        let client = try TestClient(address)
        client.send("GET / HT")
        eventually { server.statistics.bytesIn > before }
        return client
    }

    @Test func theConnectionIdleLongestMakesRoom() throws {
        try withServer({ ($0.limits.maxConnections, $0.eventLoops) = (3, 1) }) { server, address in
            let clients = try (0..<3).map { _ in try TestClient(address) }
            for client in clients { #expect(try client.get("/").status == 200) }
            #expect(try clients[0].get("/again").status == 200)
            let new = try TestClient(address)
            #expect(try new.get("/new").text == "/new")
            #expect(clients[1].isClosed())
            for client in [clients[0], clients[2]] { #expect(try client.get("/").status == 200) }
            #expect(server.gauge.displaced.value == 1 && server.gauge.refused.value == 0)
        }
    }

    @Test func itIsFoundInWhicheverEventLoopItIs() throws {
        try withServer({ ($0.limits.maxConnections, $0.eventLoops) = (4, 4) }) { server, address in
            let busy = try (0..<3).map { _ in try busyClient(server, address) }
            var idle = try TestClient(address)
            #expect(try idle.get("/").status == 200)
            for number in 0..<20 {
                let new = try TestClient(address)
                #expect(try new.get("/\(number)").text == "/\(number)")
                #expect(idle.isClosed())
                idle = new
            }
            for client in busy {
                client.send("TP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test func withoutAnIdleConnectionTheNewOneGets503() throws {
        try withServer({ $0.limits.maxConnections = 2 }) { server, address in
            let busy = try (0..<2).map { _ in try busyClient(server, address) }
            let refused = try TestClient(address)
            let answer = try refused.answer()
            #expect(answer.status == 503 && answer.fields["retry-after"] == "1")
            #expect(refused.isClosed())
            #expect(server.gauge.displaced.value == 0 && server.gauge.refused.value == 1)
            for client in busy {
                client.send("TP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test func aRequestThatHasArrivedIsAnswered() throws {
        let (gate, begun) = (Gate(), Counter())
        let handler = waiting(at: gate, counting: begun)
        let configure: (inout Server.Configuration) -> Void = { ($0.limits.maxConnections, $0.eventLoops) = (2, 1) }
        try withServer(configure, handler: handler) { server, address in
            let (idle, other) = (try TestClient(address), try TestClient(address))
            #expect(try idle.get("/").status == 200)
            other.ask("/busy")
            eventually { begun.value == 1 }
            idle.ask("/a")
            let new = try TestClient(address)
            eventually { server.statistics.acceptedConnections == 3 }
            gate.open()
            #expect(try other.answer().text == "/busy")
            #expect(try idle.answer().text == "/a")
            #expect(try new.get("/new").text == "/new")
        }
    }

    @Test func oneAddressHasNoMoreThanItsShare() throws {
        try withServer({ $0.limits.maxConnectionsPerAddress = 2 }) { server, address in
            let clients = try (0..<2).map { _ in try TestClient(address) }
            for client in clients { #expect(try client.get("/").status == 200) }
            var refused: TestClient? = try TestClient(address)
            let answer = try #require(try refused?.answer())
            #expect(answer.status == 503 && answer.fields["retry-after"] == "1")
            #expect(answer.text.contains("from your address"))
            refused = nil
            clients[0].endSending()
            #expect(clients[0].isClosed())
            eventually { server.statistics.openConnections == 1 }
            #expect(try TestClient(address).get("/").status == 200)
            #expect(try clients[1].get("/").status == 200)
        }
    }

    @Test func aUnixSocketHasNoShare() throws {
        let path = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"
        let configure: (inout Server.Configuration) -> Void = {
            ($0.limits.maxConnectionsPerAddress, $0.addresses) = (1, [.unix(path: path)])
        }
        try withServer(configure) { _, address in
            let clients = try (0..<3).map { _ in try TestClient(address) }
            for client in clients { #expect(try client.get("/").status == 200) }
        }
    }
}

@Suite("Whose share a connection counts for")
struct AddressSharesTests {
    private func peer(_ address: String) throws -> Peer {
        var storage = sockaddr_storage()
        let isShort = !address.contains(":")
        storage.ss_family = sa_family_t(isShort ? AF_INET : AF_INET6)
        let code = withUnsafeMutableBytes(of: &storage) {
            inet_pton(isShort ? AF_INET : AF_INET6, address, $0.baseAddress! + (isShort ? 4 : 8))
        }
        try #require(code == 1)
        return Peer(storage)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "::ffff:192.0.2.2", false),
        ("2001:db8::1", "2001:db8::ffff:1:2:3", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ])
    func addressesOfOneCustomerCountTogether(_ one: String, _ other: String, _ together: Bool) throws {
        #expect(try (peer(one).shareholder == peer(other).shareholder) == together)
    }

    @Test func whatIsGivenBackIsFreeAndForgotten() throws {
        let shares = AddressShares(max: 2)
        let (one, other) = (try peer("192.0.2.1"), try peer("192.0.2.2"))
        #expect(shares.take(one) && shares.take(one) && !shares.take(one) && shares.take(other))
        shares.giveBack(one)
        #expect(shares.take(one) && !shares.take(one))
        for _ in 0..<2 { shares.giveBack(one) }
        shares.giveBack(other)
        #expect(shares.addresses == 0)
    }
}

@Suite("Queue of idle connections")
struct IdleQueueTests {
    @Test func theFirstOfAnyHistoryIsTheOneThatWaitsLongest() {
        var queue = IdleQueue()
        var model: [Int] = []
        var random = SplitMix(walk: 1)
        #expect(queue.first == nil)
        for _ in 0..<RandomWalk.rounds(5000) {
            let slot = Int(random.next() % 40)
            model.removeAll { $0 == slot }
            if random.next() % 3 == 0 {
                queue.remove(slot)
            } else {
                queue.append(slot)
                model.append(slot)
            }
            #expect(queue.first == model.first)
        }
    }
}
