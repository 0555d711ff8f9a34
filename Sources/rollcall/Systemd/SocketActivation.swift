import ArgumentParser
import Foundation
import HTTPServer

/// Sockets that are handed over open: whoever starts this program listens for it, and goes on doing so while one version of it
/// ends and the next one starts. The protocol is that of systemd, sd_listen_fds(3).
enum SocketActivation {
    /// Descriptors are counted from here.
    private static let first: Int32 = 3

    /// The sockets, if any are for this process. All serve the same site, so their names (`LISTEN_FDNAMES`) do not matter.
    static func addresses() throws -> [Server.Address] {
        let environment = ProcessInfo.processInfo.environment
        // What this program starts must not take them for its own.
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        return try addresses(environment, process: getpid())
    }

    static func addresses(_ environment: [String: String], process: pid_t) throws -> [Server.Address] {
        guard let owner = environment["LISTEN_PID"], let count = environment["LISTEN_FDS"] else { return [] }
        guard let owner = pid_t(owner), let count = Int32(count), (0...1024).contains(count) else {
            throw ValidationError(
                "expected whole numbers in LISTEN_PID and LISTEN_FDS, found “\(owner)” and “\(count)”")
        }
        guard owner == process else { return [] }
        return (0..<count).map { .descriptor(first + $0) }
    }
}
