import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Takeover by a new version under load", .onThreadsForPrograms)
struct TakeoverTests {
    private static let clients = DrainingTests.clients

    /// Starts `next` while `old` is under load, stops `old`, and returns what the clients observed.
    private func replace(
        _ old: RollcallProcess, by next: () throws -> RollcallProcess,
        connect: @escaping @Sendable () throws -> Connection
    ) throws -> Load.Count {
        let load = Load(clients: Self.clients, target: "/fragment?per_page=1", connect: connect)
        try load.waitForAnswers(300)
        let new = try next()
        try load.waitForAnswers(100)
        #expect(old.stop() == 0)
        try load.waitForAnswers(300)
        let count = load.finish()
        #expect(new.stop() == 0)
        return count
    }

    @Test func handingOverSocketsLosesNothing() throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        func start() throws -> RollcallProcess {
            try RollcallProcess(["demo", "--users", "100"], sockets: [listener.descriptor])
        }
        let count = try replace(start(), by: start) { [port = listener.port] in try Connection(port: port) }
        #expect(count.refused == 0 && count.lost == 0 && count.lostAtFirst == 0 && count.wrong.isEmpty, "\(count)")
    }

    @Test func replacingAUnixSocketLosesNothing() throws {
        let path = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"
        func start() throws -> RollcallProcess {
            try RollcallProcess(["demo", "--users", "100", "--reuse-port", "--unix-socket", path])
        }
        let count = try replace(start(), by: start) { try Connection(path: path) }
        #expect(count.refused == 0 && count.lost == 0 && count.lostAtFirst == 0 && count.wrong.isEmpty, "\(count)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// The system may reset a few new connections that reach a socket while it is being closed; see Server.md.
    @Test func sharingAPortRefusesNobodyAndKeepsOpenConnections() throws {
        let first = try RollcallProcess.demo(users: 100, ["--reuse-port"])
        let port = first.port
        let second = { try RollcallProcess(["demo", "--users", "100", "--reuse-port", "--port", "\(port)"]) }
        let count = try replace(first, by: second) { try Connection(port: port) }
        #expect(count.refused == 0 && count.lost == 0 && count.wrong.isEmpty, "\(count)")
        #expect(count.lostAtFirst <= Self.clients, "\(count)")
    }

    @Test func aPortIsNotSharedByDefault() throws {
        let first = try RollcallProcess.demo(users: 10)
        let second = try run(binary(), ["demo", "--users", "1", "--port", "\(first.port)", "--reuse-port"]).expect(1)
        #expect(second.error.hasSuffix("the port is in use; --port chooses another one, 0 any free one\n"), "\(second)")
    }

    @Test func tcpAndUnixSocketsMayBeHandedOverTogether() throws {
        let listener = try LoopbackListener()
        let path = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"
        let local = try LoopbackListener(path: path)
        defer {
            listener.close()
            local.close()
            unlink(path)
        }
        let program = try RollcallProcess(["demo", "--users", "10"], sockets: [listener.descriptor, local.descriptor])
        #expect(
            program.output.contains("http://127.0.0.1:\(listener.port)/ and unix:\(path)")
                || program.output.contains("\(listener.port) and unix:\(path)"))
        #expect(try Exchange(port: listener.port, target: "/healthz").status == 200)
        let connection = try Connection(path: path)
        #expect(try Exchange(on: connection, target: "/healthz").status == 200)
        connection.close()
        #expect(program.stop() == 0)
        // The socket file belongs to the process that created it.
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func anAddressThatAPassedSocketOverridesIsNamed() throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let program = try RollcallProcess(
            ["demo", "--users", "1", "--hostname", "127.0.0.1"], environment: ["ROLLCALL_PORT": "8080"],
            sockets: [listener.descriptor])
        #expect(program.stop() == 0)
        let lines = program.errors.split(separator: "\n").filter { $0.contains("systemctl edit rollcall.socket") }
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains("--port, --hostname (in the environment: ROLLCALL_PORT)") == true, "\(lines)")
    }

    @Test func aDescriptorThatDoesNotListenIsNamed() throws {
        try Program(
            URL(filePath: "/bin/sh"), ["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" demo --users 1", binary()],
            descriptors: [STDIN_FILENO]
        ).result().expect(1, error: "descriptor 3 is not a listening stream socket")
    }
}
