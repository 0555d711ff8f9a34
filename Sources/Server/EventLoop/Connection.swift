import Base

/// One client connection, with the state of its requests and responses.
///
/// It belongs to the queue of its event loop. An idle connection is this object only: its arrays own no memory.
final class Connection {
    /// The connections among which it counts.
    enum Place {
        case admitted
        /// Those with a body that stays open.
        case live
        /// Those that are not admitted, and open until their peers have read that there are too many.
        case turnedAway
    }

    let socket: Socket
    let token: Token
    let peer: Peer
    /// Whether the peer is a proxy whose `X-Forwarded-Proto` is believed.
    let isTrustedProxy: Bool
    /// Unchecked exclusivity: a connection belongs to the queue of its event loop, so no two threads use its life. No
    /// method of a life calls anything that could come back to it.
    @exclusivity(unchecked) var life = ConnectionState()
    var interest = Readiness.readable
    var place = Place.admitted
    /// As what it stands in the loop's statistics: the raw value of a ``ConnectionState/Phase``.
    var countedPhase = Int(ConnectionState.Phase.idle.rawValue)
    /// Bytes received and not yet used: an incomplete head, the head of an incomplete body, or whole requests that wait
    /// behind an unfinished response.
    var input: [UInt8] = []
    /// Set while the server reads the body of the request whose head starts `input`. An object of its own, because most
    /// connections never have one and it would double their size.
    var body: OwnedValue<BodyReader>?
    /// The bytes that the client has not accepted yet.
    var unsent: [Response.Body] = []
    /// Set while the worker pool makes a response.
    var pending: PendingReply?
    /// Set while the rest of a streamed response has not been made yet.
    var stream: OpenStream?
    /// Set while the body of a response stays open.
    var live: LiveBody?
    /// Whether a body that is made while it is sent is chunked, so that the client can tell its end from a broken
    /// connection. For an HTTP/1.0 client, the end of the connection ends the body (RFC 9112 §6.3).
    var isChunked = false
    /// The tick at which the timer wheel will check the deadline.
    var wheelTick = Int64.max

    init(socket: Socket, token: Token, peer: Peer, isTrustedProxy: Bool) {
        self.socket = socket
        self.token = token
        self.peer = peer
        self.isTrustedProxy = isTrustedProxy
    }

    var holdings: ConnectionState.PendingState {
        .init(
            unsentAnswer: !unsent.isEmpty, pendingWork: pending != nil || stream != nil,
            incompleteBody: body != nil,
            incompleteHead: !input.isEmpty, liveBody: live != nil)
    }
}

/// Identifies a connection to the poller and to workers. The generation makes sure that a late event for a closed
/// connection does not reach the connection that now uses its slot.
struct Token: Equatable, Sendable {
    var slot: UInt32
    var generation: UInt32

    var bits: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    init(slot: Int, generation: UInt32) {
        self.slot = UInt32(slot)
        self.generation = generation
    }

    init(bits: UInt64) {
        slot = UInt32(truncatingIfNeeded: bits)
        generation = UInt32(truncatingIfNeeded: bits >> 32)
    }
}

/// The data of a request that must be kept while its response is made on the pool.
final class PendingReply {
    let option: ResponseSerializer.ConnectionOption
    /// When the loop received the request, in nanoseconds.
    let started: Int
    let request: RequestCopy
    /// The ticket of the work at the pool.
    var ticket: WorkPool.Ticket?

    init(option: ResponseSerializer.ConnectionOption, started: Int, request: RequestCopy) {
        self.option = option
        self.started = started
        self.request = request
    }
}

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

/// The connections of one event loop, by slot. A free slot is reused with a new generation.
struct ConnectionTable {
    private var slots: ContiguousArray<Connection?> = []
    private var generations: ContiguousArray<UInt32> = []
    private var free: ContiguousArray<Int> = []
    private(set) var count = 0

    /// Creates a connection with a new token, and stores it.
    mutating func insert(_ make: (Token) -> Connection) -> Connection {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(nil)
            generations.append(1)
        }
        let connection = make(Token(slot: slot, generation: generations[slot]))
        slots[slot] = connection
        count += 1
        return connection
    }

    /// The connection that `token` was made for, or `nil` if it is gone.
    subscript(token: Token) -> Connection? {
        let slot = Int(token.slot)
        guard slot < slots.count, generations[slot] == token.generation else { return nil }
        return slots[slot]
    }

    /// The connection that has `slot` now.
    subscript(slot slot: Int) -> Connection? { slot < slots.count ? slots[slot] : nil }

    mutating func remove(_ token: Token) {
        guard self[token] != nil else { return }
        let slot = Int(token.slot)
        slots[slot] = nil
        generations[slot] &+= 1
        free.append(slot)
        count -= 1
    }

    /// All current connections.
    var all: [Connection] { slots.compactMap { $0 } }
}

/// The idle connections of one event loop, by slot, in the order in which they became idle.
///
/// A doubly linked list inside an array: eight bytes a connection, and every operation takes the same few instructions.
struct IdleQueue {
    /// The first link is the ring's start and no connection; slot 0 has the second. A slot that is not in the queue is
    /// linked to itself.
    private var links: ContiguousArray<(previous: UInt32, next: UInt32)> = [(0, 0)]

    /// The slot that has been idle longest.
    var first: Int? { links[0].next == 0 ? nil : Int(links[0].next) - 1 }

    /// Puts `slot` at the end, whether or not it is in the queue.
    mutating func append(_ slot: Int) {
        let index = slot + 1
        while links.count <= index {
            let own = UInt32(links.count)
            links.append((own, own))
        }
        let last = links[0].previous
        guard last != index else { return }
        remove(slot)
        links[index] = (last, 0)
        links[Int(last)].next = UInt32(index)
        links[0].previous = UInt32(index)
    }

    /// Takes `slot` out, if it is in the queue.
    mutating func remove(_ slot: Int) {
        let index = slot + 1
        guard index < links.count else { return }
        let link = links[index]
        links[Int(link.previous)].next = link.next
        links[Int(link.next)].previous = link.previous
        links[index] = (UInt32(index), UInt32(index))
    }
}
