import Dispatch
import HTTP
import Logging
import Synchronization

/// An HTTP/1.1 server: listens, reads requests, has an application answer them, and writes the answers.
///
/// Life of a request: `Acceptor` → `EventLoop` (`receive` → `RequestParser` → `answer` → `Responder` → `ResponseSerializer` →
/// `flush`). Everything about one connection happens on one serial queue.
public final class Server: Sendable {
    private enum State {
        case ready
        case running(Running)
        case draining(Running)
        case stopped
    }

    /// What there is only between start and end.
    private struct Running: Sendable {
        var acceptor: Acceptor
        var loops: [EventLoop]
        var pool: WorkPool
        var log: AccessLogWriter?
    }

    private let configuration: Configuration
    private let application: any Application
    private let logger: Logger
    private let state = Mutex(State.ready)
    private let gauge = ConnectionGauge()
    private let control = DispatchQueue(label: "rollcall.server")
    /// Left when the server has stopped.
    private let running = DispatchGroup()

    public init(
        configuration: Configuration, application: any Application, logger: Logger = Logger(label: "rollcall.server")
    ) {
        self.configuration = configuration
        self.application = application
        self.logger = logger
    }

    /// Starts to listen, and says where. Throws a `ServerError` that says what stands in the way.
    @discardableResult public func start() throws -> Address {
        try state.withLock { state in
            guard case .ready = state else { throw ServerError("a server starts only once") }
            System.ignoreBrokenPipes()
            System.raiseDescriptorLimit()
            let listener = try Listener(configuration.address)
            do {
                let parts = try makeParts(listener)
                running.enter()
                state = .running(parts)
                parts.acceptor.start()
                return listener.address
            } catch {
                listener.close()
                throw error
            }
        }
    }

    private func makeParts(_ listener: Listener) throws -> Running {
        let pool = WorkPool(workers: configuration.workers, backlog: configuration.workBacklog)
        let log = AccessLogWriter(configuration.accessLog, logger: logger)
        let loops = try (0..<max(configuration.eventLoops, 1)).map { number in
            try EventLoop(
                number: number, configuration: configuration, responder: application.makeResponder(), pool: pool,
                totals: gauge, accessLog: log)
        }
        let acceptor = Acceptor(
            listener, loops: loops, gauge: gauge, maxConnections: configuration.limits.maxConnections, logger: logger)
        return Running(acceptor: acceptor, loops: loops, pool: pool, log: log)
    }

    /// Stops: accepts nothing more, closes idle connections at once, finishes what is in flight, and drops what has not finished
    /// by the drain deadline. Returns at once; `done` runs on a queue of the server's when all is over.
    public func drain(then done: @escaping @Sendable () -> Void = {}) {
        let parts = state.withLock { state -> Running? in
            guard case .running(let parts) = state else {
                if case .ready = state { state = .stopped }
                return nil
            }
            state = .draining(parts)
            return parts
        }
        running.notify(queue: control, execute: done)
        if let parts { drain(parts) }
    }

    private func drain(_ parts: Running) {
        let loops = DispatchGroup()
        for _ in parts.loops { loops.enter() }
        parts.acceptor.stop {
            for loop in parts.loops { loop.drain { loops.leave() } }
        }
        let limit = DispatchTimeInterval.milliseconds(Int(configuration.timeouts.drain.wholeMilliseconds))
        let deadline = DispatchWorkItem { for loop in parts.loops { loop.abandon() } }
        control.asyncAfter(deadline: .now() + limit, execute: deadline)
        loops.notify(queue: control) { [self] in
            deadline.cancel()
            finish(parts.log)
        }
    }

    /// Waits for the log, but not for a pipe that nobody reads.
    private func finish(_ log: AccessLogWriter?) {
        let written = DispatchGroup()
        written.enter()
        if let log { log.flush { written.leave() } } else { written.leave() }
        _ = written.wait(timeout: .now() + .seconds(1))
        state.withLock { $0 = .stopped }
        running.leave()
    }

    /// Blocks this thread until the server has stopped.
    public func waitUntilStopped() { running.wait() }

    /// What the server has done so far. Cheap, and from any thread.
    public var statistics: Statistics {
        var statistics = Statistics()
        statistics.openConnections = gauge.open
        statistics.acceptedConnections = gauge.accepted
        let parts = state.withLock { state -> Running? in
            switch state {
            case .running(let parts), .draining(let parts): parts
            case .ready, .stopped: nil
            }
        }
        guard let parts else { return statistics }
        for loop in parts.loops {
            statistics.requests += loop.counters.requests.value
            statistics.bytesIn += loop.counters.bytesIn.value
            statistics.bytesOut += loop.counters.bytesOut.value
        }
        statistics.pendingWork = parts.pool.pending
        statistics.droppedLogLines = parts.log?.dropped.value ?? 0
        return statistics
    }
}
