import Base
import Server
import Testing

@Suite("Percent-encoding (RFC 3986 §2.1)")
struct PercentDecodingTests {
    func decoded(_ text: String, plusIsSpace: Bool = false) -> String? {
        let buffer = ByteBuffer()
        buffer.append("x")
        let succeeded = text.withUTF8Bytes { buffer.append(percentDecoding: $0, plusIsSpace: plusIsSpace) }
        return succeeded ? String(String(buffer).dropFirst()) : nil
    }

    @Test func percentEncodingIsDecodedOnce() {
        #expect(decoded("a%2Fb%2520%ea%b9%80+") == "a/b%20김+")
        #expect(decoded("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(decoded("") == "")
    }

    @Test(arguments: ["%", "%4", "a%zz", "%4g", "%%41"])
    func malformedEncodingFails(_ text: String) { #expect(decoded(text) == nil) }
}

@Suite("Query items")
struct QueryItemTests {
    @Test(arguments: [
        ("", []), ("a=1&b=2", ["a|1", "b|2"]), ("a", ["a|"]), ("a=b=c&&=x&", ["a|b=c", "|x"]), ("a=%26+", ["a|%26+"]),
    ])
    func queriesAreSplitIntoItems(_ query: String, _ expected: [String]) {
        var items: [String] = []
        query.withUTF8Bytes { query in
            forEachQueryItem(in: query) { items.append(String($0) + "|" + String($1)) }
        }
        #expect(items == expected)
    }
}

@Suite("Accept-Encoding (RFC 9110 §12.5.3)")
struct AcceptEncodingTests {
    @Test(arguments: [
        ("gzip", true, true, true), ("x-gzip", true, true, true), ("GZIP;Q=0.5", true, true, true),
        ("", false, true, false), ("br", false, true, false), ("gzip;q=0", false, true, false), ("*", true, true, true),
        ("*;q=0", false, false, false), ("identity;q=0", false, false, false),
        ("gzip, identity;q=0", true, false, true), ("gzip;q=0.5, identity", true, true, false),
        ("gzip;q=1, identity;q=1", true, true, true), ("*;q=0, identity;q=0.1", false, true, false),
        ("gzip;q=0, *", false, true, false), ("gzip ; q=0.001", true, true, true), ("gzip;q=2", false, true, false),
        ("gzip;q=0.0000", false, true, false), ("deflate, gzip;q=1.0, *;q=0.5", true, true, true),
    ])
    func codingsAreChosenByWeight(_ value: String, _ gzip: Bool, _ identity: Bool, _ prefers: Bool) {
        let accepted = head("Accept-Encoding: \(value)").withRequest { AcceptEncoding($0) }
        #expect(accepted.acceptsGzip == gzip)
        #expect(accepted.acceptsIdentity == identity)
        #expect(accepted.prefersGzip == prefers)
    }

    @Test func severalLinesCombineAndNoLineMeansIdentity() {
        #expect(head("Accept-Encoding: br\r\nAccept-Encoding: gzip").withRequest { AcceptEncoding($0) }.acceptsGzip)
        #expect(!head("X: y").withRequest { AcceptEncoding($0) }.acceptsGzip)
    }
}

@Suite("Accept-Language (RFC 9110 §12.5.4)")
struct AcceptLanguageTests {
    private static let known = ["ko", "de", "en"]

    @Test(arguments: [
        ("ko", "ko"), ("KO-kr", "ko"), ("de-CH-1996", "de"), ("fr, de;q=0.5", "de"), ("de;q=0.5, ko", "ko"),
        ("de, ko", "de"), ("ko;q=0.8, de;q=0.8", "ko"), ("ko;q=0", nil), ("ko;q=0, de;q=0.1", "de"), ("*", nil),
        ("*, de;q=0.1", "de"), ("", nil), ("k", nil), ("kok", nil), ("deu", nil), ("de;q=x, ko;q=0.2", "ko"),
        ("fr-FR,fr;q=0.9,en;q=0.8,ko;q=0.7", "en"), ("de;q=2, en;q=0.001", "en"),
    ])
    func theRangeWithTheGreatestWeightDecides(_ value: String, _ expected: String?) {
        let found = head("Accept-Language: \(value)").withRequest { request in
            request.bestLanguage { range in
                let tag = String(range).lowercased()
                return Self.known.first { tag == $0 || tag.hasPrefix($0 + "-") }
            }
        }
        #expect(found == expected)
    }

    @Test func severalLinesCombine() {
        let found = head("Accept-Language: de;q=0.1\r\nAccept-Language: ko").withRequest { request in
            request.bestLanguage { String($0) }
        }
        #expect(found == "ko")
    }
}

/// `RepresentationTests` has the conditions and ranges of `Tests/Corpus/representations.txt`.
@Suite("Conditional requests (RFC 9110 §13)")
struct PreconditionTests {
    static let modified = HTTPDate(secondsSince1970: 784_111_777)

