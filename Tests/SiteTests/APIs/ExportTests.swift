import Foundation
import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("Streamed exports")
struct ExportTests {
    private func client(_ users: Int, biography: Int = 0, maxExports: Int = 64) throws -> SiteClient {
        let text = String(repeating: "x", count: biography)
        return try SiteClient((1...users).map { .make(Int64($0), more: "{\"bio\":\"\(text)\"}") }) {
            $0.maxExports = maxExports
        }
    }

    /// Returns everything that is sent, piece by piece.
    private func pieces(_ response: Response) throws -> [[UInt8]] {
        let stream = try #require(response.stream)
        var pieces: [[UInt8]] = []
        while true {
            switch stream.next() {
            case .bytes(let bytes): pieces.append(bytes)
            case .later: continue
            case .end, .failure: return pieces
            }
        }
    }

    /// The attack: users with long texts, and clients that read nothing.
    @Test func piecesStaySmallForUsersWithLongTexts() throws {
        let client = try client(250, biography: 60_000)
        let pieces = try pieces(client.get("/export.ndjson?proof=1"))
        #expect(pieces.allSatisfy { $0.count < DirectoryExport.pieceBytes + 61_000 })
        let bytes = pieces.reduce(into: [UInt8]()) { $0 += $1 }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        #expect(lines.count == 252 && lines[251].isEmpty)
        for (index, line) in lines.prefix(250).enumerated() { #expect(line.hasPrefix("{\"id\":\(index + 1),")) }
        #expect(lines[250] == #"{"rollcall":{"count":250}}"#)
        // Only users of the first page that did not fit into its piece are read twice.
        #expect(client.store.reads < 70)
    }

    @Test func aWorkbookHasRoomForWhomASearchFinds() throws {
        let client = try SiteClient((1...30).map { .make(Int64($0)) }) { $0.maxExcel = 20 }
        let refused = client.get("/export.xlsx")
        #expect(refused.status == .badRequest && refused.text.contains("/export.csv"))
        #expect(!client.get("/").text.contains("/export.xlsx"))
        let found = client.get("/export.xlsx?q=user7")
        #expect(found.status == .ok)
        #expect(try pieces(found).first?.starts(with: Array("PK".utf8)) == true)
    }

    /// A client that leaves has cost one page more, and other work waits for no whole workbook.
    @Test func aWorkbookIsMadePageByPage() throws {
        let client = try client(1000)
        let stream = try #require(client.get("/export.xlsx").stream)
        var steps = 0
        while case .later = stream.next() { steps += 1 }
        #expect(steps == 1000 / DirectoryExport.pageLimit)
        #expect(client.store.reads <= steps + 2)
    }

    @Test(arguments: ["", "?proof=", "?q=user", "?proof=1", "?proof=1&q=user"])
    func theProofComesOnlyIfItIsAskedFor(_ query: String) throws {
        let client = try client(3)
        let isProven = query.contains("proof=1")
        let lines = String(decoding: try pieces(client.get("/export.ndjson" + query)).joined(), as: UTF8.self)
        #expect(lines.hasSuffix("{\"rollcall\":{\"count\":3}}\n") == isProven)
        #expect(lines.split(separator: "\n").count == (isProven ? 4 : 3))
        let rows = String(decoding: try pieces(client.get("/export.csv" + query)).joined(), as: UTF8.self)
        #expect(rows.hasSuffix(",,,,,,,\"{\"\"rollcall\"\":{\"\"count\"\":3}}\"\r\n") == isProven)
        #expect(rows.split(separator: "\r\n").count == (isProven ? 5 : 4))
    }

    @Test(arguments: ["proof=0", "proof=yes", "proof=2", "proof=1&proof=1"])
    func anotherProofIsRefused(_ query: String) throws {
        let response = try client(3).get("/export.csv?" + query)
        #expect(response.status == .badRequest && response.text.contains("proof: "), "\(response.text)")
    }

    @Test func otherPagesIgnoreTheProof() throws { #expect(try client(3).get("/fragment?proof=yes").status == .ok) }

    @Test func whoIsBriefComesByTheHundred() throws {
        // The site is open while it sends.
        let client = try client(1000)
        #expect(try pieces(client.get("/export.csv")).count == 10)
        withExtendedLifetime(client) {}
    }

    @Test func anExportFailsIfTheDatabaseIsReplaced() throws {
        let client = try client(1000)
        let stream = try #require(client.get("/export.ndjson").stream)
        guard case .bytes = stream.next() else { return #expect(Bool(false), "nothing came") }
        client.store.replace()
        guard case .failure = stream.next() else { return #expect(Bool(false), "the export continued") }
    }

    @Test(arguments: ["/export.ndjson", "/export.csv", "/sitemap.xml"])
    func whatIsBeingSentBreaksOffWhenTheDirectoryIsHidden(_ path: String) throws {
        let client = try client(1000)
        let stream = try #require(client.get(path).stream)
        guard case .bytes = stream.next() else { return #expect(Bool(false), "nothing came") }
        client.store.changeUnnoticed { $0.settings = .own { $0.isPrivate = true } }
        guard case .failure = stream.next() else { return #expect(Bool(false), "the export continued") }
    }

    @Test func anExportAboveTheLimitGets503UntilOneEnds() throws {
        let client = try client(10, maxExports: 2)
        var open = [client.get("/export.ndjson"), client.get("/export.csv")]
        let refused = client.get("/export.ndjson")
        #expect(refused.status == .serviceUnavailable && refused.fields["Retry-After"] == "10")
        #expect(refused.stream == nil && refused.text.contains("Too many exports are running (2)"))
        #expect(client.get("/fragment?q=user").status == .ok)
        open.removeLast()
        #expect(client.get("/export.ndjson").status == .ok)
    }

    @Test(arguments: ["/export.csv", "/export.xlsx", "/sitemap.xml"])
    func headHasTheFieldsOfGetHoweverManyExportsAreRunning(_ path: String) throws {
        let client = try client(10, maxExports: 2)
        let fields = client.get(path).fields
        let open = (0..<2).map { _ in client.get(path) }
        #expect(client.get(path).status == .serviceUnavailable)
        let response = client.get(path, method: "HEAD")
        #expect(response.status == .ok && response.stream != nil && response.fields == fields)
        withExtendedLifetime(open) {}
    }
}
