import Foundation
import Synchronization

/// Clients that send one request after the other on a persistent connection, as fast as responses arrive.
///
/// A client whose connection is announced to close opens another one, until ``finish()``, or until nobody listens any
/// more.
public final class Load: Sendable {
    public struct Count: Sendable {
        public var answered = 0
        /// Connections that were opened.
        public var connections = 0
        /// Failed attempts to connect.
        public var refused = 0
        /// Requests lost on a connection that had delivered a response before: sent, with neither a response nor an
        /// announcement that the connection closes.
        public var lost = 0
        /// The same for the first request of a connection, which the system may have accepted without the server.
        public var lostAtFirst = 0
        /// The same for requests so late that a stopping server no longer waited for them.
        public var late = 0
        public var wrong: [String] = []
    }

    /// The shortest time that a stopping server waits for the next request after a response.
    private static let lastCall = Duration.milliseconds(900)

    private let count = Mutex(Count())
    private let isOver = Atomic(false)
    private let clients = DispatchGroup()

    public init(clients number: Int, target: String, connect: @escaping @Sendable () throws -> Connection) {
        for _ in 0..<number {
            clients.enter()
            Thread.detachNewThread { [self] in
                while !isOver.load(ordering: .relaxed), use(connect, target) {}
                clients.leave()
            }
        }
    }

    public var now: Count { count.withLock { $0 } }

    /// Waits for this many more responses.
    public func waitForAnswers(_ more: Int) throws {
        let goal = now.answered + more
        try eventually("\(goal) responses arrive") { now.answered >= goal }
    }

    /// Lets every client finish its request, and returns the counts.
    public func finish() -> Count {
        isOver.store(true, ordering: .relaxed)
        return wait()
    }

    /// Waits until every client has found nobody listening.
    public func wait() -> Count {
        clients.wait()
        return now
    }

    /// Uses one connection until it ends. Returns `false` if none could be opened.
    private func use(_ connect: () throws -> Connection, _ target: String) -> Bool {
        // Taken before the request: the server's own timer starts no earlier.
        var start = ContinuousClock.now
        guard let connection = try? connect() else {
            count.withLock { $0.refused += 1 }
            return false
        }
        defer { connection.close() }
        count.withLock { $0.connections += 1 }
        var isFirst = true
        while !isOver.load(ordering: .relaxed) {
            let next = ContinuousClock.now
            let request = Result {
                try connection.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            }
            let isLate = ContinuousClock.now - start >= Self.lastCall
            guard case .success = request, let answer = try? Exchange(readFrom: connection) else {
                count.withLock { count in
                    if isLate { count.late += 1 } else if isFirst { count.lostAtFirst += 1 } else { count.lost += 1 }
                }
                return true
            }
            (start, isFirst) = (next, false)
            count.withLock {
                $0.answered += 1
                if answer.status != 200 { $0.wrong.append("\(answer.status)") }
            }
            if answer.isLast { return true }
        }
        return true
    }
}
