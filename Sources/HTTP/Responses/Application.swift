/// What a server serves. It hands out a responder for each of its event queues.
public protocol Application: Sendable {
    func makeResponder() -> any Responder

    /// What kinds of requests there are, for statistics: the names that ``Response/route`` counts from. The first is for
    /// everything without one.
    var routes: [String] { get }
}

extension Application {
    public var routes: [String] { ["none"] }
}

/// Answers the requests of one event queue, one at a time: it may keep buffers, streams and connections of its own.
public protocol Responder: AnyObject {
    /// Answers `GET`, `HEAD` and `OPTIONS`; what `HEAD` must not send (RFC 9110 §9.3.2) the server leaves away.
    ///
    /// Runs on the event queue and must be done in tens of microseconds; what may take longer goes into `.later`.
    func respond(to request: Request) -> Reply

    /// The answer to a request that the server refused by itself.
    func respond(to refusal: RejectedRequest) -> Response
}

/// An answer, or the work that makes one.
public enum Reply {
    case now(Response)
    /// Run on the server's bounded pool; the connection's queue sends what it returns.
    case later(@Sendable () -> Response)
}

/// Why the server did not pass a request on.
public struct RejectedRequest: Equatable, Sendable {
    public var status: Status
    /// One sentence for the person who made the request: what was wrong and what is expected.
    public var reason: String
    /// The target, where the request line could be read; it tells in what form the answer is wanted.
    public var target: [UInt8]

    public init(_ status: Status, _ reason: String, target: [UInt8] = []) {
        self.status = status
        self.reason = reason
        self.target = target
    }
}
