import Foundation
import TestSupport

/// Measures how long servers show the state before an import.
struct Visibility {
    let people: People
    let database: String

    /// Returns the seconds from the end of each of some imports of one more person until both of two servers show it.
    func delays(rounds: Int) throws -> [Double] {
        let servers = try (0..<2).map { _ in try RollcallProcess(["serve", "--database", database]) }
        defer { for server in servers { server.stop() } }
        let connections = try servers.map { try Connection(port: $0.port) }
        defer { for connection in connections { connection.close() } }
        let file = FileManager.default.temporaryDirectory.appending(path: "visibility-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        return try (1...rounds).map { round in
            let person = #"{"id":\#(people.lastID + Int64(round)),"login":"new-\#(round)"}"#
            try Data((person + "\n").utf8).write(to: file)
            let program = try Program(
                RollcallProcess.executable(),
                ["import", "file", file.path, "--directory", "people", "--database", database])
            guard program.wait() == 0 else { throw Failure("the import failed: \(program.errors)") }
            let start = ContinuousClock.now
            for connection in connections {
                let total = "\(people.count + round)"
                while try connection.get("/fragment?per_page=1").fields["x-total-count"] != total {
                    guard ContinuousClock.now - start < .seconds(30) else { throw Failure("an import is not shown") }
                }
            }
            return (ContinuousClock.now - start) / .seconds(1)
        }
    }
}
