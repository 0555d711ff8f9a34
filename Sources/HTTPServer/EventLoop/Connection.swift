import HTTP

/// One peer, and what is known of the requests and answers on their way.
///
/// It belongs to the queue of its event loop. An idle one is this object and nothing else: its arrays have no memory.
final class Connection {
    let socket: Socket
    let token: Token
    let peer: Peer
    /// Whether the peer is a proxy whose `X-Forwarded-Proto` is believed.
    let isTrustedProxy: Bool
    /// (One queue, and no method of a life calls back: there is nothing for a run-time check of exclusive access to find.)
    @exclusivity(unchecked) var life = ConnectionState()
    var interest = Interest.reading
    /// Set for a connection that is not admitted: it is open until its peer has read that there are too many.
    var isTurnedAway = false
    /// As what it stands in the loop's statistics: the raw value of a ``ConnectionState/Phase``.
    var countedPhase = Int(ConnectionState.Phase.idle.rawValue)
    /// Bytes received and not yet used: an incomplete head, the head of an incomplete body, or whole requests that wait
    /// for their turn behind an answer.
    var input: [UInt8] = []
    /// Set while the body of the request whose head starts `input` is being read.
    var body: UnfinishedBody?
    /// What the peer has not taken yet.
    var unsent: [Response.Body] = []
    /// Set while an answer is being made on the worker pool.
    var pending: PendingReply?
    /// Set while the rest of an answer is yet to be made.
    var stream: OpenStream?
    /// The tick at which the timer wheel will ask for the deadline.
    var wheelTick = Int64.max
    /// The dispatch sources, with the transport that has some for each connection.
    var sources: ConnectionSources?

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
            incompleteHead: !input.isEmpty)
    }
}

/// Names a connection for the transport and for workers. The generation makes it certain that what comes late, for a
/// connection that is gone, does not meet the one that took its place.
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

/// Apart from the connection, because most never have one and it would double their size.
final class UnfinishedBody {
    var reader: BodyReader
    init(_ reader: BodyReader) { self.reader = reader }
}

/// What must be remembered of a request while its answer is made elsewhere.
final class PendingReply {
    let isHead: Bool
    let option: ResponseSerializer.ConnectionOption
    /// When the loop learned of the request, in nanoseconds.
    let started: Int
    /// The id that the request came with.
    let id: [UInt8]?
    /// For the access log: a copy of the request, where there is a log.
    let logged: LoggedRequest?
    /// Of the work at the pool.
    var ticket: WorkPool.Ticket?
    /// The request's target, which says in what form a refusal is wanted.
    var target: [UInt8] = []

    init(
        isHead: Bool, option: ResponseSerializer.ConnectionOption, started: Int, id: [UInt8]?,
        logged: LoggedRequest?
    ) {
        self.isHead = isHead
        self.option = option
        self.started = started
        self.id = id
        self.logged = logged
    }
}
