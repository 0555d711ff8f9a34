import Foundation
import TestSupport

/// Another server that sends the same bytes as Rollcall, in the same run.
struct Peer {
    let name: String
    let port: Int
    let program: Program

    var url: String { "http://127.0.0.1:\(port)" }
    var processes: ProcessTree { ProcessTree(root: program.processID) }

    /// Writes the files that the peer serves, the gzipped body and the header fields as lines, and starts it at a port
    /// that nobody listens on. Waits until it responds.
    private init(
        _ name: String, _ answers: [String: Exchange], in folder: URL, start: (_ port: Int) throws -> Program
    ) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, answer) in answers {
            // `gzip_static always` sends the file with this extension; the uncompressed file need not exist.
            try Data(answer.body).write(to: folder.appending(path: path + ".gz"))
            let lines = answer.otherFields.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
            try lines.write(to: folder.appending(path: path + ".fields"), atomically: true, encoding: .utf8)
        }
        // These servers cannot report a port that they chose themselves.
        let port = try freePort(), program = try start(port)
        (self.name, self.port, self.program) = (name, port, program)
        try program.wait(until: "\(name) responds") { (try? Exchange(port: port, target: "/")) != nil }
        guard program.isRunning else { throw Failure("\(name) does not respond: \(program.errors)") }
    }

    /// nginx with one worker per core, configured for speed: compressed files, kept open, no log.
    static func nginx(_ answers: [String: Exchange], in folder: URL) throws -> Peer {
        let locations = answers.map { path, answer in
            let fields = answer.otherFields.map { name, value in
                "add_header \(name) \"\(value.replacingOccurrences(of: "\"", with: "\\\""))\";"
            }
            let type = (answer.fields["content-type"] ?? "text/html").prefix { $0 != ";" }
            return "location = /\(path) { default_type \(type); \(fields.joined(separator: " ")) }"
        }
        return try Peer("nginx", answers, in: folder) { port in
            let configuration = """
                worker_processes \(ProcessInfo.processInfo.activeProcessorCount); daemon off; pid nginx.pid;
                error_log stderr; worker_rlimit_nofile 20000;
                events { worker_connections 16384; }
                http {
                    access_log off; sendfile off; open_file_cache max=100; keepalive_requests 100000000; server_tokens off;
                    keepalive_timeout 600; types { } charset utf-8; charset_types *;
                    server {
                        listen 127.0.0.1:\(port) backlog=4096; root \(folder.path); gzip_static always; gzip_vary on;
                        \(locations.joined(separator: "\n            "))
                    }
                }

                """
            let file = folder.appending(path: "nginx.conf")
            try configuration.write(to: file, atomically: true, encoding: .utf8)
            return try Program(Program.find("nginx"), ["-p", folder.path, "-c", file.path])
        }
    }

    /// The cost of the kernel alone, reading a request and sending these bytes; Node's `http` module, one process per
    /// core; Hummingbird 2, configured as in its README. `Tests/benchmarks --peers` builds the first and the last.
    static let others = [
        (name: "C, which parses nothing", command: [source("swift/.build/floor")]),
        ("Node", ["/usr/bin/env", "node", source("node.js")]), ("Hummingbird", [source("swift/.build/release/peer")]),
    ]

    /// Starts one of the others.
    init(_ name: String, _ command: [String], _ answers: [String: Exchange], in folder: URL) throws {
        try self.init(name, answers, in: folder) { port in
            try Program(URL(filePath: command[0]), command.dropFirst() + [folder.path, "\(port)"])
        }
    }

    private static func source(_ path: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/\(path)").path
    }
}

extension Exchange {
    /// Fields that every server generates by itself.
    private static let ownFields: Set = [
        "date", "server", "connection", "keep-alive", "content-length", "content-encoding", "content-type", "etag",
        "last-modified", "vary", "accept-ranges",
    ]

    /// The fields that another server must be configured to send.
    fileprivate var otherFields: [String: String] { fields.filter { !Self.ownFields.contains($0.key) } }
}
