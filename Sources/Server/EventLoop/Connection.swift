/// One client connection, with the state of its requests and responses.
///
/// It belongs to the queue of its event loop. An idle connection is this object only: its arrays own no memory.
final class Connection {
    let socket: Socket
    let token: Token
    let peer: Peer
    /// Whether the peer is a proxy whose `X-Forwarded-Proto` is believed.
    let isTrustedProxy: Bool
    /// (One queue, and no method of a life calls back: there is nothing for a run-time check of exclusive access to
    /// find.)
    @exclusivity(unchecked) var life = ConnectionState()
    var interest = Interest.reading
    /// Set for a connection that is not admitted: it is open until its peer has read that there are too many.
    var isTurnedAway = false
    /// As what it stands in the loop's statistics: the raw value of a ``ConnectionState/Phase``.
    var countedPhase = Int(ConnectionState.Phase.idle.rawValue)
    /// Bytes received and not yet used: an incomplete head, the head of an incomplete body, or whole requests that wait
    /// behind an unfinished response.
    var input: [UInt8] = []
    /// Set while the server reads the body of the request whose head starts `input`.
    var body: UnfinishedBody?
    /// The bytes that the client has not accepted yet.
    var unsent: [Response.Body] = []
    /// Set while the worker pool makes a response.
    var pending: PendingReply?
    /// Set while the rest of a streamed response has not been made yet.
    var stream: OpenStream?
    /// Set while the body of a response stays open.
    var live: OpenLiveBody?
    /// Whether the connection counts among those with such a body, and not among the others.
    var isLive = false
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

/// A body that is being read. It is an object of its own, because most connections never have one and it would double
/// their size.
final class UnfinishedBody {
    var reader: BodyReader
    init(_ reader: BodyReader) { self.reader = reader }
}

/// The data of a request that must be kept while its response is made on the pool.
final class PendingReply {
    let isHead: Bool
    let option: ResponseSerializer.ConnectionOption
    /// When the loop received the request, in nanoseconds.
    let started: Int
    let request: RequestCopy
    /// The ticket of the work at the pool.
    var ticket: WorkPool.Ticket?

    init(isHead: Bool, option: ResponseSerializer.ConnectionOption, started: Int, request: RequestCopy) {
        self.isHead = isHead
        self.option = option
        self.started = started
        self.request = request
    }

    /// The request's target, which decides the format of an error response.
    var target: [UInt8] { request.withRequest { [UInt8]($0.target) } }
}