    func result(_ fields: String, tag: String = "\"a\"") -> Precondition {
        head(fields).withRequest { $0.precondition(tag: Array(tag.utf8), lastModified: Self.modified) }
    }

    @Test func aWeakTagMatchesWeakly() { #expect(result("If-None-Match: \"a\"", tag: "W/\"a\"") == .notModified) }

    /// Responses that are made after the request is gone have a copy of it.
    @Test(arguments: [
        "X: y", "If-None-Match: \"b\"\r\nIf-None-Match: \"a\"", "If-Match: W/\"a\"",
        "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "If-Unmodified-Since: Sun Nov  6 08:49:36 1994",
        "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func aCopyHasTheSameOutcome(_ fields: String) {
        let copy = head(fields).withRequest { RequestCopy($0) }
        let outcome = copy.withRequest { $0.precondition(tag: Array("\"a\"".utf8), lastModified: Self.modified) }
        #expect(outcome == result(fields))
    }

    @Test(arguments: [
        ("If-None-Match: \"a\"", true), ("If-None-Match: *", false), ("If-None-Match: \"b\"", false), ("X: y", false),
        ("If-Match: \"a\"\r\nIf-None-Match: \"a\"", false),
    ])
    func aTagDecidesAboutAnUnreadResource(_ fields: String, _ isNotModified: Bool) {
        #expect(head(fields).withRequest { $0.isNotModified(presuming: Array("\"a\"".utf8)) } == isNotModified)
    }
}

@Suite("Dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    func date(_ text: String) -> Int? { Array(text.utf8).withUnsafeBytes { HTTPDate($0)?.secondsSince1970 } }

    @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func allThreeFormsAreParsed(_ text: String) { #expect(date(text) == 784_111_777) }

    @Test(arguments: [
        "", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
    ])
    func otherFormsAreRejected(_ text: String) { #expect(date(text) == nil) }

    @Test func twoDigitYearsAreNeverFarInTheFuture() {
        func year(_ text: String, in current: Int) -> Int? {
            Array(text.utf8).withUnsafeBytes { HTTPDate($0, currentYear: current) }.map {
                CivilTime(secondsSince1970: $0.secondsSince1970).year
            }
        }
        #expect(year("Sunday, 06-Nov-94 08:49:37 GMT", in: 2026) == 1994)
        #expect(year("Monday, 06-Nov-76 08:49:37 GMT", in: 2026) == 2076)
        #expect(year("Sunday, 06-Nov-77 08:49:37 GMT", in: 2026) == 1977)
        #expect(year("Tuesday, 06-Nov-90 08:49:37 GMT", in: 2040) == 2090)
    }

    @Test(arguments: [0, 951_782_400, 1_709_164_800, 4_102_444_799, 784_111_777])
    func datesRoundTrip(_ seconds: Int) { #expect(date(HTTPDate(secondsSince1970: seconds).description) == seconds) }

    @Test func datesAreWrittenAsIMFFixdate() {
        #expect(HTTPDate(secondsSince1970: 784_111_777).description == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate(secondsSince1970: 951_782_400).description == "Tue, 29 Feb 2000 00:00:00 GMT")
    }
}

@Suite("Responses (RFC 9112 §4)")
struct ResponseSerializerTests {
    func text(_ response: Response, _ option: ResponseSerializer.ConnectionOption = .none, sendsBody: Bool = true)
        -> String
    {
        let buffer = ByteBuffer()
        ResponseSerializer(secondsSince1970: 784_111_777).append(response, option, sendsBody: sendsBody, to: buffer)
        return String(buffer)
    }

    @Test func aResponseHasHeadAndBody() {
        var fields = Fields()
        fields.append("X", "a\r\nb\0\u{1}\u{7F}\tc")
        let response = Response(.notFound, fields: fields, body: .init(Array("hello".utf8), range: 1..<4))
        let head = "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nX: a  b   \tc\r\n"
        #expect(text(response) == head + "Content-Length: 3\r\n\r\nell")
        #expect(text(response, .close, sendsBody: false) == head + "Connection: close\r\nContent-Length: 3\r\n\r\n")
        #expect(text(response, .keepAlive).contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test(arguments: [Status.noContent, .notModified])
    func responsesWithoutABodyHaveNoLength(_ status: Status) {
        #expect(!text(Response(status, body: .init([1]))).contains("Content-Length"))
        #expect(text(Response(status, body: .init([65]))).hasSuffix("\r\n\r\n"))
    }
}
