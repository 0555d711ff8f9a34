import Base
import Dispatch
import Logging
import Synchronization

/// An HTTP/1.1 server: it listens, reads requests, asks an application for responses, and writes them.
///
/// Life of a request: `Acceptor` → `EventLoop` (`receive` → `RequestParser` → `answer` → `Responder` →
/// `ResponseSerializer` → `flush`). Everything about one connection happens on one serial queue.
public final class Server: Sendable {
    private enum State {
        case ready
        case running(Running)
        case draining(Running)
        case stopped
    }

    /// The parts that exist only between start and stop.
    struct Running: Sendable {
        var acceptors: [Acceptor]
        var loops: [EventLoop]
        var pool: WorkPool
        var log: AccessLogWriter?
    }

    private let configuration: Configuration
    let application: any Application
    private let logger: Logger
    private let state = Mutex(State.ready)
    private let admission: ConnectionLimit
    let gauge: ConnectionGauge
    private let control = DispatchQueue(label: "rollcall.server")
    /// A group that the server leaves when it has stopped.
    private let life = DispatchGroup()
    private let hasFinished = Atomic(false)

    /// The time that event loops have to abort their connections after the drain deadline.
    private static let abortion = DispatchTimeInterval.seconds(1)

    public init(
        configuration: Configuration, application: any Application, logger: Logger = Logger(label: "rollcall.server")
    ) {
        self.configuration = configuration
        self.application = application
        self.logger = logger
        admission = ConnectionLimit(
            maxConnections: configuration.limits.maxConnections, maxLive: configuration.limits.maxLiveBodies,
            maxDescriptors: SystemValues.raiseDescriptorLimit())
        gauge = ConnectionGauge(
            maxPerAddress: configuration.limits.maxConnectionsPerAddress, maxLive: admission.maxLive)
    }

    /// Starts to listen and returns the addresses: none if the server was told to stop before. Throws a `ServerError`
    /// with the reason if it cannot.
    @discardableResult public func start() throws -> [Address] {
        try state.withLock { state in
            if case .stopped = state { return [] }
            guard case .ready = state else { throw ServerError("a server can start only once") }
            SystemValues.ignoreBrokenPipes()
            var listeners: [Listener] = []
            do {
                for address in configuration.addresses {
                    listeners.append(try Listener(address, isShared: configuration.takesOver))
                }
                let parts = try makeParts(listeners)
                life.enter()
                state = .running(parts)
                for acceptor in parts.acceptors { acceptor.start() }
                return listeners.map(\.address)
            } catch {
                for listener in listeners { listener.close() }
                throw error
            }
        }
    }

    private func makeParts(_ listeners: [Listener]) throws -> Running {
        let pool = WorkPool(workers: configuration.workers, backlog: configuration.workBacklog)
        let log = AccessLogWriter(configuration.accessLog, logger: logger)
        let loops = try (0..<max(configuration.eventLoops, 1)).map { number in
            try EventLoop(
                number: number, configuration: configuration, responder: application.makeResponder(),
                routes: application.routes.count, pool: pool, totals: gauge, accessLog: log)
        }
        if let warning = admission.warning { logger.warning("\(warning)") }
        let acceptors = listeners.map {
            Acceptor($0, loops: loops, gauge: gauge, admission: admission, logger: logger)
        }
        return Running(acceptors: acceptors, loops: loops, pool: pool, log: log)
    }

    /// Stops the server: it accepts no more connections, closes idle ones at once, finishes the requests in flight, and
    /// aborts those that have not finished by the drain deadline. An event loop that is too busy to abort them a second
    /// later is left behind. Returns at once; `done` runs on the server's queue at the end.
    public func drain(then done: @escaping @Sendable () -> Void = {}) {
        let parts = state.withLock { state -> Running? in
            guard case .running(let parts) = state else {
                if case .ready = state { state = .stopped }
                return nil
            }
            state = .draining(parts)
            return parts
        }
        life.notify(queue: control, execute: done)
        if let parts { drain(parts) }
    }

    private func drain(_ parts: Running) {
        let loops = DispatchGroup()
        for _ in parts.loops { loops.enter() }
        let doors = DispatchGroup()
        for acceptor in parts.acceptors {
            doors.enter()
            acceptor.stop { doors.leave() }
        }
        doors.notify(queue: control) {
            for loop in parts.loops { loop.drain { loops.leave() } }
        }
        let limit = DispatchTimeInterval.milliseconds(Int(configuration.timeouts.drain.wholeMilliseconds))
        let deadline = DispatchWorkItem { [self] in
            for loop in parts.loops { loop.abandon() }
            control.asyncAfter(deadline: .now() + Self.abortion) { [self] in finish(parts) }
        }
        control.asyncAfter(deadline: .now() + limit, execute: deadline)
        loops.notify(queue: control) { [self] in
            deadline.cancel()
            finish(parts)
        }
    }

    /// Waits for the workers, whose clients may be gone already, and for the access log to be written, but for that at
    /// most one second, because nobody may be reading the pipe.
    private func finish(_ parts: Running) {
        guard !hasFinished.exchange(true, ordering: .relaxed) else { return }
        parts.pool.stop()
        let written = DispatchGroup()
        if let log = parts.log {
            written.enter()
            log.flush { written.leave() }
        }
        _ = written.wait(timeout: .now() + .seconds(1))
        state.withLock { $0 = .stopped }
        life.leave()
    }

    /// Blocks this thread until the server has stopped.
    public func waitUntilStopped() { life.wait() }

    /// The parts of the server while it runs or drains.
    var parts: Running? {
        switch state.withLock({ $0 }) {
        case .running(let parts), .draining(let parts): parts
        case .ready, .stopped: nil
        }
    }
}

/// The reason why a server could not start: what it tried and the system's error message.
public struct ServerError: Error, Equatable, CustomStringConvertible {
    public var description: String
    /// Whether another program listens at the port.
    public var isPortTaken = false

    init(_ description: String, isPortTaken: Bool = false) {
        self.description = description
        self.isPortTaken = isPortTaken
    }
}

extension Server {
    /// The signs that a server still works.
    public struct HealthCheck: Equatable, Sendable {
        /// The numbers of the event loops that did not run in time.
        public var silentLoops: [Int] = []
        /// Whether work for `.later` would start at once.
        public var hasFreeWorker = true
        /// The number of finished pieces of such work. If no worker is free and the number has not grown since the last
        /// check, the pool is stuck.
        public var finishedWork = 0
    }

    /// Asks every event loop to run a closure, waits for all of them for at most `limit`, and returns the result, or
    /// `nil` if the server is not running.
    public func healthCheck(within limit: Duration) -> HealthCheck? {
        guard case .running(let parts) = state.withLock({ $0 }) else { return nil }
        let turns = parts.loops.map { loop in
            let turn = DispatchSemaphore(value: 0)
            loop.perform { turn.signal() }
            return turn
        }
        let deadline = DispatchTime.now() + .milliseconds(Int(limit.wholeMilliseconds))
        let silent = turns.indices.filter { turns[$0].wait(timeout: deadline) == .timedOut }
        let (hasIdle, finished) = parts.pool.progress
        return HealthCheck(silentLoops: Array(silent), hasFreeWorker: hasIdle, finishedWork: finished)
    }
}
