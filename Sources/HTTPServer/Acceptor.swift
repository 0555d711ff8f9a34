import Dispatch
import Logging

/// Accepts connections on a queue of its own and deals them out to the event loops in turn.
///
/// One for all: several listening sockets on the same port get connections by a hash, and unevenly.
///
/// `@unchecked Sendable`: everything that changes is used on `queue` only.
final class Acceptor: @unchecked Sendable {
    /// Connections past the limit that are still told so; past these they are closed without a word.
    private static let maxTold = 1024
    /// Out of descriptors, the waiting connection stays ready: without a pause this would spin.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "rollcall.acceptor")
    private let listener: Listener
    private let loops: [EventLoop]
    private let gauge: ConnectionGauge
    private let maxConnections: Int
    private let logger: Logger
    private let source: any DispatchSourceRead
    private var turn = 0
    private var isPaused = false

    init(_ listener: Listener, loops: [EventLoop], gauge: ConnectionGauge, maxConnections: Int, logger: Logger) {
        self.listener = listener
        self.loops = loops
        self.gauge = gauge
        self.maxConnections = maxConnections
        self.logger = logger
        source = DispatchSource.makeReadSource(fileDescriptor: listener.socket.descriptor, queue: queue)
    }

    func start() {
        source.setEventHandler { [self] in acceptAll() }
        source.resume()
    }

    /// Takes what has arrived, then closes the listening socket; `done` runs when everything accepted is with its loop.
    func stop(then done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            acceptAll()
            source.setCancelHandler { [self] in
                listener.close()
                source.setEventHandler(handler: nil)
                done()
            }
            source.cancel()
            if isPaused { endPause() }
        }
    }

    private func acceptAll() {
        while true {
            switch listener.socket.accept() {
            case .connection(let socket, let peer): deal(socket, peer)
            case .lost: continue
            case .nothingMore: return
            case .exhausted(let message): return pause(message)
            }
        }
    }

    private func deal(_ socket: Socket, _ peer: Peer) {
        let open = gauge.opened()
        guard open <= maxConnections + Self.maxTold else {
            gauge.closed()
            return socket.close()
        }
        let loop = loops[turn]
        turn = (turn + 1) % loops.count
        let isOneTooMany = open > maxConnections
        loop.perform { loop.adopt(socket, peer, isOneTooMany: isOneTooMany) }
    }

    private func pause(_ message: String) {
        guard !isPaused, !source.isCancelled else { return }
        isPaused = true
        logger.error("cannot accept connections at the moment: \(message)")
        source.suspend()
        queue.asyncAfter(deadline: .now() + Self.pause) { [self] in
            if isPaused { endPause() }
        }
    }

    private func endPause() {
        isPaused = false
        source.resume()
    }
}
