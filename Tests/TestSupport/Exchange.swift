import Foundation

/// The response to an HTTP request.
public struct Exchange: Sendable {
    /// 9 for a response without a head, as in HTTP/0.9.
    public let status: Int
    /// The lines of the head.
    public let head: [String]
    /// Field values by lower-case name; for repeated fields, the last value.
    public let fields: [String: String]
    public var body: [UInt8]
    private let headCount: Int

    /// The size of the response in bytes, including its head, without frames of chunks.
    public var byteCount: Int { headCount + body.count }

    /// The size of the body that the head announces.
    public var length: Int? { fields["content-length"].flatMap { Int($0) } }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the target of the `Link` with this relation, without scheme and host.
    public func link(_ relation: String) -> String? {
        let links = (fields["link"] ?? "").components(separatedBy: ", ")
        return links.first { $0.hasSuffix("rel=\"\(relation)\"") }?.firstMatch(of: /<(?:[a-z]+:\/\/[^\/]+)?([^>]*)>/)
            .map { String($0.1) }
    }

    /// - Parameters:
    ///   - head: The lines before the body.
    ///   - body: The bytes after it, without frames of chunks.
    public init(head: some Collection<UInt8>, body: [UInt8]) throws {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = Int(lines[0].prefix(12).split(separator: " ").last ?? "") else {
            throw Failure("expected an HTTP response, found \(lines[0].prefix(80))")
        }
        (self.status, self.head, self.body) = (status, lines, body)
        (fields, headCount) = (Self.fields(lines), head.count)
    }

    private init(headless body: [UInt8]) {
        (status, head, fields, headCount, self.body) = (9, [], [:], 0, body)
    }

    /// Returns the responses in all bytes that a connection delivered. A response to `HEAD` is recognized because the
    /// next response, or nothing, follows where its body would be.
    public static func all(in bytes: [UInt8]) -> [Exchange] {
        var answers: [Exchange] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard startsAnswer(rest), let end = rest.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
                var answer = try? Exchange(head: rest[..<end], body: [])
            else { return answers + [Exchange(headless: Array(rest))] }
            rest = rest[end...]
            answer.body = Array(rest.prefix(startsAnswer(rest) ? 0 : answer.length ?? 0))
            rest = rest.dropFirst(answer.body.count)
            answers.append(answer)
        }
        return answers
    }

    private static func startsAnswer(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "HTTP/1.".utf8) && Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self)) != nil
    }

    /// Sends a request on a connection of its own.
    public init(
        port: Int, method: String = "GET", target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) throws {
        let connection = try Connection(port: port)
        defer { connection.close() }
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if method == "POST" { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        try connection.write(Array((head + "\r\n").utf8) + body)
        try self.init(readFrom: connection)
    }

    /// Sends a request on a connection that stays open, unless the response says otherwise.
    public init(on connection: Connection, target: String) throws {
        try connection.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        try self.init(readFrom: connection)
    }

    /// Whether the server announced that it closes the connection after this response.
    public var isLast: Bool { fields["connection"] == "close" }

    /// Reads the next response on `connection`.
    public init(readFrom connection: Connection) throws {
        var bytes: [UInt8] = []
        var split: Int?
        var fields: [String: String] = [:]
        while true {
            if split == nil, let end = Self.endOfHead(bytes) {
                split = end
                fields = Self.fields(String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n"))
            }
            let length = fields["content-length"].flatMap(Int.init)
            if let split, let length, bytes.count >= split + length { break }
            let more = try connection.read()
            if more.isEmpty { break }
            bytes += more
        }
        let body = bytes.dropFirst(split ?? 0)
        let isChunked = fields["transfer-encoding"] == "chunked"
        try self.init(head: bytes.prefix(split ?? 0), body: isChunked ? Self.joined(body) : Array(body))
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10]) }
    }

    /// Returns the fields in the lines of a head, by lower-case name.
    public static func fields(_ lines: [String]) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return fields
    }

    /// Returns a body without the frames of its chunks. Throws if the last one is missing.
    private static func joined(_ chunks: ArraySlice<UInt8>) throws -> [UInt8] {
        var rest = chunks, joined: [UInt8] = []
        while let end = rest.firstIndex(of: 0x0D),
            let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
        {
            if count == 0 { return joined }
            joined += rest.dropFirst(end + 2 - rest.startIndex).prefix(count)
            rest = rest.dropFirst(end + 2 - rest.startIndex + count + 2)
        }
        throw Failure("the body breaks off after \(joined.count) bytes")
    }
}
