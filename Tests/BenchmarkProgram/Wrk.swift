import Foundation
import TestSupport

/// A load by wrk, on one thread: the other core is the server's.
struct Wrk {
    var connections = 64
    var seconds = 3
    var fields = ["Accept-Encoding: gzip"]
    /// Lua that makes each request; without it all are the same.
    var script: String?

    struct Result {
        var requestsPerSecond: Double
        var cpuMicroseconds: Double
        /// The slowest of a hundred, in milliseconds.
        var slow: Double
    }

    /// Loads `url`, which `server` serves, and counts its CPU time.
    func run(_ url: String, of server: ProcessTree) throws -> Result {
        var arguments = ["-t1", "-c\(connections)", "-d\(seconds)s", "--latency"]
        for field in fields { arguments += ["-H", field] }
        let folder = FileManager.default.temporaryDirectory.appending(path: "wrk-\(UUID().uuidString).lua")
        defer { try? FileManager.default.removeItem(at: folder) }
        if let script {
            try script.write(to: folder, atomically: true, encoding: .utf8)
            arguments += ["-s", folder.path]
        }
        let before = server.cpuSeconds
        let wrk = try Program(Program.find("wrk"), arguments + [url])
        let status = wrk.wait()
        let seconds = server.cpuSeconds - before
        let output = wrk.output
        guard status == 0, !output.contains("Non-2xx"), !output.contains("Socket errors"),
            let requests = number(in: output, /(\d+) requests in/),
            let rate = number(in: output, /Requests\/sec:\s+([\d.]+)/)
        else { throw Failure("wrk \(arguments.joined(separator: " ")) \(url): \(output)\(wrk.errors)") }
        return Result(
            requestsPerSecond: rate, cpuMicroseconds: seconds / requests * 1e6, slow: latency(in: output) ?? .nan)
    }

    private func number(in text: String, _ pattern: Regex<(Substring, Substring)>) -> Double? {
        (try? pattern.firstMatch(in: text)).flatMap { Double($0.output.1) }
    }

    private func latency(in text: String) -> Double? {
        guard let match = try? /99%\s+([\d.]+)(us|ms|s)/.firstMatch(in: text), let value = Double(match.output.1) else {
            return nil
        }
        return value * (match.output.2 == "us" ? 0.001 : match.output.2 == "ms" ? 1 : 1000)
    }
}
