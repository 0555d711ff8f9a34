import Foundation
import TestSupport

/// An nginx of the test's own on a Unix socket: nginx cannot choose a free port itself, and a port found free may be
/// taken by the time nginx listens on it. It ends with the current test.
struct Nginx {
    private let socket = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"

    /// - Parameters:
    ///   - locations: The lines of the server.
    ///   - shared: Lines that stand outside servers.
    init(_ locations: String, shared: String = "", root: String) throws {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(root)/\($0);" }
        let configuration = """
            daemon off; master_process off; pid \(root)/nginx.pid; error_log \(root)/error.log;
            events { }
            http {
                access_log off; types { text/html html; } \(paths.joined(separator: " "))
                \(shared)
                server { listen unix:\(socket); root \(root);
                \(locations)
                }
            }
            """
        let file = "\(root)/nginx.conf"
        try Data(configuration.utf8).write(to: URL(filePath: file))
        nonisolated(unsafe) let program = try Program(Program.find("nginx"), ["-c", file, "-p", root])
        TestScope.atEnd { [socket] _ in
            program.stop()
            unlink(socket)
        }
        try eventually("nginx listens") {
            guard program.isRunning else { throw Failure("nginx: \(program.errors)") }
            return (try? Connection(path: socket).close()) != nil
        }
    }

    func page(_ path: String, _ options: String...) throws -> Exchange { try page(path, options) }

    func page(_ path: String, _ options: [String]) throws -> Exchange {
        try curl(options + ["--unix-socket", socket, "http://localhost\(path)"])
    }

    /// Starts a `curl` that prints a response while it arrives.
    func listen(_ path: String) throws -> Program {
        try Program(
            Program.find("curl"), ["-sSN", "--max-time", "600", "--unix-socket", socket, "http://localhost\(path)"])
    }
}
