import Foundation
import Glibc
import Server
import TestSupport

private let stream = Int32(SOCK_STREAM.rawValue)

/// A blocking client that sends exactly the given bytes. A minute without data counts as the end of the connection.
final class TestClient {
    struct Reply: Equatable {
        var status: Int
        var head: String
        var body: String

        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    let descriptor: Int32
    private var received: [UInt8] = []

    init(_ address: Server.Address, receiveBuffer: Int32? = nil) throws {
        switch address {
        case .tcp(_, let port):
            descriptor = socket(AF_INET, stream, 0)
            // A small buffer, set before connecting, makes the client slow from the start.
            if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = UInt16(port).bigEndian
            place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try Self.connect(descriptor, place)
        case .unix(let path):
            descriptor = socket(AF_UNIX, stream, 0)
            var place = sockaddr_un()
            place.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
            try Self.connect(descriptor, place)
        case .descriptor: throw CocoaError(.featureUnsupported)
        }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private static func connect<Address>(_ descriptor: Int32, _ address: Address) throws {
        let code = withUnsafeBytes(of: address) {
            Glibc.connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Sends all bytes, or as many as the server accepts.
    @discardableResult func send(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unlessInterrupted {
                rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func get(_ target: String, _ fields: String = "") throws -> Reply {
        send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        return try answer()
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Resets the connection.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Receives some bytes. Returns `false` at the end.
    private func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = unlessInterrupted { recv(descriptor, &chunk, chunk.count, 0) }
        if count > 0 { received += chunk[..<count] }
        return count > 0
    }

    struct Ended: Error { var received: String }

    func answer(hasBody: Bool = true) throws -> Reply {
        while true {
            if let end = headEnd() {
                let head = String(decoding: received[..<end], as: UTF8.self)
                let status = Int(head.split(separator: " ")[1]) ?? 0
                var answer = Reply(status: status, head: head, body: "")
                let length = hasBody ? answer.field("Content-Length").flatMap { Int($0) } ?? 0 : 0
                while received.count < end + length { guard receive() else { throw Ended(received: text) } }
                answer.body = String(decoding: received[end..<(end + length)], as: UTF8.self)
                received.removeFirst(end + length)
                return answer
            }
            guard receive() else { throw Ended(received: text) }
        }
    }

    private var text: String { String(decoding: received, as: UTF8.self) }

    private func headEnd() -> Int? {
        guard received.count >= 4 else { return nil }
        for index in 3..<received.count
        where received[index] == 10 && received[(index - 3)...index].elementsEqual([13, 10, 13, 10]) {
            return index + 1
        }
        return nil
    }

    /// Returns everything up to and including `end`, which must come last.
    func text(until end: String) throws -> String {
        while !text.hasSuffix(end) { guard receive() else { throw Ended(received: text) } }
        defer { received = [] }
        return text
    }

    /// Returns everything up to the end of the connection.
    func rest() -> String {
        while receive() {}
        defer { received = [] }
        return text
    }

    /// Whether the server closed or reset the connection without sending more.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        let count = unlessInterrupted { recv(descriptor, &byte, 1, 0) }
        return received.isEmpty && (count == 0 || (count < 0 && errno == ECONNRESET))
    }
}
