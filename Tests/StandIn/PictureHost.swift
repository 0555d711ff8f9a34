import Base
import Foundation
import PictureFiles
import Synchronization
import TestSupport

/// A stand-in for a host of pictures, with every fault that such hosts have. It speaks HTTP on sockets of its own, so
/// that it can send what no server sends, and it counts connections.
public final class PictureHost: Sendable {
    /// A request that the stand-in received.
    public struct Asked: Sendable {
        public var target: String
        /// The header fields, by lower-case name.
        public var fields: [String: String]
        public var time: ContinuousClock.Instant
    }

    public enum Behaviour: Sendable {
        /// Picture `number`, with validators; 304 if they match.
        case picture(Int)
        /// Picture `number`, without validators, gzip-coded.
        case gzipped(Int)
        case answer(Int, [String: String] = [:], [UInt8] = [])
        case moved(to: String)
        /// A body without an end.
        case endless
        /// A body of one byte a second.
        case drip
        /// A picture that ends in the middle.
        case cut
        /// No response at all.
        case silence
        /// A picture after this many seconds.
        case late(Double, Int)
    }

    private struct State {
        var log: [Asked] = []
        var open = 0
        var mostOpen = 0
        var active = 0
        var mostActive = 0
        var bodyBytes = 0
        var statuses: [Int: Int] = [:]
        var isStopped = false
    }

    public let host: String
    public let port: Int
    private let listener: LoopbackListener
    private let state = Mutex(State())
    private let behaviour: @Sendable (Asked) -> Behaviour

    /// - Parameter behaviour: By default, ``byPath(_:)``.
    public init(
        host: String = "127.0.0.2", behaviour: @escaping @Sendable (Asked) -> Behaviour = PictureHost.byPath
    ) throws {
        self.host = host
        self.behaviour = behaviour
        listener = try LoopbackListener(host: host)
        port = listener.port
        listener.serveEach { [weak self] in self?.serve($0) }
    }

    deinit { listener.shutDown() }

    public func stop() {
        state.withLock { $0.isStopped = true }
        listener.shutDown()
    }

    public var url: String { "http://\(host):\(port)" }
    public var log: [Asked] { state.withLock(\.log) }
    public var count: Int { state.withLock { $0.log.count } }
    public var targets: [String] { log.map(\.target) }
    /// The number of body bytes sent.
    public var bodyBytes: Int { state.withLock(\.bodyBytes) }
    /// The number of responses by status.
    public var statuses: [Int: Int] { state.withLock(\.statuses) }
    /// The highest number of connections that were open at the same time.
    public var mostConnections: Int { state.withLock(\.mostOpen) }
    /// The highest number of requests that were under way at the same time.
    public var mostRequests: Int { state.withLock(\.mostActive) }

