import Foundation
import Synchronization
import TestSupport

/// Sends every request of `Tests/Corpus` to Rollcall, nginx and Node.js, and prints the differences as Markdown.
///
/// Arguments are names of corpus files; without arguments, all files are sent.
@main
enum Differential {
    /// Node.js has no static files of its own, so it cannot take part in `representations`.
    static let all = [
        "messages", "request-line", "targets", "fields", "framing", "chunked", "connections", "semantics",
        "representations",
    ]

    static func main() throws {
        let chosen = CommandLine.arguments.dropFirst()
        let peers = try Peers()
        for file in chosen.isEmpty ? all : Array(chosen) {
            let cases = try HTTPCase.all(in: file)
            let names = file == "representations" ? Array(peers.ports.prefix(2)) : peers.ports
            let seen = try observe(cases, names).map { file == "representations" ? $0 : $0.map(\.withoutContent) }
            report(file, names.map(\.name), zip(cases, seen).map(Row.init))
        }
    }

    /// Returns each server's outcome for each case. Most of the time is spent waiting for silence, so many cases run in
    /// parallel.
    private static func observe(_ cases: [HTTPCase], _ servers: [(name: String, port: Int)]) throws -> [[Observation]] {
        let etags = try servers.map { try Exchange(port: $0.port, target: "/digits.txt").fields["etag"] ?? "" }
        let seen = Mutex<[Int: [Observation]]>([:])
        let next = Atomic(0)
        let group = DispatchGroup()
        for _ in 0..<24 {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    guard index < cases.count else { return }
                    let row = zip(servers, etags).compactMap { server, etag in
                        try? Observation(of: cases[index].bytes(etag: etag), port: server.port)
                    }
                    seen.withLock { $0[index] = row }
                }
            }
        }
        group.wait()
        return try seen.withLock { seen in
            try cases.indices.map { index in
                guard let row = seen[index], row.count == servers.count else {
                    throw Failure("a server accepted no connection for “\(cases[index])”")
                }
                return row
            }
        }
    }

    private struct Row {
        var item: HTTPCase
        var observations: [Observation]

        init(_ item: HTTPCase, _ observations: [Observation]) { (self.item, self.observations) = (item, observations) }

        /// The most serious difference.
        var difference: Difference? {
            let found = observations.dropFirst().compactMap { $0.difference(from: observations[0]) }
            return Difference.allCases.first { found.contains($0) }
        }
    }

    private static func report(_ file: String, _ names: [String], _ rows: [Row]) {
        let alike = rows.count { $0.difference == nil }
        print("## \(file): \(rows.count) cases, \(alike) with the same outcome everywhere\n")
        for row in rows where row.observations[0].outcome != row.item.outcome {
            print("Not as the corpus says (\(row.item.outcome)): \(row.item): \(row.observations[0].outcome)\n")
        }
        for difference in Difference.allCases {
            let rows = rows.filter { $0.difference == difference }
            guard !rows.isEmpty else { continue }
            print("### \(difference): \(rows.count)\n")
            print("| section | case | \(names.joined(separator: " | ")) |")
            print("|" + String(repeating: " --- |", count: names.count + 2))
            for row in rows {
                let outcomes = row.observations.map(\.outcome.description).joined(separator: " | ")
                print("| \(row.item.section) | \(row.item.name.replacing("|", with: "\\|")) | \(outcomes) |")
            }
            print()
        }
    }
}
