/// The application that a server runs. It creates one responder for each event loop.
public protocol Application: Sendable {
    func makeResponder() -> any Responder

    /// The names of the routes, for metrics. ``Response/route`` is an index into this list. The first name is for
    /// responses that belong to no route.
    var routes: [String] { get }
}

extension Application {
    public var routes: [String] { ["none"] }
}

/// Responds to the requests of one event loop, one at a time. It may therefore own buffers, streams and connections.
public protocol Responder: AnyObject {
    /// Responds to `GET`, `HEAD` and `OPTIONS`. For `HEAD`, the server drops the body (RFC 9110 §9.3.2).
    ///
    /// Runs on the event loop and must return within tens of microseconds. Return `.later` for work that may take
    /// longer.
    func respond(to request: Request) -> Reply

    /// Returns the response to a request that the server rejected itself.
    func respond(to rejection: RejectedRequest) -> Response
}

/// A response, or the work that makes one.
public enum Reply {
    case now(Response)
    /// Work that runs on the server's bounded pool. The event loop of the connection sends the response it returns.
    case later(@Sendable () -> Response)
}

/// The reason why the server did not pass a request to the application.
public struct RejectedRequest: Equatable, Sendable {
    public var status: Status
    /// One sentence for the person who made the request: what was wrong and what the server expects.
    public var reason: String
    /// The request target, if the request line could be read. It decides the format of the response.
    public var target: [UInt8]

    public init(_ status: Status, _ reason: String, target: [UInt8] = []) {
        self.status = status
        self.reason = reason
        self.target = target
    }
}
