import ArgumentParser
import Foundation
import HTTPServer

/// Listening sockets that the parent process passes to this program. The parent keeps listening while one version of
/// the program ends and the next one starts. The protocol is systemd's, sd_listen_fds(3).
enum SocketActivation {
    /// The first passed descriptor, SD_LISTEN_FDS_START.
    private static let first: Int32 = 3

    /// Returns the sockets passed to this process, if any. All serve the same site, so their names (`LISTEN_FDNAMES`)
    /// do not matter.
    static func addresses() throws -> [Server.Address] {
        let environment = ProcessInfo.processInfo.environment
        // Child processes must not take the sockets for their own.
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
