import Foundation
import Synchronization

/// Clients that ask one request after the other, as fast as they are answered, each on a connection that it keeps.
///
/// A client whose connection is said to end opens another, until ``finish()``, or until nobody listens any more.
public final class Load: Sendable {
    public struct Count: Sendable {
        public var answered = 0
        /// Connections that were opened.
        public var connections = 0
        /// Attempts to connect that failed.
        public var refused = 0
        /// Requests on a connection that had been answered before: sent, and neither answered nor told that it ends.
        public var lost = 0
        /// The same for the first request of a connection, which the system may have taken without anybody accepting it.
        public var lostAtFirst = 0
        /// The same for requests that came so late that a server which ends had stopped to wait for them.
        public var late = 0
        public var wrong: [String] = []
    }

    /// How long a server that ends waits at least for the next request after it has answered one.
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

    /// Waits until so many more requests are answered.
    public func waitForAnswers(_ more: Int) throws {
        let goal = now.answered + more
        for _ in 0..<12_000 {
            if now.answered >= goal { return }
            Thread.sleep(forTimeInterval: 0.005)
        }
        throw Failure("expected \(more) more answers: \(now)")
    }

    /// Lets every client finish its request, and tells what became of all.
    public func finish() -> Count {
        isOver.store(true, ordering: .relaxed)
        return wait()
    }

    /// Waits until every client has found nobody listening.
    public func wait() -> Count {
        clients.wait()
        return now
    }

    /// Uses one connection up; `false` if there was none to be had.
    private func use(_ connect: () throws -> Connection, _ target: String) -> Bool {
        // From before what the server does: it counts from then on at the earliest.
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
