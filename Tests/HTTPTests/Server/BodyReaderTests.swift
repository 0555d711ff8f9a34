import Server
import Testing

@Suite("Bodies (RFC 9112 §6.2, §7.1)")
struct BodyReaderTests {
    /// Returns the outcome of the whole text, after checking that every split in two and byte-by-byte reading give the
    /// same.
    func read(_ text: String, _ framing: RequestHead.Framing = .chunked, maxBytes: Int = 64) -> Outcome {
        let bytes = Array(text.utf8)
        let whole = feed([bytes], framing, maxBytes)
        for split in 0...bytes.count {
            #expect(
                feed([Array(bytes[..<split]), Array(bytes[split...])], framing, maxBytes) == whole, "split at \(split)")
        }
        #expect(feed([[]] + bytes.map { [$0] }, framing, maxBytes) == whole)
        return whole
    }

    func feed(_ parts: [[UInt8]], _ framing: RequestHead.Framing, _ maxBytes: Int) -> Outcome {
        var reader = BodyReader(framing, maxBytes: maxBytes)
        var before = 0
        for part in parts {
            switch part.withUnsafeBytes({ reader.read($0) }) {
            case .needsMoreBytes: before += part.count
            case .done(let consumed): return .request(consumed: before + consumed)
            case .rejected(let rejection): return .rejected(rejection.status.rawValue)
            }
        }
        return .needsMoreBytes
    }

    @Test func bodiesEndAfterTheirLength() {
        #expect(read("abcGET", .length(3)) == .request(consumed: 3))
        #expect(read("ab", .length(3)) == .needsMoreBytes)
        #expect(read("GET", .length(0)) == .request(consumed: 0))
        #expect(read("GET", .none) == .request(consumed: 0))
        #expect(read(String(repeating: "a", count: 64), .length(64)) == .request(consumed: 64))
        #expect(read("", .length(65)) == .rejected(413))
    }

    @Test(arguments: [
        "0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "A\r\n0123456789\r\n000\r\n\r\n", "1;a=b;c=\"d e\"\r\nx\r\n0;z\r\n\r\n",
        "1 ;a\r\nx\r\n0\r\n\r\n", "00000000000000001\r\nx\r\n00000000000000000000\r\n\r\n",
        "0\r\nTrailer: x\r\nOther:\r\n\r\n", "3\r\n\r\n\r\r\n0\r\n\r\n",
    ])
    func chunkedBodiesEndAfterTheirTrailers(_ text: String) {
        #expect(read(text + "GET") == .request(consumed: text.utf8.count))
    }

    @Test(arguments: [
        "\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1\n", "1 \r\n", "1\rx", "1\r\nab\r\n", "1\r\na\n",
        "1\r\na\rb", "1;\u{1}\r\n", "0\r\n X: y\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\nX : y\r\n", "0\r\n\n", "0\r\n\rx",
        "0\r\nX: y\n", "FFFFFFFFFFFFFFFFF\r\n", "8000000000000000\r\n", "1,2\r\n",
    ])
    func malformedChunksAreRejected(_ text: String) { #expect(read(text) == .rejected(400)) }

    @Test func bodiesAboveTheLimitAreRejected() {
        #expect(read("41\r\n") == .rejected(413))
        #expect(read("40\r\n" + String(repeating: "a", count: 64) + "\r\n1\r\n") == .rejected(413))
        #expect(feed([Array(("1;" + String(repeating: "a", count: 20000)).utf8)], .chunked, 64) == .rejected(431))
        #expect(feed([[UInt8](repeating: 48, count: 20000)], .chunked, 64) == .rejected(431))
        #expect(feed([Array(("0\r\nA: " + String(repeating: "a", count: 20000)).utf8)], .chunked, 64) == .rejected(431))
    }
}
