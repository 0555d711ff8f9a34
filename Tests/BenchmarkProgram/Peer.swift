import Foundation
import TestSupport

/// Another server that sends the same bytes as Rollcall, in the same run.
struct Peer {
    let name: String
    let url: String
    let program: Program

    var processes: ProcessTree { ProcessTree(root: program.processID) }

    /// Writes the files that the peers serve: the gzipped body, and the header fields as lines.
    private static func write(_ answers: [String: Answer], into folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, answer) in answers {
            // `gzip_static always` sends the file with this extension; the uncompressed file need not exist.
            try answer.body.write(to: folder.appending(path: path + ".gz"))
            let lines = answer.otherFields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            try lines.write(to: folder.appending(path: path + ".fields"), atomically: true, encoding: .utf8)
        }
    }

    /// nginx with one worker per core, configured for speed: compressed files, kept open, no log.
    static func nginx(_ answers: [String: Answer], in folder: URL) throws -> Peer {
        try write(answers, into: folder)
        let port = try freePort()
        let locations = answers.map { path, answer in
            let fields = answer.otherFields.map { name, value in
                "add_header \(name) \"\(value.replacingOccurrences(of: "\"", with: "\\\""))\";"
            }
            let type = (answer["Content-Type"] ?? "text/html").prefix { $0 != ";" }
            return "location = /\(path) { default_type \(type); \(fields.joined(separator: " ")) }"
        }
        let configuration = """
            worker_processes \(ProcessInfo.processInfo.activeProcessorCount); daemon off; pid nginx.pid;
            error_log stderr; worker_rlimit_nofile 20000;
            events { worker_connections 16384; }
            http {
                access_log off; sendfile off; open_file_cache max=100; keepalive_requests 100000000; server_tokens off;
                keepalive_timeout 600; types { } charset utf-8; charset_types *;
                server {
                    listen 127.0.0.1:\(port) backlog=4096; root \(folder.path); gzip_static always; gzip_vary on;
                    \(locations.joined(separator: "\n        "))
                }
            }

            """
        let file = folder.appending(path: "nginx.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        let nginx = try Program.find("nginx", "../sbin/nginx")
        let program = try Program(nginx, ["-p", folder.path, "-c", file.path])
        return try Peer(name: "nginx", url: "http://127.0.0.1:\(port)", program: program).whenReady()
    }

    /// Node's `http` module, one process per core.
    static func node(_ answers: [String: Answer], in folder: URL) throws -> Peer {
        try write(answers, into: folder)
        let port = try freePort()
        let program = try Program(Program.find("node"), [Self.source("node.js").path, folder.path, "\(port)"])
        return try Peer(name: "Node", url: "http://127.0.0.1:\(port)", program: program).whenReady()
    }

    /// Hummingbird 2, configured as in its README; built by `Tests/benchmarks --peers`.
    static func hummingbird(_ answers: [String: Answer], in folder: URL) throws -> Peer {
        try write(answers, into: folder)
        let port = try freePort()
        let program = try Program(Self.source("swift/.build/release/peer"), [folder.path, "\(port)"])
        return try Peer(name: "Hummingbird", url: "http://127.0.0.1:\(port)", program: program).whenReady()
    }

    /// The cost of the kernel alone, reading a request and sending these bytes; built by `Tests/benchmarks --peers`.
    static func floor(_ answers: [String: Answer], in folder: URL) throws -> Peer {
        try write(answers, into: folder)
        let port = try freePort()
        let program = try Program(Self.source("swift/.build/floor"), [folder.path, "\(port)"])
        return try Peer(name: "C, which parses nothing", url: "http://127.0.0.1:\(port)", program: program).whenReady()
    }

    private static func source(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/\(path)")
    }

    /// Waits until the server responds.
    private func whenReady() throws -> Peer {
        for _ in 0..<500 {
            if (try? Answer(url)) != nil { return self }
            if !program.isRunning { break }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw Failure("\(name) does not respond: \(program.errors)")
    }

    /// Returns a port that nobody listens on. These servers cannot report a port that they chose themselves.
    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 ? getsockname(socket, address, &length) : -1
            }
        }
        guard status == 0 else { throw Failure("no free port: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
