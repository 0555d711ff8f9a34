import Foundation
import Synchronization

/// A proxy between the browser and the program, or between an importer and its service, that causes the faults a test
/// asks for.
///
/// It handles one request per connection, on both sides. Only requests whose target begins with a given path, by
/// default `/fragment`, are subject to faults and are counted.
public final class FaultProxy: Sendable {
    public enum Fault: Sendable {
        case pass
        /// Passed on after this many seconds.
        case delay(Double)
        /// Held until `release()`.
        case hold
        /// Held until `release()`, and then this.
        indirect case holdThen(Fault)
        /// The response up to the first of these texts, and the rest when a target that contains the second is
        /// requested.
        case holdHalfway(before: String, until: String)
        /// Gets this response from the proxy.
        case answer(Int, [String: String] = [:], body: String = "")
        /// Closed without a response.
        case cut
        /// Closed in the middle of the response.
        case cutHalfway
    }

    private struct State {
        var queue: [Fault] = []
        var standing = Fault.pass
        var isHolding = true
        /// How often held requests were released.
        var releases = 0
        var fragments: [(target: String, time: Double)] = []
        var flights = 0
        var mostFlights = 0
        var isOpen = true
    }

    public let port: Int
    public var url: String { "http://127.0.0.1:\(port)" }
    private let upstream: Int
    private let path: String
    private let listener: LoopbackListener
    private let state = Mutex(State())

    public init(to upstream: Int, for path: String = "/fragment") throws {
        self.upstream = upstream
        self.path = path
        listener = try LoopbackListener()
        port = listener.port
        listener.serveEach { [weak self] in try self?.serve($0) }
    }

    public func stop() {
        state.withLock { $0.isOpen = false }
        listener.shutDown()
    }

    /// Sets the faults of the next requests, one after the other, and the fault of all later ones.
    public func set(next queue: [Fault] = [], then standing: Fault = .pass) {
        state.withLock { ($0.queue, $0.standing, $0.isHolding) = (queue, standing, true) }
    }

    /// Releases the requests held now, and all requests that `hold` would hold later unless `onlyWaiting` is set.
    public func release(onlyWaiting: Bool = false) {
        state.withLock { state in
            state.isHolding = onlyWaiting
            state.releases += 1
        }
    }

    /// Starts counting again.
    public func forget() { state.withLock { $0.fragments = [] } }

    /// The targets of the counted requests, in order.
    public var fragments: [String] { state.withLock { $0.fragments.map(\.target) } }

    /// The seconds between each of these requests and the next.
    public var pauses: [Double] {
        state.withLock { state in zip(state.fragments.dropFirst(), state.fragments).map { $0.time - $1.time } }
    }

    /// The highest number of concurrent requests.
    public var mostFlights: Int { state.withLock { $0.mostFlights } }

    private func serve(_ client: Connection) throws {
        let head = String(decoding: try client.readHead(), as: UTF8.self)
        guard let target = head.split(separator: " ").dropFirst().first.map(String.init) else { return }
        guard target.hasPrefix(path) else { return try client.write(ask(head)) }
        let fault = begin(target)
        var answer = try answer(to: head, fault)
        if case .holdHalfway(let text, let request) = fault {
            let part = try part(of: answer, before: text)
            try client.write(part)
            waitForRequest(request)
            answer.removeFirst(part.count)
        }
        try client.write(answer)
    }

    /// Handles a request. It no longer counts as concurrent before the client has its response and sends the next
    /// request.
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
        case .holdThen(let fault):
            waitForRelease()
            state.withLock { $0.flights += 1 }
            return try self.answer(to: head, fault)
        case .holdHalfway: return try ask(head, isPlain: true)
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

    private func waitForRequest(_ text: String) {
        while state.withLock({ $0.isOpen && !$0.fragments.contains { $0.target.contains(text) } }) {
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    private func part(of answer: [UInt8], before text: String) throws -> ArraySlice<UInt8> {
        let all = String(decoding: answer, as: UTF8.self)
        guard let range = all.range(of: text) else { throw Failure("the response has no “\(text)”") }
        return answer.prefix(all.utf8.distance(from: all.startIndex, to: range.lowerBound))
    }

    private func begin(_ target: String) -> Fault {
        state.withLock { state in
            state.fragments.append((target, ProcessInfo.processInfo.systemUptime))
            state.flights += 1
            state.mostFlights = max(state.mostFlights, state.flights)
            return state.queue.isEmpty ? state.standing : state.queue.removeFirst()
        }
    }

    /// Returns the program's complete response, if `isPlain` neither compressed nor "not modified".
    private func ask(_ head: String, isPlain: Bool = false) throws -> [UInt8] {
        let server = try Connection(port: upstream)
        defer { server.close() }
        let left = ["connection:"] + (isPlain ? ["accept-encoding:", "if-none-match:"] : [])
        let lines = head.components(separatedBy: "\r\n").filter { line in
            !left.contains(where: line.lowercased().hasPrefix)
        }
        try server.write(([lines[0], "Connection: close"] + lines.dropFirst()).joined(separator: "\r\n").utf8)
        var answer: [UInt8] = []
        while case let bytes = try server.read(), !bytes.isEmpty { answer += bytes }
        return answer
    }
}
