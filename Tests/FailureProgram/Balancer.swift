import Foundation
import TestSupport

/// An HAProxy of the test: one that balances requests between Rollcall servers, or one that only passes bytes on.
final class Balancer {
    let program: Program
    private init(_ text: String, file: String, sockets: [String]) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
        let program = try Program(Program.find("haproxy"), ["-db", "-f", file])
        self.program = program
        try eventually("HAProxy listens") {
            guard program.isRunning else { throw Failure("HAProxy: \(program.errors)") }
            return sockets.allSatisfy { (try? Connection(path: $0).close()) != nil }
        }
    }

    /// Balances requests to `socket` between `servers`, as Documentation/ManyServers.md has it.
    convenience init(socket: String, servers: [RollcallServer], folder: String) throws {
        let lines = servers.map { "    server \($0.name) unix@\($0.socket)" }
        let text = """
            defaults
                mode http
                timeout connect 2s
                timeout client 60s
                timeout server 20s
                option redispatch 1
                retries 3
                retry-on conn-failure empty-response response-timeout 503
            frontend people
                bind unix@\(socket)
                default_backend rollcall
            backend rollcall
                balance roundrobin
                option httpchk GET /readyz
                default-server check inter 500ms fall 2 rise 1
            \(lines.joined(separator: "\n"))

            """
        try self.init(text, file: "\(folder)/balancer.cfg", sockets: [socket])
    }

    /// Passes connections on to PostgreSQL servers. Returns the folders of its sockets, the hosts for URLs.
    static func network(to hosts: [String], folder: String) throws -> (Balancer, hosts: [String]) {
        let folders = hosts.indices.map { "\(folder)/n\($0 + 1)" }
        var text = "defaults\n    mode tcp\n    timeout connect 2s\n    timeout client 10m\n    timeout server 10m\n"
        for (host, folder) in zip(hosts, folders) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            text += """
                listen \(folder.split(separator: "/").last ?? "")
                    bind unix@\(folder)/.s.PGSQL.5432
                    server s unix@\(host)/.s.PGSQL.5432

                """
        }
        let sockets = folders.map { $0 + "/.s.PGSQL.5432" }
        return (try Balancer(text, file: "\(folder)/network.cfg", sockets: sockets), folders)
    }

    /// Passes nothing on, and closes no connection.
    func stall() { program.send(SIGSTOP) }

    func resume() { program.send(SIGCONT) }
}
