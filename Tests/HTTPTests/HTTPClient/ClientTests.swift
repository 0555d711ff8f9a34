import Base
import StandIn
import TestSupport
import Testing

@testable import HTTPClient

/// A service that responds with `ok`, and with the target as a field.
private struct Echo: World {
    func answer(_ asked: StandIn.Asked) -> Canned {
        Canned(200, "ok").with("X-Target", asked.target).with("X-Twice", "a").with("x-twice", "b")
    }
}

@Suite("HTTP client")
struct ClientTests {
    let server: StandIn
    init() throws { server = try StandIn(Echo()) }

    private func client(_ change: (inout Client.Limits) -> Void = { _ in }) throws -> Client {
        var limits = Client.Limits()
        change(&limits)
        return try Client(limits: limits, userAgent: "test/1")
    }

    private func request(_ path: String, port: Int? = nil) throws -> ClientRequest {
        ClientRequest(
            try WebAddress("http://127.0.0.1:\(port ?? server.port)\(path)"), fields: [("Authorization", "x")])
    }

    @Test func aResponseArrivesComplete() throws {
        let client = try client()
        let answer = try client.fetch(request("/a?b=c"))
        #expect(answer.status == 200 && answer.body == Array("ok".utf8))
        #expect(answer.fields["x-target"] == "/a?b=c" && answer.fields["x-twice"] == "a, b")
        #expect(server.log[0].userAgent == "test/1" && server.log[0].authorization == "x")
    }

    @Test(arguments: [204, 304, 302, 401, 404, 500])
    func everyStatusIsAResponse(_ status: Int) throws {
        let client = try client()
        server.next(Canned(status).with("Location", "/elsewhere").with("WWW-Authenticate", "Basic realm=\"x\""))
        #expect(try client.fetch(request("/")).status == status)
        #expect(try client.fetch(request("/next")).status == 200)
        #expect(server.targets == ["/", "/next"], "no redirect is followed, and no request is repeated")
    }

