import Exports
import HTTP
import Testing

@testable import Site

@Suite("Exports while they are sent")
struct ExportTests {
    private func client(_ users: Int, biography: Int = 0, maxExports: Int = 64) throws -> SiteClient {
        let text = String(repeating: "x", count: biography)
        return try SiteClient((1...users).map { .make(Int64($0), more: "{\"bio\":\"\(text)\"}") }) {
            $0.maxExports = maxExports
        }
    }

    /// Everything that is sent, piece by piece.
    private func pieces(_ response: Response) throws -> [[UInt8]] {
        let stream = try #require(response.stream)
        var pieces: [[UInt8]] = []
        while case .bytes(let bytes) = stream.next() { pieces.append(bytes) }
        return pieces
    }

    /// The attack: people with much text, and readers who take none of it.
    @Test func aPieceIsSmallHoweverMuchIsKnownOfPeople() throws {
        let client = try client(250, biography: 60_000)
        let pieces = try pieces(client.get("/export.ndjson"))
        #expect(pieces.allSatisfy { $0.count < DirectoryExport.pieceBytes + 61_000 })
        let lines = pieces.joined().split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 251)
        for (index, line) in lines.dropLast().enumerated() { #expect(line.starts(with: "{\"id\":\(index + 1),".utf8)) }
        #expect(String(decoding: lines[250], as: UTF8.self) == #"{"rollcall":{"count":250}}"#)
        // Nobody is read in vain, but for whom the first page had too many.
        #expect(client.store.reads < 70)
    }

    @Test func whoIsBriefComesByTheHundred() throws {
        #expect(try pieces(client(1000).get("/export.csv")).count == 10)
    }

    @Test func itBreaksOffWhereAnotherDatabaseHasComeInPlace() throws {
        let client = try client(1000)
        let stream = try #require(client.get("/export.ndjson").stream)
        guard case .bytes = stream.next() else { return #expect(Bool(false), "nothing came") }
        client.store.replace()
        guard case .failure = stream.next() else { return #expect(Bool(false), "it went on") }
    }

    @Test func beyondTheLimitThereIs503UntilOneEnds() throws {
        let client = try client(10, maxExports: 2)
        var open = [client.get("/export.ndjson"), client.get("/export.csv")]
        let refused = client.get("/export.ndjson")
        #expect(refused.status == .serviceUnavailable && refused.fields["Retry-After"] == "10")
        #expect(refused.stream == nil && refused.text.contains("As many exports"))
        #expect(client.get("/fragment?q=user").status == .ok)
        open.removeLast()
        #expect(client.get("/export.ndjson").status == .ok)
    }
}
