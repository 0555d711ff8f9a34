import ArgumentParser
import Foundation

/// What started this program and wants to hear how it does: systemd, or another that speaks sd_notify(3).
struct SystemdNotifier: Sendable {
    /// How often it must hear that all is well; `nil` where it does not ask.
    let watchdogInterval: Duration?
    private let socketPath: String

    /// From the environment; `nil` if nobody wants to hear.
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

    /// Tells it, as in `READY=1`. Nothing depends on whether that arrives.
    func tell(_ lines: String...) {
        let kind = SOCK_DGRAM
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, kind, 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // `@` stands for the zero byte that begins an abstract name.
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
