import Dispatch
import Logging

/// Accepts connections on its own queue and distributes them to the event loops in turn.
///
/// All event loops share one listening socket: with several sockets on the same port, the system picks one by a hash
/// and distributes connections unevenly.
///
/// Unchecked: all state that changes is used on `queue` only. The rest are constants, and Dispatch's source, which is
/// started once, before its first event.
final class Acceptor: @unchecked Sendable {
    /// The number of connections accepted at once. Between batches, a call of `stop` can run.
    private static let batch = 1024
    /// How long to wait when no descriptors are left: the waiting connection stays ready, so without a pause this would
    /// spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "rollcall.acceptor")
    private let listener: Listener
    private let loops: [EventLoop]
    private let gauge: ConnectionGauge
    private let admission: ConnectionLimit
    private let logger: Logger
    private let source: any DispatchSourceRead
    /// Sockets that a loop is asked to exchange for an idle connection.
    private let exchanges = DispatchGroup()
    private var turn = 0
    private var isPaused = false
    private var isExhausted = false

    init(_ listener: Listener, loops: [EventLoop], gauge: ConnectionGauge, admission: ConnectionLimit, logger: Logger) {
        self.listener = listener
        self.loops = loops
        self.gauge = gauge
        self.admission = admission
        self.logger = logger
        source = DispatchSource.makeReadSource(fileDescriptor: listener.socket.descriptor, queue: queue)
    }

    func start() {
        source.setEventHandler { [self] in acceptSome(Self.batch) }
        source.resume()
    }

    /// Accepts the connections that have arrived, then closes the listening socket. `done` runs when every accepted
    /// connection has been passed to its event loop.
    func stop(then done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            acceptSome(Int(Listener.backlog))
            source.setCancelHandler { [self] in
                source.setEventHandler(handler: nil)
                exchanges.notify(queue: queue) { [self] in
                    listener.close()
                    done()
                }
            }
            source.cancel()
            endPause()
        }
    }

    /// Accepts at most `count` connections. The system reports the rest again.
    private func acceptSome(_ count: Int) {
        for _ in 0..<count {
            switch listener.socket.accept() {
            case .connection(let socket, let peer):
                if isExhausted { recover() }
                deal(socket, peer)
            case .lost: continue
            case .nothingMore: return
            case .exhausted(let message): return pause(message)
            }
        }
    }

    private func deal(_ socket: Socket, _ peer: Peer) {
        guard let open = gauge.admit(peer) else {
            return refuse(socket, peer, "Too many connections from your address are open; close some and try again.")
        }
        guard open <= admission.maxConnections else { return exchange(socket, peer, among: loops) }
        let loop = nextLoop()
        loop.perform { loop.adopt(socket, peer) }
    }

    private func nextLoop() -> EventLoop {
        defer { turn = (turn + 1) % loops.count }
        return loops[turn]
    }

    /// Hands the socket to the loop with the connection that has been idle longest, which closes that connection for
    /// it. If it has none any more, the next one of `candidates` is asked.
    private func exchange(_ socket: Socket, _ peer: Peer, among candidates: [EventLoop]) {
        guard let loop = candidates.min(by: { $0.idleSince < $1.idleSince }), loop.idleSince != .never else {
            gauge.leave(peer)
            return refuse(socket, peer, "Too many connections are open; try again in a moment.")
        }
        exchanges.enter()
        loop.perform { [self] in
            guard !loop.adopt(socket, inPlaceOfIdle: peer) else { return exchanges.leave() }
            queue.async { [self] in
                exchange(socket, peer, among: candidates.filter { $0 !== loop })
                exchanges.leave()
            }
        }
    }

    /// Has a loop answer with 503 and close the connection.
    private func refuse(_ socket: Socket, _ peer: Peer, _ reason: String) {
        guard gauge.turnAway() <= admission.maxTurnedAway else {
            gauge.leaveTurnedAway()
            return socket.close()
        }
        let loop = nextLoop()
        loop.perform { loop.turnAway(socket, peer, RejectedRequest(.serviceUnavailable, reason)) }
    }

    private func pause(_ message: String) {
        guard !isPaused, !source.isCancelled else { return }
        isPaused = true
        if !isExhausted { logger.error("cannot accept connections at the moment: \(message)") }
        isExhausted = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + Self.pause) { [self] in endPause() }
    }

    private func recover() {
        isExhausted = false
        logger.notice("accepts connections again")
    }

    private func endPause() {
        guard isPaused else { return }
        isPaused = false
        source.resume()
    }
}
