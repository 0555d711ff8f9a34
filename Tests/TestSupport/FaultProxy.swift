import Foundation
import Synchronization

/// Stands between the browser and the program, or between an importer and its service, and breaks what a test wants broken.
///
/// One request a connection, both ways. Only requests for what begins with a path, `/fragment`, meet faults and are counted.
public final class FaultProxy: Sendable {
    public enum Fault: Sendable {
        case pass
        /// Passed on after so many seconds.
        case delay(Double)
        /// Kept waiting until `release()`.
        case hold
        /// Kept waiting until `release()`, and then closed without an answer.
        case holdThenCut
        /// Answered here.
        case answer(Int, [String: String] = [:], body: String = "")
        /// Closed without an answer.
        case cut
        /// Closed in the middle of the answer.
        case cutHalfway
    }

    private struct State {
        var queue: [Fault] = []
        var standing = Fault.pass
        var isHolding = true
        /// How often what waited was let go of.
        var releases = 0
        var fragments: [(target: String, time: Double)] = []
        var flights = 0
        var mostFlights = 0
        var isOpen = true
    }

    public let port: Int
    private let upstream: Int
    private let path: String
    private let listener: LoopbackListener
    private let state = Mutex(State())

    public init(to upstream: Int, for path: String = "/fragment") throws {
        self.upstream = upstream
        self.path = path
        listener = try LoopbackListener()
        port = listener.port
        Thread.detachNewThread { [listener, weak self] in
            while let connection = listener.next() {
                Thread.detachNewThread { [weak self] in
                    defer { connection.close() }
                    try? self?.serve(connection)
                }
            }
        }
    }

    public func stop() {
        state.withLock { $0.isOpen = false }
        listener.shutDown()
    }

    /// What happens to the next fragments, one after the other, and then to all others.
    public func set(next queue: [Fault] = [], then standing: Fault = .pass) {
        state.withLock { ($0.queue, $0.standing, $0.isHolding) = (queue, standing, true) }
    }

    /// Lets go of what waits in `hold`, and of what would, unless only of those who wait now.
    public func release(onlyWaiting: Bool = false) {
        state.withLock { state in
            state.isHolding = onlyWaiting
            state.releases += 1
        }
    }

    /// From now on counts anew.
    public func forget() { state.withLock { $0.fragments = [] } }

    /// The fragments that were asked for, in order.
    public var fragments: [String] { state.withLock { $0.fragments.map(\.target) } }

    /// The seconds between each of them and the next.
    public var pauses: [Double] {
        state.withLock { state in zip(state.fragments.dropFirst(), state.fragments).map { $0.time - $1.time } }
    }

    /// The most that were under way at once.
    public var mostFlights: Int { state.withLock { $0.mostFlights } }

    private func serve(_ client: Connection) throws {
        let head = String(decoding: try client.readHead(), as: UTF8.self)
        guard let target = head.split(separator: " ").dropFirst().first.map(String.init) else { return }
        guard target.hasPrefix(path) else { return try client.write(ask(head)) }
        let answer = try answer(to: head, begin(target))
        try client.write(answer)
    }

    /// What comes of a request. Its flight is over then, before the client has its answer and sends the next one.
    private func answer(to head: String, _ fault: Fault) throws -> [UInt8] {
        defer { state.withLock { $0.flights -= 1 } }
        switch fault {
        case .pass: return try ask(head)
        case .delay(let seconds):
            Thread.sleep(forTimeInterval: seconds)
            return try ask(head)
        case .hold:
            waitForRelease()
            return try ask(head)
        case .holdThenCut:
            waitForRelease()
            return []
        case .answer(let status, let headers, let body):
            var text = "HTTP/1.1 \(status) Fault\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            return Array((text + "\r\n" + body).utf8)
        case .cut: return []
        case .cutHalfway: return Array(try ask(head).prefix(900))
        }
    }

    private func waitForRelease() {
        let releases = state.withLock { $0.releases }
        while state.withLock({ $0.isHolding && $0.isOpen && $0.releases == releases }) {
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    private func begin(_ target: String) -> Fault {
        state.withLock { state in
            state.fragments.append((target, ProcessInfo.processInfo.systemUptime))
            state.flights += 1
            state.mostFlights = max(state.mostFlights, state.flights)
            return state.queue.isEmpty ? state.standing : state.queue.removeFirst()
        }
    }

    /// The program's whole answer.
    private func ask(_ head: String) throws -> [UInt8] {
        let server = try Connection(port: upstream)
        defer { server.close() }
        let lines = head.components(separatedBy: "\r\n").filter { !$0.lowercased().hasPrefix("connection:") }
        try server.write(([lines[0], "Connection: close"] + lines.dropFirst()).joined(separator: "\r\n").utf8)
        var answer: [UInt8] = []
        while case let bytes = try server.read(), !bytes.isEmpty { answer += bytes }
        return answer
    }
}
