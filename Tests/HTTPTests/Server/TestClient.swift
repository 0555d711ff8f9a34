import Foundation
import Server
import TestSupport

/// A blocking client that sends exactly the given bytes. A minute without data counts as the end of the connection.
final class TestClient {
    private let connection: TestSupport.Connection
    private var isReset = false
    private var received: [UInt8] = []
    private var text: String { String(decoding: received, as: UTF8.self) }

    /// - Parameter receiveBuffer: A small buffer makes the client slow from the start.
    init(_ address: Server.Address, receiveBuffer: Int32? = nil) throws {
        switch address {
        case .tcp(_, let port): connection = try .init(port: port, receiveBuffer: receiveBuffer)
        case .unix(let path): connection = try .init(path: path)
        case .descriptor: throw CocoaError(.featureUnsupported)
        }
    }

    deinit { if !isReset { connection.close() } }

    /// Sends all bytes, or as many as the server accepts.
    func send(_ text: String) { send(bytes: Array(text.utf8)) }

    func send(bytes: [UInt8]) { try? connection.write(bytes) }

    /// Sends a request for each of these targets, without waiting for responses.
    func ask(_ targets: String...) {
        send(targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    }

    func get(_ target: String, _ fields: String = "") throws -> Exchange {
        send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        return try answer()
    }

    func endSending() { connection.endWriting() }

    func reset() {
        connection.reset()
        isReset = true
    }

    /// Receives some bytes. Returns `false` at the end.
    private func receive() -> Bool {
        guard let more = connection.read(within: 60_000), !more.isEmpty else { return false }
        received += more
        return true
    }

    struct Ended: Error { var received: String }

    func answer(hasBody: Bool = true) throws -> Exchange {
        while true {
            if let end = received.firstRange(of: "\r\n\r\n".utf8)?.upperBound {
                var answer = try Exchange(head: received[..<end], body: [])
                let length = hasBody ? answer.length ?? 0 : 0
                while received.count < end + length { guard receive() else { throw Ended(received: text) } }
                answer.body = Array(received[end..<(end + length)])
                received.removeFirst(end + length)
                return answer
            }
            guard receive() else { throw Ended(received: text) }
        }
    }

    /// Returns everything up to and including `end`, which must come last.
    func text(until end: String) throws -> String {
        while !text.hasSuffix(end) { guard receive() else { throw Ended(received: text) } }
        defer { received = [] }
        return text
    }

    /// Returns everything up to the end of the connection.
    func bytesToTheEnd() -> [UInt8] {
        while receive() {}
        defer { received = [] }
        return received
    }

    func rest() -> String { String(decoding: bytesToTheEnd(), as: UTF8.self) }

    /// Whether the server closed or reset the connection without sending more.
    func isClosed() -> Bool { received.isEmpty && connection.read(within: 60_000)?.isEmpty == true }
}
