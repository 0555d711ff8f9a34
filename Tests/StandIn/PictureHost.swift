import Foundation
import Base
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
        Thread.detachNewThread { [listener, weak self] in
            while let connection = listener.next() {
                Thread.detachNewThread { [weak self] in self?.serve(connection) }
            }
        }
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

    public func clearLog() {
        state.withLock { ($0.log, $0.bodyBytes, $0.statuses) = ([], 0, [:]) }
    }

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
        defer {
            connection.close()
            state.withLock { $0.open -= 1 }
        }
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
        let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (line[..<colon].lowercased(), value)
        }
        return Asked(target: words.count > 1 ? String(words[1]) : "", fields: Dictionary(pairs) { $1 }, time: .now)
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
            return try send(200, fields, GeneratedPicture.png(number))
        }
        switch behaviour(asked) {
        case .picture(let number): return try picture(number)
        case .late(let seconds, let number):
            Thread.sleep(forTimeInterval: seconds)
            return try picture(number)
        case .gzipped(let number):
            return try send(200, ["Content-Encoding": "gzip"], Gzip.compressed(GeneratedPicture.png(number)))
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
            let body = GeneratedPicture.png(1)
            try connection.write("HTTP/1.1 200 X\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
            try connection.write(body.prefix(body.count / 2))
            return false
        case .silence:
            while try !connection.read().isEmpty {}
            return false
        }
    }
}

/// Pictures for tests: each number has its own.
public enum GeneratedPicture {
    /// A square of one colour in PNG, without compression.
    public static func png(_ number: Int, side: Int = 24) -> [UInt8] {
        let mixed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
        let pixel = [UInt8(mixed >> 24), UInt8(mixed >> 16 & 0xFF), UInt8(mixed >> 8 & 0xFF)]
        // A row begins with the number of its filter: none.
        let row: [UInt8] = [0] + (0..<side).flatMap { _ in pixel }
        let rows: [UInt8] = (0..<side).flatMap { _ in row }
        let length = UInt16(rows.count)
        var data: [UInt8] = [0x78, 0x01, 1]
        for value in [length, ~length] { data += [UInt8(value & 0xFF), UInt8(value >> 8)] }
        data += rows + bytes(adler(rows))
        let size = bytes(UInt32(side))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", size + size + [8, 2, 0, 0, 0])
            + chunk("IDAT", data) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return bytes(UInt32(data.count)) + content + bytes(crc(content))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: number >> shift) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
