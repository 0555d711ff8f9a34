import ArgumentParser
import Foundation

/// Reports the state of the program to systemd, or to another supervisor that speaks sd_notify(3).
struct SystemdNotifier: Sendable {
    /// The longest interval between two keep-alive messages; `nil` if the supervisor expects none.
    let watchdogInterval: Duration?
    private let socketPath: String

    /// Reads the environment; `nil` if no supervisor expects messages.
    init?(_ environment: [String: String] = ProcessInfo.processInfo.environment, process: pid_t = getpid()) throws {
        guard let path = environment["NOTIFY_SOCKET"], !path.isEmpty else { return nil }
        guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count < Self.maxPathBytes else {
            throw ValidationError("expected the path of a unix socket in NOTIFY_SOCKET, found “\(path)”")
        }
        socketPath = path
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        watchdogInterval = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap {
            isForUs && $0 > 0 ? .microseconds($0) : nil
        }
    }

    /// Sends the message of these lines, such as `READY=1`. Errors are ignored.
    func tell(_ lines: String...) {
        let kind = SOCK_DGRAM
        let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // `@` stands for the zero byte at the start of an abstract socket name.
        let name = socketPath.hasPrefix("@") ? [0] + socketPath.utf8.dropFirst() : Array(socketPath.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - Self.maxPathBytes + name.count)
        let message = Array(lines.joined(separator: "\n").utf8)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, message, message.count, 0, $0, length)
            }
        }
    }

    private static let maxPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
}
