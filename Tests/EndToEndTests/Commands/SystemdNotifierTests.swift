import Foundation
import TestSupport
import Testing

@Suite("systemd notifications", .onThreadsForPrograms)
struct SystemdNotifierTests {
    @Test(arguments: ["/tmp/rollcall-", "@rollcall-"])
    func itReportsReadinessLivenessAndStopping(_ prefix: String) throws {
        let name = prefix + UUID().uuidString
        let ear = try NoticeSocket(name)
        defer { ear.close() }
        let program = try RollcallProcess(
            ["demo", "--users", "10"], environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "100000"])
        #expect(try ear.next() == "READY=1\nSTATUS=Listening at \(program.url)")
        for _ in 0..<3 { #expect(try ear.next() == "WATCHDOG=1") }
        program.program.send(SIGTERM)
        // Read at once: the system keeps ten messages, and then the program would block.
        var last = try ear.next()
        while last == "WATCHDOG=1" { last = try ear.next() }
        #expect(last == "STOPPING=1\nSTATUS=Finishing the requests in flight")
        #expect(program.program.wait() == 0)
    }

    @Test func aWatchdogOfAnotherProcessIsNotNotified() throws {
        let name = "@rollcall-" + UUID().uuidString
        let ear = try NoticeSocket(name)
        defer { ear.close() }
        let program = try RollcallProcess(
            ["demo", "--users", "10"],
            environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"])
        #expect(try ear.next().hasPrefix("READY=1"))
        program.stop()
        #expect(try ear.next().hasPrefix("STOPPING=1"))
    }

    @Test func anInvalidSocketIsNamed() throws {
        let words = ["demo", "--users", "1", "--port", "0"]
        try run(binary(), words, environment: ["NOTIFY_SOCKET": "nonsense"]).expect(1, error: "NOTIFY_SOCKET")
    }
}
