import Base
import CLinux
import Dispatch
import Glibc

/// Decides what a connection waits for next, and for how long.
extension EventLoop {
    /// Ends a connection's turn.
    ///
    /// - Parameter hasMoreRequests: whether it goes on in the loop's next round, with requests that have arrived
    ///   already.
    func settle(_ connection: Connection, hasMoreRequests: Bool = false) {
        guard connections[connection.token] === connection else { return }
        var holdings = connection.holdings
        holdings.moreRequests = hasMoreRequests
        switch connection.life.settle(holdings, isDraining: whenDrained != nil, at: now, timeouts) {
        case .awaitBytes: watch(connection, for: .readable)
        case .awaitRoom: watch(connection, for: .writable)
        case .awaitWork: watch(connection, for: [])
        case .linger:
            connection.socket.shutdownWriting()
            watch(connection, for: .readable)
        case .close: return close(connection)
        }
        count(connection)
        queueIfIdle(connection)
        schedule(connection)
    }

    /// Updates the counts by phase. Most turns end in the phase in which they began.
    private func count(_ connection: Connection) {
        let phase = Int(connection.life.phase.rawValue)
        guard phase != connection.countedPhase else { return }
        counters.phases.add(-1, at: connection.countedPhase)
        counters.phases.add(1, at: phase)
        connection.countedPhase = phase
    }

    /// Makes a system call only if the interest changed.
    private func watch(_ connection: Connection, for interest: Readiness) {
        guard connection.interest != interest else { return }
        connection.interest = interest
        poller.watch(connection, for: interest)
    }

    /// Puts `connection` into the timer wheel, unless it is already there for an earlier time.
    private func schedule(_ connection: Connection) {
        guard connection.life.deadline != .never else { return }
        let tick = wheel.tick(for: connection.life.deadline)
        guard tick < connection.wheelTick else { return }
        connection.wheelTick = tick
        wheel.insert(connection.token, at: tick)
    }

    /// Handles the connections whose tick has come.
    func turnWheel() {
        beginBatch()
        for (token, tick) in wheel.takeDue(at: now) {
            guard let connection = connections[token], connection.wheelTick == tick else { continue }
            connection.wheelTick = .max
            expire(connection)
        }
        endRound()
        endBatch()
    }

    private func expire(_ connection: Connection) {
        guard connection.life.expiry(at: now) != .notYet else { return schedule(connection) }
        // If the loop could not run for a while, the timer may fire before it has read the bytes that arrived in time.
        if connection.interest == .readable, connection.socket.hasArrivals {
            receive(connection)
            guard connections[connection.token] === connection else { return }
        }
        switch connection.life.expiry(at: now) {
        case .notYet: schedule(connection)
        case .close: close(connection)
        case .abort: abort(connection)
        case .giveUp: giveUp(connection)
        case .beat: beat(connection)
        case .refuse(let status, let reason):
            // A surplus line end after the last request does not start another request.
            if connection.input.allSatisfy({ $0 == 13 || $0 == 10 }) { return close(connection) }
            refuse(connection, overdue: RejectedRequest(status, reason))
            flush(connection)
            settle(connection)
        }
    }

    /// Refuses a request that did not arrive in time. Its head is known if the body is what was late.
    private func refuse(_ connection: Connection, overdue rejection: RejectedRequest) {
        let received = connection.input
        connection.input = []
        head.pointee = RequestHead()
        guard connection.body != nil else { return refuse(connection, rejection) }
        connection.body = nil
        received.withUnsafeBytes { bytes in
            _ = parser.parse(bytes, into: &head.pointee)
            refuse(connection, rejection, of: request(bytes, on: connection))
        }
    }

    /// Closes at once, and lets the system forget what the peer has not taken.
    func abort(_ connection: Connection) {
        connection.socket.abortOnClose()
        close(connection)
    }

    /// Starts the timer, which runs only while there are connections.
    func armTimer() {
        guard !timerIsArmed else { return }
        timerIsArmed = true
        let interval = DispatchTimeInterval.milliseconds(Int(timerMilliseconds))
        timer.schedule(
            deadline: .now() + interval, repeating: interval, leeway: .milliseconds(Int(timerMilliseconds) / 4))
    }

    func disarmTimer() {
        timerIsArmed = false
        timer.schedule(deadline: .distantFuture)
    }
}

/// Stores coarsely when connections are due, so that one timer serves all of them.
///
/// If a deadline moves away, as it does with every request, the entry stays in its bucket. When the bucket comes up,
/// the caller checks the connection's deadline and inserts it again. So a request costs the wheel nothing.
struct TimerWheel<Entry> {
    private var buckets: [[Entry]]
    private let resolution: Int64
    /// All earlier ticks have been handled.
    private var nextTick: Int64

    init(resolution milliseconds: Int64, buckets count: Int = 512, startingAt now: MonotonicInstant) {
        resolution = max(milliseconds, 1)
        buckets = Array(repeating: [], count: count)
        nextTick = now.milliseconds / resolution
    }

    /// Returns the tick at which an entry with `deadline` comes up: the first tick after it, or the last tick of the
    /// wheel, from which the entry is inserted again.
    func tick(for deadline: MonotonicInstant) -> Int64 {
        let wanted = deadline == .never ? Int64.max : deadline.milliseconds / resolution + 1
        return min(max(wanted, nextTick), nextTick + Int64(buckets.count) - 1)
    }

    mutating func insert(_ entry: Entry, at tick: Int64) {
        buckets[Int(tick % Int64(buckets.count))].append(entry)
    }

    /// Removes and returns the entries whose tick has come, each with its tick. The caller must insert those again that
    /// are not due yet.
    mutating func takeDue(at now: MonotonicInstant) -> [(entry: Entry, tick: Int64)] {
        let last = now.milliseconds / resolution
        // After a long sleep, every bucket is due once.
        let end = min(last, nextTick + Int64(buckets.count) - 1)
        guard nextTick <= end else { return [] }
        var due: [(entry: Entry, tick: Int64)] = []
        for tick in nextTick...end {
            let bucket = Int(tick % Int64(buckets.count))
            due += buckets[bucket].map { ($0, tick) }
            buckets[bucket] = []
        }
        nextTick = last + 1
        return due
    }
}

/// A point in time on a monotonic clock, in milliseconds. Deadlines are values of this type.
struct MonotonicInstant: Comparable, Hashable, Sendable {
    var milliseconds: Int64

    /// The time on the coarse clock, which is a few milliseconds behind and needs no system call.
    static var now: MonotonicInstant {
        MonotonicInstant(milliseconds: Int64(SystemValues.nanoseconds(on: CLOCK_MONOTONIC_COARSE) / 1_000_000))
    }

    /// Later than any deadline.
    static let never = MonotonicInstant(milliseconds: .max)

    static func < (one: Self, other: Self) -> Bool { one.milliseconds < other.milliseconds }
    static func + (moment: Self, milliseconds: Int64) -> Self {
        MonotonicInstant(milliseconds: moment.milliseconds + milliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, so that a deadline is never early.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 1_000_000_000)
        return bounded * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
