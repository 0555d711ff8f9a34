import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("SIGTERM under load", .onThreadsForPrograms)
struct DrainingTests {
    static let clients = Int(ProcessInfo.processInfo.environment["ROLLCALL_TEST_CLIENTS"] ?? "") ?? 12

    @Test func noRequestIsLost() throws {
        let program = try RollcallProcess.demo(users: 100)
        let port = program.port
        let load = Load(clients: Self.clients, target: "/fragment?per_page=1") { try Connection(port: port) }
        try load.waitForAnswers(500)
        #expect(program.stop() == 0)
        let count = load.wait()
        #expect(count.lost == 0 && count.wrong.isEmpty, "\(count)")
    }

    @Test func runningAndQueuedSearchesGetResponses() throws {
        // The time they take does not matter here.
        let program = try RollcallProcess.demo(users: 20_000, ["--cache-size", "0", "--drain-timeout", "600"])
        let connections = try (0..<24).map { _ in try Connection(port: program.port) }
        for (index, connection) in connections.enumerated() {
            let request = "GET /fragment?q=a%20e&sort=name&per_page=\(index + 1) HTTP/1.1\r\nHost: a\r\n\r\n"
            try connection.write(Array(request.utf8))
        }
        program.program.send(SIGTERM)
        for connection in connections {
            #expect(try Exchange(readFrom: connection).status == 200)
            connection.close()
        }
        #expect(program.program.wait() == 0)
    }

    @Test func readinessEndsBeforeListeningStops() throws {
        let program = try RollcallProcess.demo(users: 10, ["--drain-delay", "600"])
        #expect(try Exchange(port: program.port, target: "/readyz").status == 200)
        program.program.send(SIGTERM)
        try eventually("/readyz is 503") { try Exchange(port: program.port, target: "/readyz").status == 503 }
        #expect(try Exchange(port: program.port, target: "/").status == 200)
        #expect(try Exchange(port: program.port, target: "/healthz").status == 200)
        // A second signal ends the server at once.
        #expect(program.stop(SIGINT) == 128 + SIGINT)
    }

    /// Otherwise the program would be killed a minute later.
    @Test func aSignalRightAfterReadinessIsHandled() throws {
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGTERM] {
            #expect(try RollcallProcess.demo(users: 1).stop(signal) == 0)
        }
    }

    /// The shell and the system may send one each when a terminal closes.
    @Test func aSecondHangupDoesNotEndTheServerAtOnce() throws {
        let program = try RollcallProcess.demo(users: 1, ["--drain-delay", "600"])
        program.program.send(SIGHUP)
        try eventually("/readyz is 503") { try Exchange(port: program.port, target: "/readyz").status == 503 }
        for _ in 0..<2 {
            program.program.send(SIGHUP)
            #expect(try Exchange(port: program.port, target: "/").status == 200)
        }
        #expect(program.stop(SIGTERM) == 128 + SIGTERM)
    }

    @Test func aHangupIsIgnoredUnderNohup() throws {
        let program = try Program(
            Program.find("nohup"), [binary(), "demo", "--users", "1", "--port", "0", "--drain-delay", "600"])
        let port = try program.port(after: "http://127.0.0.1:")
        program.send(SIGHUP)
        #expect(try Exchange(port: port, target: "/readyz").status == 200)
        program.send(SIGTERM)
        try eventually("/readyz is 503") { try Exchange(port: port, target: "/readyz").status == 503 }
        // Only SIGTERM has come; had SIGHUP, it would have ended the server at once.
        #expect(program.isRunning)
        #expect(program.stop(SIGINT) == 128 + SIGINT)
    }
}
