import Dispatch
import Logging

/// Accepts connections on a queue of its own and deals them out to the event loops in turn.
///
/// One for all: several listening sockets on the same port get connections by a hash, and unevenly.
///
/// `@unchecked Sendable`: everything that changes is used on `queue` only.
final class Acceptor: @unchecked Sendable {
    /// So many are accepted in one go; then whoever wants to stop the acceptor has a turn.
    private static let batch = 1024
    /// Out of descriptors, the waiting connection stays ready: without a pause this would spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "rollcall.acceptor")
    private let listener: Listener
    private let loops: [EventLoop]
    private let gauge: ConnectionGauge
    private let admission: Admission
    private let logger: Logger
    private let source: any DispatchSourceRead
    private var turn = 0
    private var isPaused = false
    private var isExhausted = false

    init(_ listener: Listener, loops: [EventLoop], gauge: ConnectionGauge, admission: Admission, logger: Logger) {
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

    /// Takes what has arrived, then closes the listening socket; `done` runs when everything accepted is with its loop.
    func stop(then done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            acceptSome(Int(Listener.backlog))
            source.setCancelHandler { [self] in
                listener.close()
                source.setEventHandler(handler: nil)
                done()
            }
            source.cancel()
            if isPaused { endPause() }
        }
    }

    /// What is left after `count` is reported again.
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
        let open = gauge.opened()
        guard open <= admission.maxOpen else {
            gauge.closed()
            gauge.refused.add(1)
            return socket.close()
        }
        let loop = loops[turn]
        turn = (turn + 1) % loops.count
        let isOneTooMany = open > admission.maxConnections
        if isOneTooMany { gauge.refused.add(1) }
        loop.perform { loop.adopt(socket, peer, isOneTooMany: isOneTooMany) }
    }

    private func pause(_ message: String) {
        guard !isPaused, !source.isCancelled else { return }
        isPaused = true
        if !isExhausted { logger.error("cannot accept connections at the moment: \(message)") }
        isExhausted = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + Self.pause) { [self] in
            if isPaused { endPause() }
        }
    }

    private func recover() {
        isExhausted = false
        logger.notice("accepts connections again")
    }

    private func endPause() {
        isPaused = false
        source.resume()
    }
}
