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
    init() throws {
        // Child processes must not take the sockets for their own.
        defer { for name in Self.variables { SystemValues.unset(name) } }
        let values = Self.variables.map(SystemValues.variable)
        guard let owner = values[0], let count = values[1] else { return }
        guard let owner = pid_t(owner), let count = Int(count), (0...1024).contains(count) else {
            throw ValidationError(
                "expected whole numbers in LISTEN_PID and LISTEN_FDS, found “\(owner)” and “\(count)”")
        }
        guard owner == getpid() else { return }
        let names = values[2]?.split(separator: ":", omittingEmptySubsequences: false)
        try expect(
            names == nil || names?.count == count,
            "expected a name for each of \(count) sockets in LISTEN_FDNAMES, found “\(values[2] ?? "")”")
        for index in 0..<count {
            let address = Server.Address.descriptor(Self.first + Int32(index))
            if names?[index] == "metrics" { metrics.append(address) } else { site.append(address) }
        }
    }
}
