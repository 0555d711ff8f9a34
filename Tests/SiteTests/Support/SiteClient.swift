import Base
import Foundation
import Logging
import People
import Server
import Template
import Testing

@testable import Site

/// Sends requests to a `Site` directly, without sockets: bytes in, a response out.
struct SiteClient {
    let store: FakeStore
    let responder: any Responder
    private let lifetime: Lifetime

    /// Closes the site when nothing sends requests to it any more: until then its renderers and the site keep each
    /// other.
    private final class Lifetime: Sendable {
        let site: Site

        init(_ site: Site) { self.site = site }

        deinit { site.close() }
    }

    init(
        _ users: [User] = [], directories: [Directory] = [.people], store: FakeStore? = nil, assets: Assets = .builtIn,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        configure: (inout Site.Configuration) -> Void = { _ in }
    ) throws {
        let store = store ?? FakeStore(users, directories: directories)
        var configuration = Site.Configuration()
        configure(&configuration)
        let site = try Site(
            configuration: configuration, store: store, assets: assets,
            languages: assets.hasOwnTemplates ? nil : .builtIn, logger: logger)
        self.store = store
        responder = site.makeResponder()
        lifetime = Lifetime(site)
    }

    func get(_ target: String, _ fields: String..., method: String = "GET", host: String = "people.example")
        -> Response
    {
        send(["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields)
    }

    /// Whether the server's pool makes the response, so that the event loop does not wait for it.
    func isAnsweredByPool(_ target: String) -> Bool {
        if case .later = reply(to: ["GET \(target) HTTP/1.1", "Host: people.example"]) { true } else { false }
    }

    /// Sends a head of these lines.
    func send(_ lines: [String], isFromLoopback: Bool = false, isFromTrustedProxy: Bool = false) -> Response {
        switch reply(to: lines, isFromLoopback: isFromLoopback, isFromTrustedProxy: isFromTrustedProxy) {
        case .now(let response): response
        case .later(let work): work()
        }
    }

    private func reply(
        to lines: [String], isFromLoopback: Bool = false, isFromTrustedProxy: Bool = false
    ) -> Reply {
        let lines = lines + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8).withUnsafeBytes { bytes in
            var heads = [RequestHead()]
            guard case .request = RequestParser().parse(bytes, into: &heads[0]) else {
                fatalError("no request: \(lines)")
            }
            let request = Request(
                bytes: bytes, head: heads.span, isFromLoopback: isFromLoopback, isFromTrustedProxy: isFromTrustedProxy)
            return responder.respond(to: request)
        }
    }
}

extension Response {
    var text: String { String(decoding: body.bytes[body.range], as: UTF8.self) }

    /// The body as an object of JSON.
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:] }
}

extension Site.Configuration {
    /// Configures a site below a path of another one.
    static func belowPeople(_ configuration: inout Self) {
        configuration.publicURL = "https://example.org/people"
        configuration.basePath = "/people"
    }
}

/// A target, with texts that its response has and texts that it lacks.
struct Shown: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let target: String
    private let parts: [String]
    private let absent: [String]

    init(_ sentence: String, _ target: String, _ parts: String..., without absent: String...) {
        (testDescription, self.target, self.parts, self.absent) = ("\(sentence): \(target)", target, parts, absent)
    }

    func check(_ client: SiteClient) {
        let text = client.get(target).text
        for part in parts { #expect(text.contains(part)) }
        for part in absent { #expect(!text.contains(part)) }
    }
}
