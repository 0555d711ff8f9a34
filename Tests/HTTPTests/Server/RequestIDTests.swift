import Server
import Testing

@Suite("X-Request-Id and Server-Timing")
struct RequestIDTests {
    @Test(arguments: ["7", "0af7651916cd43dd8448eb211c80319c", "Root=1-67891233-abcdef/x_y~z:1+2@3"])
    func aWellFormedIDIsEchoed(_ id: String) throws {
        for later in [false, true] {
            let handler: @Sendable (Request) -> Reply = { _ in later ? .later { Response() } : .now(Response()) }
            try withClient(handler: handler) { _, client throws in
                #expect(try client.get("/", "X-REQUEST-ID: \(id)\r\n").fields["x-request-id"] == id)
                #expect(try client.get("/").fields["x-request-id"] == nil)
            }
        }
    }

    @Test(arguments: ["", "a b", "a\"b", "<script>", "a;b", "김", String(repeating: "a", count: 129)])
    func anInvalidIDIsReplaced(_ id: String) throws {
        try withClient { _, client throws in
            #expect(try client.get("/", "X-Request-Id: \(id)\r\n").fields["x-request-id"] == nil)
        }
    }

    @Test func theFirstWellFormedIDCounts() throws {
        try withServer { _, address in
            let answer = try TestClient(address).get("/", "X-Request-Id: a b\r\nX-Request-Id: c\r\nX-Request-Id: d\r\n")
            #expect(answer.fields["x-request-id"] == "c")
        }
    }

    @Test(arguments: [
        ("POST", "Content-Length: 3\r\n\r\nabc", 405), ("BREW", "Content-Length: 3\r\n\r\nabc", 501),
        ("GET", "Transfer-Encoding: chunked\r\n\r\nx", 400), ("GET", "Content-Length: 1000000\r\n\r\n", 413),
        ("GET", "Content-Length: 3\r\n\r\na", 408),
    ])
    func aRefusedRequestWithABodyKeepsItsIdAndMethod(_ method: String, _ rest: String, _ status: Int) throws {
        let lines = Lines()
        let configure: (inout Server.Configuration) -> Void = {
            ($0.accessLog, $0.timeouts.body) = (.init(.json, sink: lines.sink), .milliseconds(40))
        }
        try withClient(configure) { _, client throws in
            client.send("\(method) /a HTTP/1.1\r\nHost: a\r\nUser-Agent: u\r\nX-Request-Id: 7\r\n\(rest)")
            let answer = try client.answer()
            #expect(answer.status == status && answer.fields["x-request-id"] == "7")
            #expect(answer.fields["connection"] == "close")
            eventually { lines.all.count == 1 }
        }
        #expect(lines.all[0].contains("\"method\":\"\(method)\",\"target\":\"/a\",\"status\":\(status),"))
        #expect(lines.all[0].hasSuffix(",\"user_agent\":\"u\",\"request_id\":\"7\"}"))
    }

    /// W3C Trace Context §3.2: `traceparent` has four parts in lower case, and ids of zeros are invalid.
    @Test func theJSONLogHasTheTraceOfARequest() throws {
        let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7")
        let valid = "00-\(trace)-\(span)-01"
        let invalid = [
            "", "00", "\(valid)-", "\(valid)0", "01-\(trace)-\(span)-01", "ff-\(trace)-\(span)-01",
            "00-\(trace)-\(span)-0x", "00-\(trace.uppercased())-\(span)-01", "00_\(trace)-\(span)-01",
            "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-0000000000000000-01",
            "\(valid)\r\ntraceparent: \(valid)", "00-\(trace)-\(span.dropLast())\"-01",
        ]
        for later in [false, true] {
            let lines = Lines()
            let handler: @Sendable (Request) -> Reply = { _ in later ? .later { Response() } : .now(Response()) }
            let logging: (inout Server.Configuration) -> Void = { $0.accessLog = .init(.json, sink: lines.sink) }
            try withClient(logging, handler: handler) { _, client throws in
                for value in [valid, "00-\(trace)-\(span)-fe"] + invalid {
                    #expect(try client.get("/", "TraceParent: \(value)\r\n").fields["traceparent"] == nil)
                }
                _ = try client.get("/")
                eventually { lines.all.count == invalid.count + 3 }
            }
            for line in lines.all.prefix(2) { #expect(line.hasSuffix(",\"trace\":\"\(trace)\",\"span\":\"\(span)\"}")) }
            for line in lines.all.dropFirst(2) { #expect(!line.contains("\"trace\"")) }
        }
    }

    @Test func timesAreToldOnlyWhereThatIsWanted() throws {
        let handler: @Sendable (Request) -> Reply = { request in
            var response = Response()
            if request.path.equals("/hit") { response.origin = .cache }
            if request.path.equals("/miss") {
                response.origin = .work(
                    ServerTiming(began: 0, database: 1_234_567, rendering: 42_000, compression: 0))
            }
            return .now(response)
        }
        try withClient({ $0.tellsTimings = true }, handler: handler) { _, client throws in
            let times = try ["/", "/hit", "/miss"].map { try client.get($0).fields["server-timing"] ?? "" }
            #expect(times[0].wholeMatch(of: /total;dur=\d+\.\d{3}/) != nil)
            #expect(times[1].wholeMatch(of: /cache;desc=hit, total;dur=\d+\.\d{3}/) != nil)
            #expect(
                times[2].wholeMatch(of: /cache;desc=miss, db;dur=1\.234, render;dur=0\.042, total;dur=\d+\.\d{3}/)
                    != nil)
        }
        try withServer(handler: handler) { _, address in
            let answer = try TestClient(address).get("/miss")
            #expect(answer.fields["server-timing"] == nil)
        }
    }
}
