import Base
import Dispatch
import Logging
import Metrics
import Synchronization

/// A serial queue and the connections it owns, from their first byte to their last.
///
/// It has one buffer to read into and one to write from, and a responder of its own: nothing is shared, nothing is
/// locked. The extensions handle the connections: `+Admitting`, `+Reading`, `+Answering`, `+Streaming`, `+Live`,
/// `+Writing`, `+Deadlines`, `+Draining`.
///
/// Unchecked: all state is used on `queue` only. From other threads `adopt`, `drain` and `complete` come in
/// through `perform`, which runs its work there; `idleSince` is atomic.
final class EventLoop: @unchecked Sendable {
    /// A head of 16 KiB fits, with room for the requests that follow it.
    static let readBufferBytes = 64 * 1024

    let queue: DispatchQueue
    let configuration: Server.Configuration
    let timeouts: ConnectionState.Timeouts
    let parser = RequestParser()
    let responder: any Responder
    let pool: WorkPool
    let counters: Counters
    let totals: ConnectionGauge
    let accessLog: AccessLogBuffer?
    /// The bytes that the application has written to bodies that stay open.
    let mail = LiveMail()
    /// The start of the longest current idle period, in milliseconds: for other threads.
    let idleMilliseconds = Atomic<Int64>(MonotonicInstant.never.milliseconds)
    let poller: Poller

    // Every request uses these briefly, one user at a time. The run-time check of exclusive access would find nothing
    // and takes 4 % of a request's time.
    @exclusivity(unchecked) var connections = ConnectionTable()
    @exclusivity(unchecked) var idle = IdleQueue()
    let input: UnsafeMutableRawBufferPointer
    let output = ByteBuffer(capacity: 64 * 1024)
    /// The field lines that only the current response has and no cache keeps, and the id of its request, if it has one.
    let ownFields = ByteBuffer(capacity: 256)
    let requestID = ByteBuffer(capacity: 128)
    var requestNumbers = RequestNumbers()
    @exclusivity(unchecked) var head = RequestHead()
    @exclusivity(unchecked) var serializer = ResponseSerializer()
    var now = System.now
    /// When the loop received the events it is serving, on the clock of `Clock.nanoseconds`.
    var roundStart = Clock.nanoseconds
    var wheel: TimerWheel<Token>
    let timer: any DispatchSourceTimer
    let timerMilliseconds: Int64
    var timerIsArmed = false
    /// Set while the server drains; called when the last connection has closed.
    var whenDrained: (@Sendable () -> Void)?
    /// Set when the drain deadline has passed: connections that arrive later are closed at once.
    var isAbandoned = false

    init(
        number: Int, configuration: Server.Configuration, responder: any Responder, routes: Int,
        pool: WorkPool, totals: ConnectionGauge, accessLog: AccessLogWriter?
    ) throws {
        queue = DispatchQueue(label: "rollcall.loop.\(number)")
        poller = try Poller(queue: queue)
        self.configuration = configuration
        timeouts = ConnectionState.Timeouts(configuration.timeouts)
        self.responder = responder
        self.pool = pool
        self.totals = totals
        self.accessLog = accessLog.map { AccessLogBuffer(writer: $0) }
        counters = Counters(routes: routes)
        let room = Self.readBufferBytes + parser.limits.maxHeadBytes
        input = .allocate(byteCount: room, alignment: 16)
        // Coarse, unless the deadlines themselves are short.
        timerMilliseconds = min(max(timeouts.shortest / 4, 5), 250)
        wheel = TimerWheel(resolution: timerMilliseconds, startingAt: now)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak self] in self?.turnWheel() }
        timer.resume()
        poller.start(for: self)
    }

    deinit {
        timer.cancel()
        input.deallocate()
    }

    /// Runs `work` on the queue, from any thread.
    func perform(_ work: @escaping @Sendable () -> Void) { poller.perform(work) }
}

/// The calls of the poller, on the queue.
extension EventLoop {
    /// Something is ready; reads the clock.
    func beginBatch() {
        roundStart = Clock.nanoseconds
        counters.turnStart.set(roundStart)
        now = MonotonicInstant(milliseconds: Int64(roundStart / 1_000_000))
        serializer.update(secondsSince1970: System.secondsSince1970)
    }

    func ready(_ token: Token, _ readiness: Readiness) {
        guard let connection = connections[token] else { return }
        if readiness.contains(.gone) { return close(connection) }
        switch connection.interest {
        case .reading where readiness.contains(.readable): receive(connection)
        case .writing where readiness.contains(.writable): resumeWriting(connection)
        default: break
        }
    }

    /// Everything that was ready has been served; more may follow.
    func endRound() {
        counters.turns.add(Clock.nanoseconds - roundStart)
        counters.turnStart.set(0)
    }

    /// The poller returns to Dispatch.
    func endBatch() { accessLog?.handOver() }
}
