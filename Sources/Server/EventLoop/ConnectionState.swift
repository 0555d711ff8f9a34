/// The phase and deadline of a connection. It receives events and the time, and decides what to do next.
struct ConnectionState: Equatable, Sendable {
    enum Phase: UInt8, CaseIterable, Sendable {
        /// Between requests, with nothing received.
        case idle
        case readingHead, readingBody
        /// The worker pool is making its response.
        case working
        /// The client has not yet accepted everything that was written.
        case writing
        /// The body of its response stays open.
        case live
        /// The last response was written; the server waits for the client to close.
        case lingering
        /// The server drains, and this client has not been told: a request may be on its way.
        case leaving
    }

    /// The unfinished work of the connection when its turn ends.
    struct PendingState: Equatable, Sendable {
        var unsentAnswer = false
        var pendingWork = false
        var incompleteBody = false
        var incompleteHead = false
        /// The body of its response stays open.
        var liveBody = false
        /// Its turn ended before all requests that have arrived were answered.
        var moreRequests = false
    }

    enum Step: Equatable, Sendable {
        case awaitBytes, awaitRoom, awaitWork
        /// Shut down the sending side and wait for the client to do the same.
        case linger
        case close
    }

    enum Expiry: Equatable, Sendable {
        case notYet
        case close
        /// Discard the bytes that the client has not received.
        case abort
        /// Stop waiting for the response that is being made.
        case giveUp
        /// Send the heartbeat of the body that stays open.
        case beat
        case refuse(Status, String)
    }

    private(set) var phase = Phase.idle
    private(set) var deadline = MonotonicInstant.never
    /// The last response has been written or is about to be: no more requests are read.
    var isClosing = false
    /// The client sends no more bytes. The requests that it sent before still get responses.
    var peerHasEnded = false
    /// Writing failed: the client is gone.
    var isBroken = false

    /// Records that a request was read whole. The next one gets its own deadline.
    mutating func finishedRequest() { phase = .idle }

    /// Records that the client accepted some of its response, or that more of it was made.
    mutating func madeProgress(at now: MonotonicInstant, _ timeouts: Timeouts) {
        if phase == .writing { deadline = now + timeouts.write }
        if phase == .working { deadline = now + timeouts.answer }
    }

    /// Records that something was written to a body that stays open. The next heartbeat is due up to a quarter of the
    /// interval earlier, by `slot`: bodies that were written to at once have their heartbeats at different times.
    mutating func wroteLive(slot: UInt32, at now: MonotonicInstant, _ timeouts: Timeouts) {
        guard phase == .live else { return }
        deadline = now + (timeouts.heartbeat - timeouts.heartbeat / 4 * Int64(slot % 64) / 64)
    }

    /// Returns the next step at the end of a turn.
    mutating func settle(
        _ holdings: PendingState, isDraining: Bool, at now: MonotonicInstant, _ timeouts: Timeouts
    ) -> Step {
        if isBroken { return .close }
        // A socket with room for bytes is reported at once, after the other connections that are ready.
        if holdings.unsentAnswer || holdings.moreRequests {
            enter(.writing, until: now + timeouts.write)
            return .awaitRoom
        }
        if holdings.pendingWork {
            enter(.working, until: now + timeouts.answer)
            return .awaitWork
        }
        if peerHasEnded { return .close }
        if holdings.liveBody {
            enter(.live, until: now + timeouts.heartbeat)
            return .awaitBytes
        }
        if isClosing {
            enter(.lingering, until: now + timeouts.linger)
            return .linger
        }
        if holdings.incompleteBody {
            enter(.readingBody, until: now + timeouts.body)
        } else if holdings.incompleteHead {
            enter(.readingHead, until: now + timeouts.head)
        } else if isDraining {
            // The time counts from its last response: a connection that has been silent for longer is closed at once.
            let since = phase == .idle && deadline != .never ? deadline + -timeouts.idle : now
            enter(.leaving, until: since + timeouts.lastCall)
            if now >= deadline { return .close }
        } else {
            phase = .idle
            deadline = now + timeouts.idle
        }
        return .awaitBytes
    }

    /// A phase that continues keeps its deadline: bytes that arrive slowly do not extend it.
    private mutating func enter(_ next: Phase, until: MonotonicInstant) {
        guard phase != next else { return }
        phase = next
        deadline = until
    }

    /// Returns what to do when the clock has advanced.
    func expiry(at now: MonotonicInstant) -> Expiry {
        guard now >= deadline else { return .notYet }
        switch phase {
        case .idle, .lingering, .leaving: return .close
        case .working: return .giveUp
        case .live: return .beat
        case .readingHead: return .refuse(.requestTimeout, "The request head did not arrive in time.")
        case .readingBody: return .refuse(.requestTimeout, "The request's body did not arrive in time.")
        case .writing: return .abort
        }
    }

    /// `Server.Timeouts` in milliseconds, the unit of `MonotonicInstant`.
    struct Timeouts: Equatable, Sendable {
        var head, body, answer, idle, write, linger, lastCall, heartbeat: Int64

        init(_ timeouts: Server.Timeouts) {
            head = timeouts.head.wholeMilliseconds
            body = timeouts.body.wholeMilliseconds
            answer = timeouts.answer.wholeMilliseconds
            idle = timeouts.idle.wholeMilliseconds
            write = timeouts.write.wholeMilliseconds
            linger = timeouts.linger.wholeMilliseconds
            lastCall = timeouts.lastCall.wholeMilliseconds
            heartbeat = timeouts.heartbeat.wholeMilliseconds
        }

        var shortest: Int64 {
            min(min(head, body), min(answer, idle), min(write, linger), min(lastCall, heartbeat))
        }
    }
}
