import Base
import Server
import Testing

/// What these suites lack is in `Tests/Corpus`: `CorpusTests` sends hundreds of requests, most of which are refused.
@Suite("Message parsing (RFC 9112 §2.2)")
struct MessageParsingTests {
    @Test func aRequestEndsAtItsEmptyLine() {
        let text = "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\nGET"
        #expect(parse(text).outcome == .request(consumed: text.utf8.count - 3))
    }

    @Test func someEmptyLinesBeforeARequestAreSkipped() {
        let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(parse("\r\n\r\n" + request).outcome == .request(consumed: request.utf8.count + 4))
        #expect(parse(String(repeating: "\r\n", count: 5) + request).outcome == .rejected(400))
    }
}

@Suite("Request line (RFC 9112 §3)")
struct RequestLineTests {
    @Test(arguments: [
        ("GET", Method.get), ("HEAD", .head), ("OPTIONS", .options), ("POST", .unsupported), ("DELETE", .unsupported),
        ("PROPFIND", .unsupported), ("get", .unknown), ("BREW", .unknown), ("G!#$%&'*+-.^_`|~", .unknown),
    ])
    func methodsAreRecognized(_ name: String, _ method: Method) {
        #expect(parse("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n").head.method == method)
    }

    @Test func anOverlongMethodIsNotImplemented() {
        #expect(parse(String(repeating: "A", count: 65)).outcome == .rejected(501))
    }

    @Test func aTargetMayHave8000Bytes() {
        func request(_ count: Int) -> String {
            "GET /\(String(repeating: "a", count: count - 1)) HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        #expect(parse(request(8000)).outcome == .request(consumed: request(8000).utf8.count))
        #expect(parse(request(8001)).outcome == .rejected(414))
    }

    @Test func aRejectedLongTargetStillHasItsPath() {
        let bytes = Array("GET /api/v3/users?q=\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n".utf8)
        var head = RequestHead()
        guard case .rejected(let rejection) = bytes.withUnsafeBytes({ RequestParser().parse($0, into: &head) }) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(rejection.status == .uriTooLong)
        #expect(rejection.target.starts(with: "/api/v3/users?".utf8))
    }
}

@Suite("Request target (RFC 9112 §3.2)")
struct RequestTargetTests {
    struct Parts: Equatable {
        var target, path: String
        var query, authority: String?
    }

    func parts(_ line: String) -> Parts? {
        let text = "\(line) HTTP/1.1\r\nHost: h\r\n\r\n"
        let (outcome, head) = parse(text)
        guard case .request = outcome else { return nil }
        return Parts(
            target: text[head.target], path: text[head.path], query: head.query.map { text[$0] },
            authority: head.authority.map { text[$0] })
    }

