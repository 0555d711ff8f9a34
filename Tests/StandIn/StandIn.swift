import Base
import Foundation
import Server
import Synchronization

/// A stand-in for a web service on a free port of this machine, on Rollcall's own server. A ``World`` provides the
/// data; the test decides what goes wrong.
public final class StandIn: Sendable {
    /// A request that the stand-in received.
    public struct Asked: Sendable {
        /// Path and query.
        public var target: String
        /// The requested host and port.
        public var authority: String
        public var authorization: String?
        public var validator: String?
        public var userAgent: String?
        public var acceptsGzip: Bool
        public var version: String?
        /// The time of arrival.
        public var time: ContinuousClock.Instant
    }

    fileprivate struct State {
        var log: [Asked] = []
        var script: [Canned?] = []
    }

    public let port: Int
    private let server: Server
    private let service: Service

    public init(_ world: any World) throws {
        service = Service(world)
        var configuration = Server.Configuration(addresses: [.tcp(port: 0)])
        configuration.eventLoops = 1
        configuration.workers = 1
        server = Server(configuration: configuration, application: service)
        var port = 0
        if case .tcp(_, let number)? = try server.start().first { port = number }
        self.port = port
    }

    deinit { server.drain() }

    public var url: String { "http://127.0.0.1:\(port)" }

    /// Scripts the responses to the next requests, one after the other; `nil` is the world's own response.
    public func next(_ script: Canned?...) { service.state.withLock { $0.script += script } }

    /// All requests so far, in order.
    public var log: [Asked] { service.state.withLock { $0.log } }

    /// The number of requests so far.
    public var count: Int { service.state.withLock { $0.log.count } }

    /// The targets of all requests so far.
    public var targets: [String] { log.map(\.target) }

    /// Clears the log of requests.
    public func clearLog() { service.state.withLock { $0.log = [] } }

    /// The seconds between each request and the next.
    public var pauses: [Double] {
        let times = log.map(\.time)
        return zip(times.dropFirst(), times).map { ($0 - $1) / .seconds(1) }
    }
}

/// A prepared response.
public struct Canned: Sendable {
    public var status: Int
    public var fields = Fields()
    public var body: [UInt8]

    public init(_ status: Int, _ body: String = "") { self.init(status, bytes: Array(body.utf8)) }

    public init(_ status: Int, bytes: [UInt8]) {
        self.status = status
        body = bytes
    }

    /// Returns the same response with one more field.
    public func with(_ name: StaticString, _ value: String) -> Canned {
        var canned = self
        canned.fields.append(name, value)
        return canned
    }
}

/// The data and behaviour of a service. Called for one request at a time.
public protocol World: Sendable { func answer(_ asked: StandIn.Asked) -> Canned }

extension StandIn.Asked {
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// Returns a query parameter.
    public subscript(name: String) -> String? {
        URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
    }
}

/// A world on Rollcall's server, which has one event loop for it.
private final class Service: Application, Responder {
    let state = Mutex(StandIn.State())
    private let world: any World

    init(_ world: any World) { self.world = world }

    func makeResponder() -> any Responder { self }

    func respond(to request: Request) -> Reply {
        func text(_ bytes: Bytes?) -> String? {
            guard let bytes else { return nil }
            return String(bytes)
        }
        let asked = StandIn.Asked(
            target: text(request.target) ?? "", authority: text(request.authority) ?? "",
            authorization: text(request.value(of: "authorization")),
            validator: text(request.value(of: "if-none-match")), userAgent: text(request.value(of: "user-agent")),
            acceptsGzip: text(request.value(of: "accept-encoding"))?.contains("gzip") == true,
            version: text(request.value(of: "x-github-api-version")), time: .now)
        let scripted = state.withLock { state -> Canned?? in
            state.log.append(asked)
            return state.script.isEmpty ? .none : state.script.removeFirst()
        }
        let canned = (scripted ?? nil) ?? world.answer(asked)
        return .now(Response(Status(rawValue: canned.status), fields: canned.fields, body: .init(canned.body)))
    }

    func respond(to rejection: RejectedRequest) -> Response { Response(rejection.status) }
}
