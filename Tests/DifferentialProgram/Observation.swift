import TestSupport

/// A server's reaction to some bytes, as far as it is visible from outside.
struct Observation: Equatable {
    var outcome: HTTPCase.Outcome

    /// Milliseconds of silence after which a server counts as waiting.
    private static let quiet: Int32 = 400

    /// Sends `bytes`, waits until the server is silent, and then sends another request: a server that responds to it
    /// saw the same end of the last message; one that does not is still waiting for the rest of it.
    init(of bytes: [UInt8], port: Int) throws {
        let connection = try Connection(port: port)
        defer { connection.close() }
        // A server that has rejected the request may have closed the connection already.
        try? connection.write(bytes)
        let (first, hasEnded) = Self.listen(to: connection)
        let statuses = Exchange.all(in: first).map(\.status)
        guard !hasEnded else {
            outcome = .init(statuses, .close)
            return
        }
        try? connection.write(Array("GET /probe.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        let isAnswered = Exchange.all(in: Self.listen(to: connection).bytes).last?.body == Array("probe".utf8)
        outcome = .init(statuses, isAnswered ? .open : .waits)
    }

    private static func listen(to connection: Connection) -> (bytes: [UInt8], hasEnded: Bool) {
        var bytes: [UInt8] = []
        while let more = connection.read(within: quiet) {
            if more.isEmpty { return (bytes, true) }
            bytes += more
        }
        return (bytes, false)
    }

    /// The same observation without what depends on the content of the site, such as existing paths and the response to
    /// `OPTIONS`; both count as responses.
    var withoutContent: Observation {
        var copy = self
        copy.outcome.statuses = outcome.statuses.map { [204, 404].contains($0) ? 200 : $0 }
        return copy
    }

    /// Returns how this differs from `other`, or `nil` if it does not.
    func difference(from other: Observation) -> Difference? {
        if outcome.understood != other.outcome.understood || (outcome.end == .waits) != (other.outcome.end == .waits) {
            return .understanding
        }
        if outcome.statuses != other.outcome.statuses { return .status }
        return outcome.end == other.outcome.end ? nil : .connection
    }
}

/// Ordered from the most serious one.
enum Difference: String, CaseIterable {
    /// One server accepted as a request what the other rejected, or they saw different numbers of requests. Such a
    /// difference between a proxy and a server allows request smuggling.
    case understanding
    /// Both rejected the request, or both accepted it, with different status codes.
    case status
    /// One server keeps the connection open, the other does not.
    case connection
}

extension HTTPCase.Outcome {
    /// For each response, whether the server understood the request, even if it did not accept it.
    fileprivate var understood: [Bool] {
        statuses.filter { $0 != 100 }.map {
            $0 < 400 || [404, 405, 406, 412, 416].contains($0) || $0 == 501 && end == .open
        }
    }
}
