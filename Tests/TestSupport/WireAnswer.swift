import Foundation

/// A response as received over the wire.
public struct WireAnswer: Sendable {
    /// 9 for a response without a head, as in HTTP/0.9.
    public let status: Int
    /// The lines before the empty line.
    public let head: [String]
    public let body: [UInt8]

    /// Returns the responses in all bytes that a connection delivered. A response to `HEAD` is recognized because the
    /// next response, or nothing, follows where its body would be.
    public static func all(in bytes: [UInt8]) -> [WireAnswer] {
        var answers: [WireAnswer] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard startsAnswer(rest), let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else {
                answers.append(WireAnswer(status: 9, head: [], body: Array(rest)))
                break
            }
            let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            rest = rest[end.upperBound...]
            let count = bodyCount(head, rest)
            answers.append(
                WireAnswer(
                    status: Int(head[0].dropFirst(9).prefix(3)) ?? 0, head: head, body: Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return answers
    }

    private static func bodyCount(_ head: [String], _ rest: ArraySlice<UInt8>) -> Int {
        guard !startsAnswer(rest) else { return 0 }
        let line = head.first { $0.lowercased().hasPrefix("content-length: ") }
        return line.flatMap { Int($0.dropFirst(16)) } ?? 0
    }

    private static func startsAnswer(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "HTTP/1.".utf8) && Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self)) != nil
    }

    public func has(field name: String) -> Bool { head.contains { $0.lowercased().hasPrefix(name.lowercased() + ":") } }
}
