import Foundation
import TestSupport
import Testing

@Suite("Too many connections")
struct ConnectionLimitTests {
    /// `ROLLCALL_TEST_CONNECTIONS=10000` for the default of the program.
    private static let limit = Int(ProcessInfo.processInfo.environment["ROLLCALL_TEST_CONNECTIONS"] ?? "") ?? 400

    @Test func theNextGets503AndTheOthersAreServed() throws {
        let program = try RollcallProcess.demo(users: 10, ["--max-connections", "\(Self.limit)"])
        let idle = program.program.residentKiB
        let connections = try (0..<Self.limit).map { _ in try Connection(port: program.port) }
        #expect(try Exchange(on: connections[0], target: "/").status == 200)
        try eventually("all are accepted") { program.program.openDescriptors > Self.limit }
        for _ in 0..<20 {
            let refused = try Connection(port: program.port)
            defer { refused.close() }
            let answer = try Exchange(readFrom: refused)
            #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
        }
        #expect(try Exchange(on: connections[Self.limit - 1], target: "/").status == 200)
        if Self.limit > 1000 { print("\(Self.limit) connections: \(program.program.residentKiB - idle) KiB more") }
        for connection in connections { connection.close() }
        try eventually("there is room again") {
            let connection = try Connection(port: program.port)
            defer { connection.close() }
            return (try? Exchange(on: connection, target: "/").status) == 200
        }
    }

    @Test func aLowLimitOfOpenFilesIsToldAtTheStartAndKept() throws {
        let program = try Program(
            URL(filePath: "/bin/sh"),
            ["-c", "ulimit -n 200; exec \"$0\" \"$@\"", binary(), "demo", "--users", "10", "--port", "0"])
        let port = try program.port(after: "http://127.0.0.1:")
        #expect(program.errors.contains("at most 88 connections at a time, not 10000"), "\(program.errors)")
        let connections = try (0..<88).map { _ in try Connection(port: port) }
        let refused = try Connection(port: port)
        #expect(try Exchange(readFrom: refused).status == 503)
        for connection in connections + [refused] { connection.close() }
        program.stop()
    }

    /// The system's own table of files may be full, or the limit be lowered while the server runs.
    @Test func withoutDescriptorsItServesWhomItHasAndThenAcceptsAgain() throws {
        let rollcall = try RollcallProcess.demo(users: 10)
        let program = rollcall.program
        let first = try Connection(port: rollcall.port)
        #expect(try Exchange(on: first, target: "/").status == 200)
        let number = "\(program.processID)"
        #expect(try run("prlimit", ["--pid", number, "--nofile=\(program.openDescriptors + 5):"]).status == 0)
        let waiting = try (0..<20).map { _ in try Connection(port: rollcall.port) }
        try eventually("it runs out of descriptors") { program.errors.contains("cannot accept connections") }
        let ticks = program.ticks
        for _ in 0..<50 {
            #expect(try Exchange(on: first, target: "/").status == 200)
            Thread.sleep(forTimeInterval: 0.01)
        }
        // Half a second and more: a loop that tried all the time would have used it up.
        #expect(program.ticks - ticks < 25)
        #expect(program.errors.components(separatedBy: "cannot accept").count == 2)
        for connection in waiting.prefix(15) { connection.close() }
        for connection in waiting.suffix(5) {
            #expect(try Exchange(on: connection, target: "/").status == 200)
            connection.close()
        }
        try eventually("it says that it accepts again") { program.errors.contains("accepts connections again") }
        first.close()
        #expect(rollcall.stop() == 0)
    }
}