    @Test(arguments: [
        ("GET /", Parts(target: "/", path: "/", query: nil, authority: "h")),
        ("GET /a?b?c", Parts(target: "/a?b?c", path: "/a", query: "b?c", authority: "h")),
        ("GET /?", Parts(target: "/?", path: "/", query: "", authority: "h")),
        ("GET /김", Parts(target: "/김", path: "/김", query: nil, authority: "h")),
        ("GET http://x:80/a?b", Parts(target: "/a?b", path: "/a", query: "b", authority: "x:80")),
        ("GET HTTP://[::1]", Parts(target: "/", path: "/", query: nil, authority: "[::1]")),
        ("GET http://x?q", Parts(target: "?q", path: "/", query: "q", authority: "x")),
        ("OPTIONS *", Parts(target: "*", path: "*", query: nil, authority: "h")),
        ("CONNECT x:443", Parts(target: "x:443", path: "x:443", query: nil, authority: "x:443")),
    ])
    func allFourFormsAreParsed(_ line: String, _ expected: Parts) { #expect(parts(line) == expected) }

    @Test(arguments: ["GET ftp://x/", "GET http://x:99999/", "GET http:/x", "CONNECT /", "CONNECT x", "GET //\u{1}"])
    func otherFormsAreRejected(_ line: String) { #expect(parts(line) == nil) }
}

@Suite("Host (RFC 9112 §3.2)")
struct HostTests {
    @Test(arguments: ["a:", "127.0.0.1:8080", "", "xn--a"])
    func validHostsAreAccepted(_ host: String) {
        #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").outcome != .rejected(400))
    }

    @Test(arguments: ["a:70000", "é"])
    func invalidHostsAreRejected(_ host: String) {
        #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").outcome == .rejected(400))
    }
}

@Suite("Fields (RFC 9112 §5)")
struct FieldTests {
    @Test func valuesAreTrimmedAndKeepTheirOrder() {
        let text = "GET / HTTP/1.1\r\nhOsT:\t a \t\r\nX: 1\r\nx:2\r\nEmpty:\r\nU: caf\u{e9}\tx\r\n\r\n"
        text.withRequest { request in
            #expect(String(request.value(of: "host").orEmpty) == "a")
            #expect(request.has("empty") && request.value(of: "empty").orEmpty.isEmpty)
            let isThere = request.has("none")
            #expect(!isThere)
            var values: [String] = []
            request.forEachValue(of: "x") { values.append(String($0)) }
            #expect(values == ["1", "2"])
        }
    }

    /// Eight bytes of a name are checked at a time: each byte must be, at every place among them.
    @Test func aNameHasOnlyCharactersOfTokens() {
        let others = "!#$%&'*+.^_`|~".utf8
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
            let isLetter = (byte | 0x20) &- 97 < 26
            let isAllowed = isLetter || byte &- 48 < 10 || byte == UInt8(ascii: "-") || others.contains(byte)
            for place in 0..<10 {
                var name = Array("Accept-Some".utf8)
                name[place] = byte
                let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + name + Array(": value\r\n\r\n".utf8)
                let expected = isAllowed ? Outcome.request(consumed: bytes.count) : .rejected(400)
                #expect(parse(bytes).outcome == expected, "\(byte) at \(place)")
            }
        }
    }

    @Test func thereAreAtMost100Fields() {
        func request(_ count: Int) -> String { head((1..<count).map { "F\($0): x" }.joined(separator: "\r\n")) }
        #expect(parse(request(100)).outcome == .request(consumed: request(100).utf8.count))
        #expect(parse(request(101)).outcome == .rejected(431))
    }

    @Test func fieldsHaveAtMost16KiB() {
        func request(_ total: Int) -> String {
            head("X: " + String(repeating: "y", count: total - head("X: ").utf8.count))
        }
        #expect(parse(request(16384)).outcome == .request(consumed: 16384))
        #expect(parse(request(16385)).outcome == .rejected(431))
        #expect(parse(request(99999)).outcome == .rejected(431))
    }
}

@Suite("Framing (RFC 9112 §6)")
struct FramingTests {
    @Test(arguments: [
        ("Accept: x", RequestHead.Framing.none), ("Content-Length: 0", .length(0)), ("content-length: 007", .length(7)),
        ("Transfer-Encoding: chunked", .chunked), ("transfer-encoding:\tCHUNKED ", .chunked),
    ])
    func validFramingIsRecognized(_ field: String, _ framing: RequestHead.Framing) {
        #expect(parse(head(field)).head.framing == framing)
    }
}

@Suite("Persistence (RFC 9112 §9.3) and Expect (RFC 9110 §10.1.1)")
struct ConnectionFieldTests {
    @Test(arguments: [
        ("HTTP/1.1", "X: y", true), ("HTTP/1.1", "Connection: close", false),
        ("HTTP/1.1", "Connection: x, CLOSE", false), ("HTTP/1.1", "Connection: closed", true),
        ("HTTP/1.0", "X: y", false), ("HTTP/1.0", "Connection: Keep-Alive", true),
        ("HTTP/1.0", "Connection: keep-alive\r\nConnection: close", false),
    ])
    func persistenceFollowsVersionAndConnectionField(_ version: String, _ field: String, _ expected: Bool) {
        #expect(parse(head(field, version: version)).head.keepsAlive == expected)
    }

    @Test func only100ContinueIsExpected() {
        #expect(parse(head("Expect: 100-Continue")).head.expectsContinue)
        #expect(!parse(head("Expect: 100-continue", version: "HTTP/1.0")).head.expectsContinue)
        #expect(parse(head("Expect: tea")).outcome == .rejected(417))
    }
}
