import Foundation

/// One HTTP request over a connection of its own, and the answer to it.
public struct Exchange: Sendable {
    public let status: Int
    /// Field names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]
    /// All bytes of the answer, its head included.
    public let byteCount: Int

    public var text: String { String(decoding: body, as: UTF8.self) }

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

    /// The same over a connection that stays open, unless the answer says otherwise.
    public init(on connection: Connection, target: String) throws {
        try connection.write(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        try self.init(readFrom: connection)
    }

    /// Whether the server said that the connection ends with this answer.
    public var isLast: Bool { headers["connection"] == "close" }

    /// The next answer on `connection`.
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
        else { throw Failure("expected an HTTP answer, found \(String(decoding: bytes.prefix(80), as: UTF8.self))") }
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
