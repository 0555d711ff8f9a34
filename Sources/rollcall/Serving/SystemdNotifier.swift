import ArgumentParser
import Base
import Foundation

/// Reports the state of the program to systemd, or to another supervisor that speaks sd_notify(3).
struct SystemdNotifier: Sendable {
    /// The longest interval between two keep-alive messages; `nil` if the supervisor expects none.
    let watchdogInterval: Duration?
    private let socketPath: String

    /// Reads the environment; `nil` if no supervisor expects messages.
    init?() throws {
        guard let path = SystemValues.variable("NOTIFY_SOCKET"), !path.isEmpty else { return nil }
        try expect(
            ["/", "@"].contains(path.first) && path.utf8.count < SystemValues.socketNameLimit,
            "expected the path of a unix socket in NOTIFY_SOCKET, found “\(path)”")
        socketPath = path
        let watched = SystemValues.variable("WATCHDOG_PID")
        let microseconds = Int64(SystemValues.variable("WATCHDOG_USEC") ?? "") ?? 0
        let isExpected = microseconds > 0 && [nil, "\(getpid())"].contains(watched)
        watchdogInterval = isExpected ? .microseconds(microseconds) : nil
    }

    /// Sends the message of these lines, such as `READY=1`. Errors are ignored.
    func tell(_ lines: String...) {
        // `@` stands for the zero byte at the start of an abstract socket name.
        let name = socketPath.hasPrefix("@") ? [0] + socketPath.utf8.dropFirst() : Array(socketPath.utf8)
        SystemValues.send(lines.joined(separator: "\n"), toSocket: name)
    }
}