    @Test func gzipIsDecompressedWhetherDeclaredOrNot() throws {
        let client = try client()
        let packed = Canned(200, bytes: Gzip.compressed(Array("people".utf8)))
        server.next(packed, packed.with("Content-Encoding", "gzip"))
        for _ in 0..<2 { #expect(try client.fetch(request("/")).body == Array("people".utf8)) }
        server.next(Canned(200, bytes: Array(packed.body.dropLast(9))))
        #expect(throws: ClientError.self) { try client.fetch(request("/")) }
    }

    @Test func aStreamHasAnyLengthAndIsNotCompressed() throws {
        let client = try client { $0.bodyBytes = 1 << 20 }
        let long = [UInt8](repeating: 0x61, count: 3 << 20)
        server.next(Canned(200, bytes: long), Canned(404, "no"), Canned(200, bytes: long))
        var count = 0
        let answer = try client.stream(request("/")) { count += $0.count }
        #expect(answer.status == 200 && answer.body.isEmpty && count == long.count)
        #expect(!server.log[0].acceptsGzip)
        let missing = try client.stream(request("/")) { _ in Issue.record("an error's body must not be passed on") }
        #expect(missing.status == 404 && missing.body == Array("no".utf8))
        struct Enough: Error {}
        #expect(throws: Enough.self) { try client.stream(request("/")) { _ in throw Enough() } }
    }

    @Test func responsesThatAreTooLongFail() throws {
        let client = try client { $0.bodyBytes = 1 << 20 }
        let long = [UInt8](repeating: 0x20, count: 2 << 20)
        server.next(Canned(200, bytes: long), Canned(200, bytes: Gzip.compressed(long)))
        for _ in 0..<2 { #expect(throws: ClientError.tooLarge(limit: 1 << 20)) { try client.fetch(request("/")) } }
        #expect(try client.fetch(request("/")).status == 200)
    }

    @Test(arguments: [1, 5])
    func headsThatAreTooLongFailWithAReason(_ fields: Int) throws {
        let client = try client()
        let value = String(repeating: "x", count: fields == 1 ? 200_000 : 60_000)
        server.next((1...fields).reduce(Canned(200)) { canned, _ in canned.with("X-Long", value) })
        #expect(throws: ClientError.headTooLarge(limit: 256 << 10)) { try client.fetch(request("/")) }
        #expect(try client.fetch(request("/")).status == 200)
    }

    @Test func lostConnectionsAreErrors() throws {
        let client = try client()
        let proxy = try FaultProxy(to: server.port, for: "/")
        defer { proxy.stop() }
        server.next(nil, Canned(200, bytes: [UInt8](repeating: 0x20, count: 5000)))
        proxy.set(next: [.cut, .pass, .cutHalfway])
        #expect(throws: ClientError.self) { try client.fetch(request("/", port: proxy.port)) }
        #expect(try client.fetch(request("/", port: proxy.port)).status == 200)
        #expect(throws: ClientError.self) { try client.fetch(request("/", port: proxy.port)) }
        #expect(throws: ClientError.self) { try client.fetch(request("/", port: 1)) }
    }

    @Test func aSilentServerTimesOut() throws {
        let client = try client { $0.silence = .seconds(1) }
        let proxy = try FaultProxy(to: server.port, for: "/")
        defer { proxy.stop() }
        proxy.set(next: [.hold])
        let error = #expect(throws: ClientError.self) { try client.fetch(request("/", port: proxy.port)) }
        #expect(error == .slow("http://127.0.0.1:\(proxy.port) did not answer in time"))
        proxy.release()
    }

    @Test func aProxyThatRefusesIsNamedWithItsAnswer() throws {
        let proxy = try LoopbackListener()
        let address = try WebAddress("http://127.0.0.1:\(proxy.port)")
        let thread = OwnedThread {
            for _ in 1...2 {
                guard let client = proxy.next() else { return }
                _ = try? client.readHead()
                let refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
                try? client.write(refusal.utf8)
                client.close()
            }
        }
        let message = { (url: String, proxy: WebAddress) in
            let client = try Client(userAgent: "test/1", network: .init(proxy: .server(proxy)))
            let error = #expect(throws: ClientError.self) { try client.fetch(ClientRequest(WebAddress(url))) }
            return "\(String(describing: error))"
        }
        // Through a tunnel, and asked instead of the server.
        for scheme in ["https", "http"] {
            let text = try message("\(scheme)://people.example/", address)
            #expect(
                text.contains("the proxy 127.0.0.1:\(proxy.port) answered 407 Proxy Authentication Required"), "\(text)"
            )
        }
        thread.join()
        let refused = try message("https://people.example/", WebAddress("http://127.0.0.1:1"))
        #expect(refused.contains("cannot connect to the proxy 127.0.0.1:1"))
    }

    @Test(arguments: [
        ("http://ada:secret@proxy.example:3128/", "proxy.example:3128"), ("proxy.example:3128", "proxy.example:3128"),
        ("socks5h://[::1]:1080", "[::1]:1080"),
    ])
    func aProxyIsNamedWithoutItsPassword(_ url: String, _ place: String) {
        #expect(ClientError.place(ofProxy: url) == place)
    }

    @Test func waitingCanBeInterrupted() throws {
        struct Enough: Error {}
        let client = try client()
        let proxy = try FaultProxy(to: server.port, for: "/")
        defer { proxy.stop() }
        proxy.set(next: [.hold])
        #expect(throws: Enough.self) { try client.fetch(request("/", port: proxy.port)) { throw Enough() } }
        proxy.release()
        #expect(try client.fetch(request("/")).status == 200)
    }

    private func restricted(_ networks: String..., proxy: Client.Network.Proxy = .none) throws -> Client {
        let servers = AskableServers(allowedNetworks: networks.compactMap(AddressRange.init))
        let network = Client.Network(proxy: proxy) { servers.refusal(of: $0, port: $1) }
        return try Client(userAgent: "test/1", network: network)
    }

    /// Every spelling of this machine's addresses, after libcurl has parsed and resolved it.
    @Test(arguments: [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "[::1]", "[::]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    ])
    func addressesThatAreNotPublicAreNotAsked(_ host: String) throws {
        let client = try restricted()
        let address = try WebAddress("http://\(host):\(server.port)/")
        let error = #expect(throws: ClientError.self) { try client.fetch(ClientRequest(address)) }
        #expect(error == .refused("\(address.host): \(notPublic)"))
        #expect(server.count == 0)
    }

    @Test func addressesInAnAllowedNetworkAreAsked() throws {
        let client = try restricted("127.0.0.1/32")
        #expect(try client.fetch(request("/")).status == 200)
        let other = try ClientRequest(WebAddress("http://127.0.0.2:\(server.port)/"))
        #expect(throws: ClientError.refused("127.0.0.2: \(notPublic)")) { try client.fetch(other) }
    }

    @Test func theProxyIsAskedForNamesButNotForAddressesThatAreNotPublic() throws {
        let client = try restricted(proxy: .server(WebAddress(server.url)))
        #expect(try client.fetch(ClientRequest(WebAddress("http://pictures.example/a.png"))).status == 200)
        #expect(server.log.map(\.authority) == ["pictures.example"])
        for text in ["http://127.0.0.1/", "http://[::1]/", "http://0x7f000001/", "http://pictures.example:25/"] {
            #expect(throws: ClientError.self) { try client.fetch(ClientRequest(WebAddress(text))) }
        }
        #expect(server.count == 1)
    }
}
