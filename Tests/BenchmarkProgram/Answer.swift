import Foundation
import TestSupport

/// A response of a running server, as curl received it: the bytes that the other servers must send.
struct Answer {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: Data

    init(_ url: String, _ requestFields: [String] = []) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "answer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (head, body) = (folder.appending(path: "head"), folder.appending(path: "body"))
        let curl = try Program(
            Program.find("curl"),
            ["-s", "-S", "-D", head.path, "-o", body.path, url] + requestFields.flatMap { ["-H", $0] })
        guard curl.wait() == 0 else { throw Failure("curl \(url): \(curl.errors)") }
        let lines = try String(contentsOf: head, encoding: .utf8).split(whereSeparator: \.isNewline)
        guard let line = lines.first, let status = Int(line.split(separator: " ")[1]) else {
            throw Failure("curl \(url): no status line")
        }
        self.status = status
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        self.body = (try? Data(contentsOf: body)) ?? Data()
    }

    subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// Fields that every server generates by itself.
    private static let ownFields: Set = [
        "date", "server", "connection", "keep-alive", "content-length", "content-encoding", "content-type", "etag",
        "last-modified", "vary", "accept-ranges",
    ]

    /// The fields that another server must be configured to send.
    var otherFields: [(name: String, value: String)] {
        fields.filter { !Self.ownFields.contains($0.name.lowercased()) }
    }
}
