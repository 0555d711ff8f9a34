import TestSupport

/// What a server made of some bytes, as far as can be seen from outside.
struct Observation: Equatable {
    var outcome: HTTPCase.Outcome

    /// So long nothing must come before a server counts as waiting.
    private static let quiet: Int32 = 400

    /// Sends `bytes`, waits until the server says no more, and then asks for something else: who answers that has seen the same
    /// end of the last message, who does not still waits for the rest of it.
    init(of bytes: [UInt8], port: Int) throws {
        let connection = try Connection(port: port)
        defer { connection.close() }
        // Whoever has refused already may have closed, too.
        try? connection.write(bytes)
        let (first, hasEnded) = Self.listen(to: connection)
        let statuses = WireAnswer.all(in: first).map(\.status)
        guard !hasEnded else {
            outcome = .init(statuses, .close)
            return
        }
        try? connection.write(Array("GET /probe.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        let isAnswered = WireAnswer.all(in: Self.listen(to: connection).bytes).last?.body == Array("probe".utf8)
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

    /// The same, where what paths there are and what `OPTIONS` has to say does not matter: both have been answered.
    var withoutContent: Observation {
        var copy = self
        copy.outcome.statuses = outcome.statuses.map { [204, 404].contains($0) ? 200 : $0 }
        return copy
    }

    /// How it differs from `other`, if it does.
    func difference(from other: Observation) -> Difference? {
        if outcome.understood != other.outcome.understood || (outcome.end == .waits) != (other.outcome.end == .waits) {
            return .understanding
        }
        if outcome.statuses != other.outcome.statuses { return .status }
        return outcome.end == other.outcome.end ? nil : .connection
    }
}

/// From the gravest on.
enum Difference: String, CaseIterable {
    /// One took as a request what the other refused, or they saw different numbers of them: where a proxy and a server
    /// differ in that, requests can be smuggled.
    case understanding
    /// Both refused, or both answered, with other codes.
    case status
    /// One goes on with the connection, the other does not.
    case connection
}

extension HTTPCase.Outcome {
    /// For each answer whether it was one to a request that was understood, if perhaps not taken.
    fileprivate var understood: [Bool] {
        statuses.filter { $0 != 100 }.map {
            $0 < 400 || [404, 405, 406, 412, 416].contains($0) || $0 == 501 && end == .open
        }
    }
}
