import HTTP

/// What a connection is doing and until when it may: told what happened and what time it is, it says what to do next.
struct ConnectionState: Equatable, Sendable {
    enum Phase: UInt8, CaseIterable, Sendable {
        /// Between requests, with nothing received.
        case idle
        case readingHead, readingBody
        /// Its answer is being made on the worker pool.
        case working
        /// The peer has yet to take what was written.
        case writing
        /// Everything is said; waiting for the peer to close.
        case lingering
        /// The server drains, and this peer was not told: a request may be on its way.
        case leaving
    }

    /// What the connection holds when its turn ends.
    struct PendingState: Equatable, Sendable {
        var unsentAnswer = false
        var pendingWork = false
        var incompleteBody = false
        var incompleteHead = false
        /// Its turn ended before all requests that have arrived were answered.
        var moreRequests = false
    }

    enum Step: Equatable, Sendable {
        case awaitBytes, awaitRoom, awaitWork
        /// Say that nothing more comes, and wait for the peer to say it, too.
        case linger
        case close
    }

    enum Expiry: Equatable, Sendable {
        case notYet
        case close
        /// Drop what the peer has not taken.
        case abort
        /// Stop to wait for the answer that is being made.
        case giveUp
        case refuse(Status, String)
    }

    private(set) var phase = Phase.idle
    private(set) var deadline = MonotonicInstant.never
    /// The last answer has been written, or is about to be: no more requests are read.
    var isClosing = false
    /// The peer said that it sends nothing more; what it sent before is answered.
    var peerHasEnded = false
    /// Writing failed: nobody is there any more.
    var isBroken = false

    /// Notes that a request was read whole: the next one has its own time.
    mutating func finishedRequest() { phase = .idle }

    /// Notes that the peer took some of its answer, or that some more of it was made.
    mutating func madeProgress(at now: MonotonicInstant, _ timeouts: Timeouts) {
        if phase == .writing { deadline = now + timeouts.write }
        if phase == .working { deadline = now + timeouts.answer }
    }

    /// Decides at the end of a turn.
    mutating func settle(_ holdings: PendingState, isDraining: Bool, at now: MonotonicInstant, _ timeouts: Timeouts) -> Step {
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
        if isClosing {
            enter(.lingering, until: now + timeouts.linger)
            return .linger
        }
        if holdings.incompleteBody {
            enter(.readingBody, until: now + timeouts.body)
        } else if holdings.incompleteHead {
            enter(.readingHead, until: now + timeouts.head)
        } else if isDraining {
            // Counted from its last answer: who has been silent for longer is closed at once.
            let since = phase == .idle && deadline != .never ? deadline + -timeouts.idle : now
            enter(.leaving, until: since + timeouts.lastCall)
            if now >= deadline { return .close }
        } else {
            phase = .idle
            deadline = now + timeouts.idle
        }
        return .awaitBytes
    }

    /// A phase that goes on keeps its deadline: bytes that drip in buy no time.
    private mutating func enter(_ next: Phase, until: MonotonicInstant) {
        guard phase != next else { return }
        phase = next
        deadline = until
    }

    /// Decides when the clock has moved on.
    func expiry(at now: MonotonicInstant) -> Expiry {
        guard now >= deadline else { return .notYet }
        switch phase {
        case .idle, .lingering, .leaving: return .close
        case .working: return .giveUp
        case .readingHead: return .refuse(.requestTimeout, "The request head did not arrive in time.")
        case .readingBody: return .refuse(.requestTimeout, "The request's body did not arrive in time.")
        case .writing: return .abort
        }
    }

    /// `Server.Timeouts`, in the unit of `MonotonicInstant`.
    struct Timeouts: Equatable, Sendable {
        var head, body, answer, idle, write, linger, lastCall: Int64

        init(_ timeouts: Server.Timeouts) {
            head = timeouts.head.wholeMilliseconds
            body = timeouts.body.wholeMilliseconds
            answer = timeouts.answer.wholeMilliseconds
            idle = timeouts.idle.wholeMilliseconds
            write = timeouts.write.wholeMilliseconds
            linger = timeouts.linger.wholeMilliseconds
            lastCall = timeouts.lastCall.wholeMilliseconds
        }

        var shortest: Int64 {
            min(min(head, body), min(answer, idle), min(write, linger), lastCall)
        }
    }
}
