import Foundation
import TestDatabases
import TestSupport

/// The servers that receive the same bytes, each on a free port of this machine. They stop with this object.
final class Peers {
    let files: CorpusFiles
    let rollcall: RollcallProcess
    let nginx: Program
    let node: Program
    let ports: [(name: String, port: Int)]

    init() throws {
        files = try CorpusFiles()
        rollcall = try RollcallProcess.demo(users: 100, ["--public", files.folder.path])
        let nginxPort = try freePort()
        nginx = try Self.startNginx(on: nginxPort, files.folder.path)
        node = try Program(Program.find("node"), ["-e", Self.nodeServer])
        ports = [
            ("Rollcall", rollcall.port), ("nginx", nginxPort), ("Node.js", try node.port(after: "http://127.0.0.1:")),
        ]
        for (name, port) in ports {
            try eventually("\(name) responds") { (try? Exchange(port: port, target: "/probe.txt").text) == "probe" }
        }
    }

    deinit {
        nginx.stop()
        node.stop()
        rollcall.stop()
    }

    /// Starts nginx with Rollcall's limits, as far as they can be set.
    private static func startNginx(on port: Int, _ folder: String) throws -> Program {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/nginx-\($0);"
        }
        let configuration = """
            daemon off; master_process off; pid \(folder)/nginx.pid; error_log /dev/null;
            events { worker_connections 1024; }
            http {
                access_log off; \(paths.joined(separator: " "))
                types { text/plain txt; text/html html; }
                large_client_header_buffers 4 16k; client_max_body_size 64k;
                server { listen 127.0.0.1:\(port); root \(folder); }
            }
            """
        let file = "\(folder)/nginx.conf"
        try Data(configuration.utf8).write(to: URL(filePath: file))
        return try Program(Program.find("nginx"), ["-c", file, "-p", folder])
    }

    /// A server that accepts the same methods as Rollcall, and reads bodies to their end.
    private static let nodeServer = """
        const server = require('node:http').createServer({ maxHeaderSize: 16384 }, (request, response) => {
          const isTaken = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
          const body = request.url == '/probe.txt' ? 'probe' : 'home';
          request.resume().on('end', () =>
            response.writeHead(isTaken ? 200 : 405, { 'Content-Length': body.length }).end(body));
        });
        server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
        """
}
