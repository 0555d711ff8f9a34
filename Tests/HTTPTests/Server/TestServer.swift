import Base
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Server

/// An application that responds with the result of a closure, and to rejected requests with the reason.
struct TestApplication: Application {
    var handler: @Sendable (Request) -> Reply

    func makeResponder() -> any Responder { TestResponder(handler: handler) }
}

final class TestResponder: Responder {
    let handler: @Sendable (Request) -> Reply
    init(handler: @escaping @Sendable (Request) -> Reply) { self.handler = handler }
    func respond(to request: Request) -> Reply { handler(request) }
    func respond(to rejection: RejectedRequest) -> Response {
        Response(rejection.status, body: .init(Array(rejection.reason.utf8)))
    }
}

/// Responds with the target.
let echo: @Sendable (Request) -> Reply = { .now(Response(body: .init([UInt8]($0.target)))) }

extension Server {
    /// The totals of a server since it started, of requests that got a response, and of work that waits or runs.
    var statistics:
        (
            openConnections: Int, acceptedConnections: Int, requests: Int, bytesIn: Int, bytesOut: Int,
            pendingWork: Int, droppedLogLines: Int
        )
    {
        let counters = parts?.loops.map(\.counters) ?? [], work = parts?.pool.figures
        let sum = { (number: (Counters) -> Int) in counters.reduce(0) { $0 + number($1) } }
        return (
            gauge.open, gauge.accepted, sum { $0.requests.durations(route: 0).count }, sum(\.bytesIn.value),
            sum(\.bytesOut.value), (work?.waiting ?? 0) + (work?.running ?? 0), parts?.log?.dropped.value ?? 0
        )
    }
}

/// Starts a server on a free port, runs `body` against it, and stops it.
func withServer(
    _ configure: (inout Server.Configuration) -> Void = { _ in },
    handler: @escaping @Sendable (Request) -> Reply = echo, body: (Server, Server.Address) throws -> Void
) throws {
    var configuration = Server.Configuration(addresses: [.tcp(port: 0)])
    configuration.eventLoops = 2
    // On a machine that is busy, each step of a test may take long. A test sets the timeout that it is about.
    for timeout in [\Server.Timeouts.head, \.body, \.answer, \.idle, \.write, \.drain] {
        configuration.timeouts[keyPath: timeout] = .seconds(120)
    }
    configuration.timeouts.lastCall = .milliseconds(100)
    configure(&configuration)
    let server = Server(configuration: configuration, application: TestApplication(handler: handler))
    let address = try server.start()[0]
    defer {
        server.drain()
        server.waitUntilStopped()
    }
    try body(server, address)
}

/// The same with a client of the server. A `body` that throws within `#expect` alone says so: `client throws in`.
func withClient(
    _ configure: (inout Server.Configuration) -> Void = { _ in },
    handler: @escaping @Sendable (Request) -> Reply = echo, body: (Server, TestClient) throws -> Void
) throws {
    try withServer(configure, handler: handler) { server, address in try body(server, TestClient(address)) }
}

/// Waits until `condition` is true. Records an issue after a minute.
func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("the condition was not true within a minute", sourceLocation: sourceLocation)
            return
        }
        usleep(1000)
    }
}

/// A gate at which work waits until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open(_ times: Int = 1) { for _ in 0..<times { semaphore.signal() } }
    func pass() { semaphore.wait() }
}

/// Collects the lines of an access log.
final class Lines: Sendable {
    private let text = Mutex("")
    var all: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }
    var sink: @Sendable (Bytes) -> Void { { bytes in self.text.withLock { $0 += String(bytes) } } }
}

/// Returns a handler that responds like ``echo``, but counts a request of `/busy` and keeps it until `gate` opens.
func waiting(at gate: Gate, counting begun: Counter) -> @Sendable (Request) -> Reply {
    { request in
        guard request.path.equals("/busy") else { return echo(request) }
        begun.add(1)
        gate.pass()
        return echo(request)
    }
}
