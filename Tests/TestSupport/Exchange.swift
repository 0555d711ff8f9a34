import Foundation

/// One HTTP request on its own connection, and the response to it.
public struct Exchange: Sendable {
    public let status: Int
    /// Field values by lower-case name.
    public let headers: [String: String]
    public let body: [UInt8]
    /// The size of the response in bytes, including its head.
    public let byteCount: Int

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the target of the `Link` with this relation, without scheme and host.
    public func link(_ relation: String) -> String? {
        let links = (headers["link"] ?? "").components(separatedBy: ", ")
        return links.first { $0.hasSuffix("rel=\"\(relation)\"") }?.firstMatch(of: /<(?:[a-z]+:\/\/[^\/]+)?([^>]*)>/)
            .map { String($0.1) }
    }

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
    public var isLast: Bool { headers["connection"] == "close" }

    /// Reads the next response on `connection`.
    public init(readFrom connection: Connection) throws {
        var bytes: [UInt8] = []
        var split: Int?
        var length: Int?
        while true {
            if split == nil, let end = Self.endOfHead(bytes) {
                split = end
                length = Self.fields(bytes[..<end])["content-length"].flatMap(Int.init)
            }
            if let split, let length, bytes.count >= split + length { break }
            let more = try connection.read()
            if more.isEmpty { break }
            bytes += more
        }
        guard let split, let code = String(decoding: bytes.prefix(12), as: UTF8.self).split(separator: " ").last,
            let status = Int(code)
        else { throw Failure("expected an HTTP response, found \(String(decoding: bytes.prefix(80), as: UTF8.self))") }
        self.status = status
        self.headers = Self.fields(bytes[..<split])
        self.body = Array(bytes[split...])
        self.byteCount = bytes.count
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10]) }
    }

    private static func fields(_ head: ArraySlice<UInt8>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return fields
    }
}
