import Server
import TestSupport
import Testing

@Suite("Requests of Tests/Corpus over a socket")
struct CorpusTests {
    static let files = [
        "messages", "request-line", "targets", "fields", "framing", "chunked", "connections", "semantics",
    ]

    @Test(arguments: files)
    func everyCaseHasItsOutcome(_ file: String) throws {
        try withServer { _, address in
            for item in try HTTPCase.all(in: file) {
                let (outcome, answers) = try observe(item, address)
                #expect(outcome == item.outcome, "\(item)")
                if item.text.hasPrefix("HEAD ") { #expect(answers.first?.body == [], "\(item)") }
                guard let last = answers.last(where: { !isProbe($0) }) else { continue }
                for line in item.lines { #expect(last.head.contains(line), "\(item): \(last.head)") }
                for field in item.absentFields {
                    #expect(last.fields[field.lowercased()] == nil, "\(item): \(last.head)")
                }
            }
        }
    }

    @Test func theCorpusHasHundredsOfCases() throws {
        let cases = try Self.files.flatMap { try HTTPCase.all(in: $0) }
        #expect(cases.count > 300)
        let all = try cases.map { try $0.bytes() }
        #expect(Set(all).count == all.count, "two cases have the same bytes")
    }

    /// Sends the bytes and one more request after them: a response to that request shows that the server and the case
    /// agree on where the last message ends.
    private func observe(_ item: HTTPCase, _ address: Server.Address) throws -> (HTTPCase.Outcome, [Exchange]) {
        let client = try TestClient(address)
        let probe = "GET /the-next-request HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        client.send(bytes: try item.bytes() + (item.outcome.end == .waits ? [] : Array(probe.utf8)))
        client.endSending()
        let answers = Exchange.all(in: client.bytesToTheEnd())
        let statuses = answers.filter { !isProbe($0) }.map(\.status)
        let end =
            item.outcome.end == .waits ? .waits : answers.contains(where: isProbe) ? .open : HTTPCase.Outcome.End.close
        return (HTTPCase.Outcome(statuses, end), answers)
    }

    private func isProbe(_ answer: Exchange) -> Bool { answer.body.elementsEqual("/the-next-request".utf8) }
}
