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
/// Unchecked: all state that changes is used on `queue` only, and other threads come in through `perform`, which runs
/// its work there. They read only atomic values (`idleMilliseconds`, the counters) and constants themselves.
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

    /// The head that was read last; requests lend it.
    let head = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)

    // Unchecked exclusivity: these three are used on the queue only, by calls that do not come back to the loop. The
    // one that takes a closure, `insert`, gets one that only makes a connection. (The checks took 4 % of a request's
    // time.)
    @exclusivity(unchecked) var connections = ConnectionTable()
    @exclusivity(unchecked) var idle = IdleQueue()
    @exclusivity(unchecked) var serializer = ResponseSerializer()

    let input: UnsafeMutableRawBufferPointer
    let output = ByteBuffer(capacity: 64 * 1024)
    /// The field lines that only the current response has and no cache keeps, and the id of its request, if it has one.
    let ownFields = ByteBuffer(capacity: 256)
    let requestID = ByteBuffer(capacity: 128)
    /// Ids for requests that have none, as no other event loop or process is likely to repeat soon.
    var requestNumbers = SplitMix64(state: .random(in: 0 ... .max))
    var now = MonotonicInstant.now
    /// When the loop received the events it is serving, on the clock of `SystemValues.nanoseconds()`.
    var roundStart = SystemValues.nanoseconds()
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
        head.initialize(to: RequestHead())
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
        head.deinitialize(count: 1).deallocate()
    }

    /// Runs `work` on the queue, from any thread.
    func perform(_ work: @escaping @Sendable () -> Void) { poller.perform(work) }
}

/// The calls of the poller, on the queue.
extension EventLoop {
    /// Something is ready; reads the clock.
    func beginBatch() {
        roundStart = SystemValues.nanoseconds()
        counters.turnStart.set(roundStart)
        now = MonotonicInstant(milliseconds: Int64(roundStart / 1_000_000))
        serializer.update(secondsSince1970: SystemValues.secondsSince1970)
    }

    func ready(_ token: Token, _ readiness: Readiness) {
        guard let connection = connections[token] else { return }
        if !readiness.isDisjoint(with: .gone) { return close(connection) }
        switch readiness.intersection(connection.interest) {
        case .readable: receive(connection)
        case .writable: resumeWriting(connection)
        default: break
        }
    }

    /// Everything that was ready has been served; more may follow.
    func endRound() {
        counters.turns.add(SystemValues.nanoseconds() - roundStart)
        counters.turnStart.set(0)
    }

    /// The poller returns to Dispatch.
    func endBatch() { accessLog?.handOver() }
}

/// The beginning and the end of connections.
extension EventLoop {
    /// Takes over a socket that was just accepted.
    func adopt(_ socket: Socket, _ peer: Peer) {
        guard let connection = open(socket, peer) else { return totals.leave(peer) }
        settle(connection)
        if whenDrained != nil, connections[connection.token] != nil { receive(connection) }
    }

    /// The same when the server is full: closes the connection that has been idle longest. Returns `false`, and leaves
    /// the socket to the caller, if no connection of this loop is idle.
    func adopt(_ socket: Socket, inPlaceOfIdle peer: Peer) -> Bool {
        guard makeRoom() else { return false }
        adopt(socket, peer)
        return true
    }

    /// Sends a response to a connection that is not admitted, and closes it.
    func turnAway(_ socket: Socket, _ peer: Peer, _ rejection: RejectedRequest) {
        guard let connection = open(socket, peer) else { return totals.leaveTurnedAway() }
        connection.place = .turnedAway
        head.pointee = RequestHead()
        refuse(connection, rejection)
        flush(connection)
        settle(connection)
    }

    /// Starts to watch a socket. Returns `nil` after closing it where that is impossible.
    private func open(_ socket: Socket, _ peer: Peer) -> Connection? {
        guard !isAbandoned else {
            socket.close()
            return nil
        }
        let isTrusted = peer.isTrusted(in: configuration.trustedProxies)
        let connection = connections.insert {
            Connection(socket: socket, token: $0, peer: peer, isTrustedProxy: isTrusted)
        }
        guard poller.add(connection) else {
            connections.remove(connection.token)
            socket.close()
            return nil
        }
        counters.phases.add(1, at: connection.countedPhase)
        armTimer()
        return connection
    }

    /// Forgets `connection` and closes its socket.
    func close(_ connection: Connection) {
        guard connections[connection.token] === connection else { return }
        connections.remove(connection.token)
        leaveIdleQueue(connection)
        forget(connection.pending?.ticket)
        forget(connection.stream?.ticket)
        forgetLive(connection)
        counters.phases.add(-1, at: connection.countedPhase)
        connection.socket.close()
        switch connection.place {
        case .admitted: totals.leave(connection.peer)
        case .live: totals.leaveLive(connection.peer)
        case .turnedAway: totals.leaveTurnedAway()
        }
        if connections.count == 0 { disarmTimer() }
        finishDrainingIfEmpty()
    }
}

/// The queue of idle connections.
extension EventLoop {
    /// The start of the longest current idle period; `.never` if no connection is idle. From any thread.
    var idleSince: MonotonicInstant { MonotonicInstant(milliseconds: idleMilliseconds.load(ordering: .relaxed)) }

    /// Puts `connection` at the end of the queue if it is idle, else takes it out.
    func queueIfIdle(_ connection: Connection) {
        guard connection.life.phase == .idle else { return leaveIdleQueue(connection) }
        let (slot, first) = (Int(connection.token.slot), idle.first)
        idle.append(slot)
        if first == nil || first == slot { publishIdleSince() }
    }

    private func leaveIdleQueue(_ connection: Connection) {
        let slot = Int(connection.token.slot)
        let isFirst = idle.first == slot
        idle.remove(slot)
        if isFirst { publishIdleSince() }
    }

    private func publishIdleSince() {
        let longest = idle.first.flatMap { connections[slot: $0] }
        let since = longest.map { $0.life.deadline + -timeouts.idle } ?? .never
        idleMilliseconds.store(since.milliseconds, ordering: .relaxed)
    }

    /// Closes the connection that has been idle longest. A connection whose request has arrived meanwhile is served
    /// instead, and the next one is looked at.
    private func makeRoom() -> Bool {
        for _ in 0..<Self.maxLooks {
            guard let slot = idle.first, let connection = connections[slot: slot] else { return false }
            guard connection.socket.hasArrivals else {
                totals.displaced.add(1)
                close(connection)
                return true
            }
            receive(connection)
            if connections[connection.token] == nil { return true }
        }
        return false
    }

    /// Every look costs a system call, and perhaps an answer.
    private static let maxLooks = 16
}
