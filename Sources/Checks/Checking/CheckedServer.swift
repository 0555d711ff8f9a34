import Base
import HTTPClient

/// The server under check. It sends requests and counts them.
final class CheckedServer {
    private let client: Client
    private(set) var requests = 0
    private(set) var bytes: Int64 = 0

    init(_ client: Client) { self.client = client }

    /// Returns the response to a request, whatever its status. Throws a `ClientError`.
    func look(at address: WebAddress, fields: [(name: String, value: String)] = []) throws -> ClientAnswer {
        requests += 1
        let answer = try client.fetch(ClientRequest(address, fields: fields))
        bytes += Int64(answer.received)
        return answer
    }

    /// Returns the response to a request that must succeed. Throws a ``RollcallError``.
    func ask(_ address: WebAddress) throws -> ClientAnswer {
        try expectSuccess(address.reading { try look(at: address) }, at: address)
    }

    /// Returns the description of a directory. A server without one has the order by id.
    func describe(_ address: WebAddress) throws -> DescribedDirectory {
        let answer = try address.reading { try look(at: address) }
        guard answer.status == 200, answer.fields["content-type"]?.hasPrefix("application/json") == true else {
            return DescribedDirectory()
        }
        return try address.reading { try DescribedDirectory(json: answer.body.span) }
    }

    /// Passes the body of the response to `taking` as it arrives. Returns `false` for a 404 that `mayLack` allows.
    func stream(
        _ address: WebAddress, mayLack: Bool, taking: @escaping (Bytes) throws -> Void
    ) throws -> Bool {
        var isBegun = false
        requests += 1
        let answer: ClientAnswer
        do {
            answer = try client.stream(ClientRequest(address)) { [self] chunk in
                bytes += Int64(chunk.count)
                isBegun = true
                try taking(chunk)
            }
        } catch let error as ClientError { throw address.fault("\(error)") }
        if mayLack, answer.status == 404, !isBegun { return false }
        _ = try expectSuccess(answer, at: address)
        return true
    }

    /// Returns whether the representation of `address` still has this validator (RFC 9110 §13.1.2).
    func isUnchanged(_ address: WebAddress, since validator: String) throws -> Bool {
        let answer = try address.reading { try look(at: address, fields: [("If-None-Match", validator)]) }
        if answer.status == 304 { return true }
        _ = try expectSuccess(answer, at: address)
        return false
    }

    private func expectSuccess(_ answer: ClientAnswer, at address: WebAddress) throws -> ClientAnswer {
        let message = message(of: answer).map { ": \($0)" } ?? ""
        try address.expect(answer.status == 200, "answered \(answer.status)\(message)")
        return answer
    }

    /// Returns the message of a JSON error response.
    private func message(of answer: ClientAnswer) -> String? {
        JSON.Members(of: answer.body.span)["message"]?.string?.text
    }
}
