import ArgumentParser
import Base
import Foundation
import Server

/// Listening sockets that the parent process passes to this program. The parent keeps listening while one version of
/// the program ends and the next one starts. The protocol is systemd's, sd_listen_fds(3).
struct SocketActivation {
    /// The sockets that all serve the same site.
    private(set) var site: [Server.Address] = []
    /// The sockets named `metrics`, which serve metrics alone.
    private(set) var metrics: [Server.Address] = []

    /// The first passed descriptor, SD_LISTEN_FDS_START.
    private static let first: Int32 = 3
    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// Takes the sockets passed to this process, if any.
    static func take() throws -> SocketActivation {
        // Child processes must not take the sockets for their own.
        defer { for name in variables { SystemValues.unset(name) } }
        return try SocketActivation(ProcessInfo.processInfo.environment, process: getpid())
    }

    private init(_ environment: [String: String], process: pid_t) throws {
        guard let owner = environment["LISTEN_PID"], let count = environment["LISTEN_FDS"] else { return }
        guard let owner = pid_t(owner), let count = Int32(count), (0...1024).contains(count) else {
            throw ValidationError(
                "expected whole numbers in LISTEN_PID and LISTEN_FDS, found “\(owner)” and “\(count)”")
        }
        guard owner == process else { return }
        let names = environment["LISTEN_FDNAMES"].map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        try expect(
            names == nil || names?.count == Int(count),
            """
            expected a name for each of \(count) sockets in LISTEN_FDNAMES, found \
            “\(environment["LISTEN_FDNAMES"] ?? "")”
            """)
        for index in 0..<count {
            let address = Server.Address.descriptor(Self.first + index)
            if names?[Int(index)] == "metrics" { metrics.append(address) } else { site.append(address) }
        }
    }
}
