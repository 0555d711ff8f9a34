import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Representations: fields, conditions and ranges (RFC 9110 §8 to §14)", .onThreadsForPrograms)
struct RepresentationTests {
    @Test func everyCaseOfTheCorpusHasItsOutcome() throws {
        let files = try CorpusFiles()
        let program = try RollcallProcess.demo(users: 10, ["--public", files.folder.path])
        let etag = try #require(Exchange(port: program.port, target: "/digits.txt").fields["etag"])
        for item in try HTTPCase.all(in: "representations") {
            let answers = Exchange.all(in: try exchange(try item.bytes(etag: etag), program.port))
            #expect(HTTPCase.Outcome(Array(answers.dropLast().map(\.status)), .open) == item.outcome, "\(item)")
            #expect(answers.last?.body == Array("probe".utf8), "\(item)")
            let first = try #require(answers.first)
            for line in item.lines {
                #expect(first.head.contains(line.replacing("\\{etag}", with: etag)), "\(item): \(first.head)")
            }
            for field in item.absentFields {
                #expect(first.fields[field.lowercased()] == nil, "\(item): \(first.head)")
            }
            #expect(first.fields["date"] != nil, "\(item)")
        }
    }

    /// Returns everything that the server sends until it closes the connection, as a final request asks it to.
    private func exchange(_ bytes: [UInt8], _ port: Int) throws -> [UInt8] {
        let connection = try Connection(port: port)
        defer { connection.close() }
        try connection.write(bytes + Array("GET /probe.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        var received: [UInt8] = []
        while true {
            let more = try connection.read()
            if more.isEmpty { return received }
            received += more
        }
    }
}
