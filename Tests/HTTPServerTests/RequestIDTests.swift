import HTTP
import HTTPServer
import Testing

@Suite("X-Request-Id and Server-Timing")
struct RequestIDTests {
    @Test(arguments: ["7", "0af7651916cd43dd8448eb211c80319c", "Root=1-67891233-abcdef/x_y~z:1+2@3"])
    func aWellFormedIdIsEchoed(_ id: String) throws {
        for later in [false, true] {
            let handler: @Sendable (Request) -> Answer = { _ in later ? .later { Response() } : .now(Response()) }
            try withServer(.platformDefault, handler: handler) { _, address in
                let client = try TestClient(address)
                #expect(try client.get("/", "X-REQUEST-ID: \(id)\r\n").field("X-Request-Id") == id)
                #expect(try client.get("/").field("X-Request-Id") == nil)
            }
        }
    }

    @Test(arguments: ["", "a b", "a\"b", "<script>", "a;b", "김", String(repeating: "a", count: 129)])
    func anythingElseIsNot(_ id: String) throws {
        try withServer(.platformDefault) { _, address in
            let client = try TestClient(address)
            #expect(try client.get("/", "X-Request-Id: \(id)\r\n").field("X-Request-Id") == nil)
        }
    }

    @Test func ofSeveralWellFormedOnesTheFirstCounts() throws {
        try withServer(.platformDefault) { _, address in
            let answer = try TestClient(address).get("/", "X-Request-Id: a b\r\nX-Request-Id: c\r\nX-Request-Id: d\r\n")
            #expect(answer.field("X-Request-Id") == "c")
        }
    }

    @Test func timesAreToldOnlyWhereThatIsWanted() throws {
        let handler: @Sendable (Request) -> Answer = { request in
            var response = Response()
            response.isFromCache = request.path.equals("/hit")
            if request.path.equals("/miss") {
                response.timing = ServerTiming(began: 0, database: 1_234_567, rendering: 42_000, compression: 0)
            }
            return .now(response)
        }
        try withServer(.platformDefault, { $0.tellsTimings = true }, handler: handler) { _, address in
            let client = try TestClient(address)
            let times = try ["/", "/hit", "/miss"].map { try client.get($0).field("Server-Timing") ?? "" }
            #expect(times[0].wholeMatch(of: /total;dur=\d+\.\d{3}/) != nil)
            #expect(times[1].wholeMatch(of: /cache;desc=hit, total;dur=\d+\.\d{3}/) != nil)
            #expect(
                times[2].wholeMatch(of: /cache;desc=miss, db;dur=1\.234, render;dur=0\.042, total;dur=\d+\.\d{3}/)
                    != nil)
        }
        try withServer(.platformDefault, handler: handler) { _, address in
            let answer = try TestClient(address).get("/miss")
            #expect(answer.field("Server-Timing") == nil)
        }
    }
}
