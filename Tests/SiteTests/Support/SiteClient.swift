import Assets
import Bytes
import Directories
import Gzip
import HTTP
import Logging

@testable import Site

/// Sends requests to a `Site` directly, without sockets: bytes in, a response out.
struct SiteClient {
    let store: FakeStore
    let responder: any Responder

    init(
        _ users: [User] = [], store: FakeStore? = nil, assets: Assets = .builtIn,
        configure: (inout Site.Configuration) -> Void = { _ in }
    ) throws {
        let store = store ?? FakeStore(users)
        var configuration = Site.Configuration()
        configure(&configuration)
        let site = try Site(
            configuration: configuration, store: store, assets: assets,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        self.store = store
        responder = site.makeResponder()
    }

    func get(_ target: String, _ fields: String..., method: String = "GET", host: String = "people.example")
        -> Response
    {
        send(["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields)
    }

    /// Sends a head of these lines.
    func send(_ lines: [String], isFromTrustedProxy: Bool = false) -> Response {
        let lines = lines + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8).withUnsafeBytes { bytes in
            var head = RequestHead()
            guard case .request = RequestParser().parse(bytes, into: &head) else { fatalError("no request: \(lines)") }
            let request = Request(bytes: bytes, head: head, isFromTrustedProxy: isFromTrustedProxy)
            switch responder.respond(to: request) {
            case .now(let response): return response
            case .later(let work): return work()
            }
        }
    }
}

extension Response {
    var text: String { String(decoding: body.bytes[body.range], as: UTF8.self) }
}