    /// The highest number of requests within a second.
    public var mostRequestsInASecond: Int {
        let times = log.map(\.time).sorted()
        var (first, most) = (0, 0)
        for (index, time) in times.enumerated() {
            while time - times[first] >= .seconds(1) { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    public func clearLog() { state.withLock { ($0.log, $0.bodyBytes, $0.statuses) = ([], 0, [:]) } }

    /// `/picture/7` is picture 7; `/moved/2/picture/7` leads there by two redirects; `/missing`, `/gone`, `/broken`,
    /// `/text`, `/endless` and so on are faults.
    public static func byPath(_ asked: Asked) -> Behaviour {
        let parts = asked.target.split { "/?".contains($0) }.map(String.init)
        let number = parts.last.flatMap { Int($0) } ?? 0
        switch parts.first {
        case "picture": return .picture(number)
        case "gzip": return .gzipped(number)
        case "moved":
            let left = Int(parts.dropFirst().first ?? "") ?? 1
            let rest = parts.dropFirst(2).joined(separator: "/")
            return .moved(to: left > 1 ? "/moved/\(left - 1)/\(rest)" : "/\(rest)")
        case "loop": return .moved(to: asked.target)
        case "scheme": return .moved(to: "file:///etc/passwd")
        case "missing": return .answer(404)
        case "gone": return .answer(410)
        case "limited": return .answer(429, ["Retry-After": "3600"])
        case "broken": return .answer(500)
        case "text": return .answer(200, ["Content-Type": "image/png"], Array("<!doctype html><p>no picture".utf8))
        case "endless": return .endless
        case "drip": return .drip
        case "cut": return .cut
        case "silence": return .silence
        default: return .answer(404)
        }
    }

    private func serve(_ connection: Connection) {
        state.withLock { state in
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
        }
        defer { state.withLock { $0.open -= 1 } }
        while let head = try? connection.readHead(), !head.isEmpty, !state.withLock(\.isStopped) {
            let asked = Self.asked(String(decoding: head, as: UTF8.self))
            state.withLock { state in
                state.log.append(asked)
                state.active += 1
                state.mostActive = max(state.mostActive, state.active)
            }
            let isKept = (try? answer(asked, connection)) ?? false
            if !isKept { return }
        }
    }

    private static func asked(_ head: String) -> Asked {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        return Asked(target: words.count > 1 ? String(words[1]) : "", fields: Exchange.fields(lines), time: .now)
    }

    /// Answers a request. Returns whether the connection can be used again. A request is over before the last byte of
    /// its response is sent: the client may send the next one then.
    private func answer(_ asked: Asked, _ connection: Connection) throws -> Bool {
        var isOver = false
        func end() {
            if !isOver { state.withLock { $0.active -= 1 } }
            isOver = true
        }
        defer { end() }
        func send(_ status: Int, _ fields: [String: String] = [:], _ body: [UInt8] = []) throws -> Bool {
            let lines = fields.map { "\($0): \($1)\r\n" }.sorted().joined()
            let head = "HTTP/1.1 \(status) X\r\n\(lines)Content-Length: \(body.count)\r\n\r\n"
            state.withLock { state in
                state.bodyBytes += body.count
                state.statuses[status, default: 0] += 1
            }
            end()
            try connection.write(Array(head.utf8) + (status == 304 ? [] : body))
            return true
        }
        func picture(_ number: Int) throws -> Bool {
            let tag = "\"\(number)\""
            let fields = ["ETag": tag, "Content-Type": "image/png"]
            if asked.fields["if-none-match"] == tag { return try send(304, fields) }
            return try send(200, fields, Self.png(number))
        }
        switch behaviour(asked) {
        case .picture(let number): return try picture(number)
        case .late(let seconds, let number):
            Thread.sleep(forTimeInterval: seconds)
            return try picture(number)
        case .gzipped(let number): return try send(200, ["Content-Encoding": "gzip"], Gzip.compressed(Self.png(number)))
        case .answer(let status, let fields, let body): return try send(status, fields, body)
        case .moved(let link): return try send(301, ["Location": link])
        case .endless:
            try connection.write("HTTP/1.1 200 X\r\nContent-Type: image/png\r\n\r\n".utf8)
            while true { try connection.write([UInt8](repeating: 0x89, count: 65_536)) }
        case .drip:
            try connection.write("HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n".utf8)
            while true {
                try connection.write([0x89])
                Thread.sleep(forTimeInterval: 1)
            }
        case .cut:
            let body = Self.png(1)
            try connection.write("HTTP/1.1 200 X\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
            try connection.write(body.prefix(body.count / 2))
            return false
        case .silence:
            while try !connection.read().isEmpty {}
            return false
        }
    }
}

extension PictureHost {
    /// A square of one colour: each number has its own.
    fileprivate static func png(_ number: Int) -> [UInt8] {
        let mixed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
        let colour = TestImage.Pixel(UInt8(mixed >> 24), UInt8(mixed >> 16 & 0xFF), UInt8(mixed >> 8 & 0xFF), 255)
        return TestImage.plain(colour, width: 24, height: 24).png()
    }
}
