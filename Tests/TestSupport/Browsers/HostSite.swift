import Foundation

/// Another site: pages at their own origin, which a browser can open while the program serves another origin. It ends
/// with the current test.
public final class HostSite: Sendable {
    public struct Page: Sendable {
        let fields: [String: String]
        let body: String

        public init(_ body: String, fields: [String: String] = [:]) { (self.body, self.fields) = (body, fields) }
    }

    private let listener: LoopbackListener

    public var url: String { "http://127.0.0.1:\(listener.port)" }

    /// - Parameter pages: The page at each path; every other path is a 404.
    public init(_ pages: [String: Page]) throws {
        listener = try LoopbackListener()
        TestScope.atEnd { [listener] _ in listener.shutDown() }
        listener.serveEach { try Self.serve($0, pages) }
    }

    private static func serve(_ connection: Connection, _ pages: [String: Page]) throws {
        let head = String(decoding: try connection.readHead(), as: UTF8.self)
        guard let target = head.split(separator: " ").dropFirst().first else { return }
        let page = pages[String(target)]
        var fields = ["Content-Type": "text/html; charset=utf-8", "Connection": "close"]
        fields.merge(page?.fields ?? [:]) { _, own in own }
        let body = page?.body ?? ""
        var text = "HTTP/1.1 \(page == nil ? "404 Not Found" : "200 OK")\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        try connection.write((text + "\r\n" + body).utf8)
    }
}
