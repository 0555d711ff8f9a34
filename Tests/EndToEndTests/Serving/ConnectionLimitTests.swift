import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Connection limit", .onThreadsForPrograms)
struct ConnectionLimitTests {
    /// A connection that is not idle: the body of its first request has not arrived.
    private func busyConnection(_ port: Int) throws -> Connection {
        let connection = try Connection(port: port)
        try connection.write(Array("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n".utf8))
        return connection
    }

    @Test func aLowLimitOfOpenFilesIsToldAtTheStartAndKept() throws {
        let program = try Program(
            URL(filePath: "/bin/sh"),
            ["-c", "ulimit -n 200; exec \"$0\" \"$@\"", binary(), "demo", "--users", "10", "--port", "0"])
        let port = try program.port(after: "http://127.0.0.1:")
        let told = "at most 66 connections and 22 event streams at a time, not 10000 and 10000"
        #expect(program.errors.contains(told), "\(program.errors)")
        let connections = try (0..<66).map { _ in try busyConnection(port) }
        let refused = try Connection(port: port)
        #expect(try Exchange(readFrom: refused).status == 503)
        for connection in connections + [refused] { connection.close() }
        program.stop()
    }

    /// The system's file table may be full, or the limit may be lowered while the server runs.
    @Test func withoutDescriptorsItKeepsServingAndLaterAcceptsAgain() throws {
        let rollcall = try RollcallProcess.demo(users: 10)
        let program = rollcall.program
        let first = try Connection(port: rollcall.port)
        #expect(try Exchange(on: first, target: "/").status == 200)
        let number = "\(program.processID)"
        #expect(try run("prlimit", ["--pid", number, "--nofile=\(program.descriptorLimit(leaving: 5)):"]).status == 0)
        let waiting = try (0..<60).map { _ in try Connection(port: rollcall.port) }
        try eventually("it runs out of descriptors") { program.errors.contains("cannot accept connections") }
        let ticks = program.ticks
        for _ in 0..<50 {
            #expect(try Exchange(on: first, target: "/").status == 200)
            Thread.sleep(forTimeInterval: 0.01)
        }
        // In more than half a second, a busy loop would have used these ticks up.
        #expect(program.ticks - ticks < 25)
        #expect(program.errors.components(separatedBy: "cannot accept").count == 2)
        for connection in waiting.prefix(55) { connection.close() }
        for connection in waiting.suffix(5) {
            #expect(try Exchange(on: connection, target: "/").status == 200)
            connection.close()
        }
        try eventually("it reports that it accepts again") { program.errors.contains("accepts connections again") }
        first.close()
        #expect(rollcall.stop() == 0)
    }
}
