import HTTPClient
import JSON

/// The server that is checked. Asks it, and counts what that took.
final class CheckedServer {
    private let client: Client
    private(set) var requests = 0
    private(set) var bytes: Int64 = 0

    init(_ client: Client) { self.client = client }

    /// The answer to a request, whatever it is. Throws a `ClientError`.
    func look(at address: WebAddress) throws -> ClientAnswer {
        requests += 1
        let answer = try client.fetch(ClientRequest(address))
        bytes += Int64(answer.received)
        return answer
    }

    /// The answer to a request that is to succeed. Throws a ``CheckFault``.
    func ask(_ address: WebAddress) throws -> ClientAnswer {
        let answer = try fault(at: address) { try client.fetch(ClientRequest(address)) }
        bytes += Int64(answer.received)
        return try expectSuccess(answer, at: address)
    }

    /// Hands the body of the answer to `taking` as it comes.
    func stream(_ address: WebAddress, taking: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        let answer = try fault(at: address) {
            try client.stream(ClientRequest(address)) { [self] chunk in
                bytes += Int64(chunk.count)
                try taking(chunk)
            }
        }
        _ = try expectSuccess(answer, at: address)
    }

    /// Whether `address` is what it was when it had this validator (RFC 9110 §13.1.2).
    func isUnchanged(_ address: WebAddress, since validator: String) throws -> Bool {
        let request = ClientRequest(address, fields: [("If-None-Match", validator)])
        let answer = try fault(at: address) { try client.fetch(request) }
        return try answer.status == 304 || expectSuccess(answer, at: address).status == 304
    }

    private func fault(at address: WebAddress, _ body: () throws -> ClientAnswer) throws -> ClientAnswer {
        requests += 1
        do { return try body() } catch let error as ClientError { throw CheckFault(at: address, "\(error)") }
    }

    private func expectSuccess(_ answer: ClientAnswer, at address: WebAddress) throws -> ClientAnswer {
        if answer.status == 200 { return answer }
        throw CheckFault(at: address, "answered \(answer.status)" + (message(of: answer).map { ": \($0)" } ?? ""))
    }

    /// What an error says in JSON.
    private func message(of answer: ClientAnswer) -> String? {
        var message: String?
        try? answer.body.withUnsafeBytes { body in
            try JSON.forEachMember(of: body) { key, value in if key.equals("message") { message = value.string?.text } }
        }
        return message
    }
}
