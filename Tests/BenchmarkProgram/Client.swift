import Foundation
import TestSupport

/// One persistent connection that sends requests and reads responses with a `Content-Length`.
final class Client {
    private let connection: Connection
    private var buffer: [UInt8] = []

    init(port: Int) throws { connection = try Connection(port: port) }

    deinit { connection.close() }

    struct Answer {
        var head: String
        var body: [UInt8]

        func field(_ name: String) -> String? {
            head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Returns the response to a `GET`. Throws unless its status is 200.
    func get(_ target: String) throws -> Answer {
        try connection.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        buffer.removeAll(keepingCapacity: true)
        var end: Int?
        while end == nil {
            try receive(target)
            end = buffer.headEnd
        }
        var answer = Answer(head: String(decoding: buffer[..<(end ?? 0)], as: UTF8.self), body: [])
        guard answer.head.hasPrefix("HTTP/1.1 200"), let length = answer.field("Content-Length").flatMap({ Int($0) })
        else {
            throw Failure("GET \(target): \(answer.head)")
        }
        while buffer.count < (end ?? 0) + length { try receive(target) }
        answer.body = Array(buffer[(end ?? 0)...])
        return answer
    }

    private func receive(_ target: String) throws {
        let bytes = try connection.read()
        guard !bytes.isEmpty else { throw Failure("GET \(target): the connection was closed") }
        buffer += bytes
    }
}

extension [UInt8] {
    /// The offset after the empty line that ends the head.
    fileprivate var headEnd: Int? {
        guard count >= 4 else { return nil }
        return (4...count).first {
            self[$0 - 4] == 13 && self[$0 - 3] == 10 && self[$0 - 2] == 13 && self[$0 - 1] == 10
        }
    }
}
