import Foundation
import TestDatabases
import TestSupport
import Testing

/// Many peers that do harm, slowly or fast, while an ordinary client reads. `ROLLCALL_TEST_PEERS=5000` raises their
/// number, as far as the limit of open files allows, and prints the cost.
@Suite("Slow and hostile peers", .serialized, .onThreadsForPrograms)
struct HostilePeerTests {
    static let peers = Int(ProcessInfo.processInfo.environment["ROLLCALL_TEST_PEERS"] ?? "") ?? 200
    static let isMeasured = ProcessInfo.processInfo.environment["ROLLCALL_TEST_PEERS"] != nil
    private let rollcall: RollcallProcess
    private let before: (sockets: Int, memory: Int, ticks: Int)

    init() throws {
        rollcall = try .demo(users: 300, ["--idle-timeout", "2", "--cache-size", "1"])
        let sockets = rollcall.program.openSockets
        // Requests everything that is created once, before anything is measured.
        for target in ["/", "/?per_page=100", "/fragment?q=a", "/nothing"] {
            _ = try Exchange(port: rollcall.port, target: target)
        }
        let program = rollcall.program
        try eventually("these connections are closed") { program.openSockets == sockets }
        before = (sockets, program.residentKiB, program.ticks)
    }

    private func connect() throws -> TestSupport.Connection { try Connection(port: rollcall.port) }

    /// Opens many connections. Each sends as soon as it is connected, because the server closes one that is silent for
    /// two seconds.
    private func connectAll(
        _ count: Int = peers, receiveBuffer: Int32? = nil, sending bytes: [UInt8]
    ) throws -> [TestSupport.Connection] {
        try (0..<count).map { _ in
            let peer = try Connection(port: rollcall.port, receiveBuffer: receiveBuffer)
            _ = peer.writeWhatFits(bytes)
            return peer
        }
    }

    /// Checks that an ordinary client is served.
    private func expectService() throws {
        for target in ["/", "/fragment?since=10", "/fragment?q=a", "/readyz"] {
            #expect(try Exchange(port: rollcall.port, target: target).status == 200)
        }
    }

    /// Checks that the server is as before: no descriptor is left over, and no more memory than buffers take.
    private func expectCalm(
        _ what: String, withinKiB growth: Int = 24 << 10, closing peers: [TestSupport.Connection] = []
    ) throws {
        let program = rollcall.program
        let peak = program.residentKiB
        for peer in peers { peer.close() }
        try eventually("\(what): all connections are closed") { program.openSockets == before.sockets }
        try expectService()
        #expect(peak - before.memory < growth, "\(what): from \(before.memory) to \(peak) KiB")
        if Self.isMeasured {
            let (memory, ticks) = (program.residentKiB, program.ticks - before.ticks)
            print("\(what): CPU \(ticks * 10) ms; memory \(before.memory), at most \(peak), then \(memory) KiB")
        }
        #expect(rollcall.stop() == 0)
    }

    @Test func aSlowHeadGets408() throws {
        let peers = try connectAll(sending: Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8))
        for _ in 0..<5 {
            for peer in peers { _ = peer.writeWhatFits([120]) }
            try expectService()
        }
        for peer in peers {
            #expect(try Exchange(readFrom: peer).status == 408)
            peer.close()
        }
        try expectCalm("head drip")
    }

    @Test func slowBodiesAreHarmless() throws {
        let start = "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"
        let peers = try connectAll(sending: Array(start.utf8))
        for _ in 0..<5 {
            for peer in peers { _ = peer.writeWhatFits([120]) }
            try expectService()
        }
        try expectCalm("body drip", closing: peers)
    }

    @Test func clientsThatReadNothingHoldLittle() throws {
        let request = Array("GET /?per_page=100 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n".utf8)
        // More than the system's own buffers of a connection hold.
        let requests = Array([[UInt8]](repeating: request, count: 60).joined())
        let peers = try connectAll(receiveBuffer: 4096, sending: requests)
        try expectService()
        // Each connection holds its requests; the responses share the cached bytes.
        try expectCalm("readers that take nothing", withinKiB: (24 << 10) + Self.peers * 20, closing: peers)
    }

    @Test func floodsOfPipelinedRequestsMeetBackPressure() throws {
        let flood = Array(String(repeating: "GET /style.css HTTP/1.1\r\nHost: a\r\n\r\n", count: 50_000).utf8)
        let peers = try connectAll(Self.peers / 10, receiveBuffer: 4096, sending: flood)
        for _ in 0..<2 {
            try expectService()
            for peer in peers { _ = peer.writeWhatFits(flood) }
        }
        try expectService()
        try expectCalm("pipelining floods", closing: peers)
    }

    @Test func aHalfClosedConnectionGetsItsResponse() throws {
        let peers = try connectAll(sending: Array("GET /fragment?per_page=1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        for peer in peers { peer.endWriting() }
        for peer in peers {
            #expect(try Exchange(readFrom: peer).status == 200)
            #expect(try peer.read().isEmpty)
            peer.close()
        }
        try expectCalm("half-close")
    }

    @Test func resetsAtEveryStageAreHarmless() throws {
        let search = "GET /fragment?q=a&sort=name HTTP/1.1\r\nHost: a\r\n\r\n"
        for start in ["", "GET / HT", "GET / HTTP/1.1\r\nContent-Length: 5\r\nHost: a\r\n\r\nab", search] {
            for peer in try connectAll(sending: Array(start.utf8)) { peer.reset() }
            try expectService()
        }
        let request = "GET /?per_page=100 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n"
        for _ in 0..<Self.peers {
            let peer = try connect()
            try peer.write(Array(String(repeating: request, count: 40).utf8))
            #expect(try !peer.read().isEmpty)
            peer.reset()
        }
        try expectCalm("resets")
    }

    @Test func shortConnectionsAreHarmless() throws {
        for number in 0..<(Self.peers * 10) {
            let peer = try connect()
            if number % 2 == 0 { try peer.write(Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8)) }
            if number % 3 == 0 { peer.reset() } else { peer.close() }
        }
        try expectService()
        try expectCalm("churn")
    }

    @Test func longQueriesDoNotFillMemory() throws {
        let connection = try connect()
        for number in 0..<(Self.peers * 5) {
            let padding = String(repeating: "x", count: 7900)
            let answer = try Exchange(on: connection, target: "/fragment?per_page=1&x=\(number)\(padding)")
            #expect(answer.status == 200)
        }
        #expect(try Exchange(on: connection, target: "/?" + String(repeating: "a", count: 8000)).status == 414)
        connection.close()
        // A thousand long queries take 8 MiB; the cache keeps one of them.
        try expectCalm("long queries", withinKiB: 8 << 10)
    }
}
