import Base
import Server
import Testing

/// What `Tests/Corpus` cannot show: `CorpusTests` sends hundreds of requests, most of which are refused.
@Suite("Request line (RFC 9112 §3)")
struct RequestLineTests {
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

    @Test func fieldsHaveAtMost16KiB() {
        func request(_ total: Int) -> String {
            head("X: " + String(repeating: "y", count: total - head("X: ").utf8.count))
        }
        #expect(parse(request(16384)).outcome == .request(consumed: 16384))
        #expect(parse(request(16385)).outcome == .rejected(431))
        #expect(parse(request(99999)).outcome == .rejected(431))
    }
}
