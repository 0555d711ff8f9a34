import Base
import CLinux
import Dispatch
import Glibc
import Synchronization

/// The readiness that a connection waits for, or that the system reports for its descriptor, as epoll(7) has it.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    static var readable: Readiness { Readiness(EPOLLIN) }
    static var writable: Readiness { Readiness(EPOLLOUT) }
    /// Both directions have ended: reset by the peer, or closed on both sides. The system always reports these two.
    static var gone: Readiness { Readiness(EPOLLHUP).union(Readiness(EPOLLERR)) }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    private init(_ events: EPOLL_EVENTS) { rawValue = UInt8(truncatingIfNeeded: events.rawValue) }
}

/// Reports to an event loop which of its connections are ready: one epoll set for all of them, which one dispatch
/// source watches.
///
/// Dispatch still owns the threads, timers and queues; only readiness is batched. That costs two system calls per
/// request; a source for each connection costs five to seven.
///
/// Unchecked: everything is used on the loop's serial queue only, except `perform`, which uses the inbox behind its
/// mutex and the wake-up descriptor, a constant. `deinit` runs when no thread has the poller any more.
final class Poller: @unchecked Sendable {
    private static let batchSize = 256
    /// The number of rounds after which Dispatch gets to run the timers of this queue.
    private static let maxRounds = 64
    /// Waiting 1 ms for more events is cheaper than going through Dispatch for each event: by a factor of four for one
    /// busy connection.
    private static let lingerMilliseconds: Int32 = 1
    private static let wakeUp = UInt64.max

    private let set: Int32
    private let bell: Int32
    private let source: any DispatchSourceRead
    private let events: UnsafeMutablePointer<epoll_event>
    /// The closures passed to `perform`; `nil` after `stop`, when nothing runs any more.
    private let inbox = Mutex<[@Sendable () -> Void]?>([])
    private weak var loop: EventLoop?

    init(queue: DispatchQueue) throws {
        set = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard set >= 0, bell >= 0 else { throw ServerError("cannot watch sockets: \(SystemFile.reason)") }
        events = .allocate(capacity: Self.batchSize)
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.wakeUp))
        epoll_ctl(set, EPOLL_CTL_ADD, bell, &event)
        source = DispatchSource.makeReadSource(fileDescriptor: set, queue: queue)
    }

    /// Begins to report to `loop`. Must be called once.
    func start(for loop: EventLoop) {
        self.loop = loop
        // The source retains this poller until it is cancelled, and the poller retains the source.
        source.setEventHandler { [self] in drain() }
        source.setCancelHandler { [set] in Socket(descriptor: set).close() }
        source.resume()
    }

    /// Workers may still return responses for closed connections, so the wake-up descriptor stays open until the poller
    /// has no owner.
    deinit {
        Socket(descriptor: bell).close()
        events.deallocate()
    }

    /// Releases everything. The loop must have no connections left.
    func stop() {
        source.cancel()
        source.setEventHandler(handler: nil)
        inbox.withLock { $0 = nil }
    }

    /// Starts to wait for bytes from `connection`. Returns `false` if the system has no resources left for it. When the
    /// descriptor is closed, the system removes it from the set; events of the same batch that still refer to it have a
    /// token of an older generation and are ignored.
    func add(_ connection: Connection) -> Bool {
        control(EPOLL_CTL_ADD, connection, .readable)
    }

    /// - Parameter interest: Nothing while bytes are not read: a level-triggered set would report them again and again.
    func watch(_ connection: Connection, for interest: Readiness) {
        _ = control(EPOLL_CTL_MOD, connection, interest)
    }

    /// Runs `work` on the loop's queue soon, even while the loop waits for more events. Calls run in order; may be
    /// called from any thread.
    func perform(_ work: @escaping @Sendable () -> Void) {
        let wasEmpty = inbox.withLock { inbox in
            inbox?.append(work)
            return inbox?.count == 1
        }
        var one: UInt64 = 1
        if wasEmpty { _ = write(bell, &one, 8) }
    }

    private func control(_ operation: Int32, _ connection: Connection, _ interest: Readiness) -> Bool {
        var event = epoll_event(events: UInt32(interest.rawValue), data: epoll_data_t(u64: connection.token.bits))
        return epoll_ctl(set, operation, connection.socket.descriptor, &event) == 0
    }

    private func drain() {
        guard let loop else { return }
        for _ in 0..<Self.maxRounds {
            let count = epoll_wait(set, events, Int32(Self.batchSize), Self.lingerMilliseconds)
            guard count > 0 else { break }
            loop.beginBatch()
            for index in 0..<Int(count) { deliver(events[index], to: loop) }
            loop.endRound()
            if source.isCancelled { return }
        }
        loop.endBatch()
    }

    @inline(__always) private func deliver(_ event: epoll_event, to loop: EventLoop) {
        guard event.data.u64 != Self.wakeUp else { return runInbox() }
        loop.ready(Token(bits: event.data.u64), Readiness(rawValue: UInt8(truncatingIfNeeded: event.events)))
    }

    private func runInbox() {
        var rings: UInt64 = 0
        _ = read(bell, &rings, 8)
        let work = inbox.withLock { inbox in
            defer { if inbox != nil { inbox = [] } }
            return inbox ?? []
        }
        for piece in work { piece() }
    }
}
