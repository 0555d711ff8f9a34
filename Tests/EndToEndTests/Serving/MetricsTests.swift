import Foundation
import TestSupport
import Testing

@Suite("Metrics", .onThreadsForPrograms)
struct MetricsTests {
    private func metrics(_ program: RollcallProcess) throws -> PrometheusText {
        let answer = try curl(program.url + "/metrics")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.fields["cache-control"] == "no-store")
        return try PrometheusText(answer.text)
    }

    @Test func everyRequestIsCountedByRouteAndStatus() throws {
        let program = try RollcallProcess.demo(users: 100)
        let tag = try #require(try curl(program.url + "/").fields["etag"])
        _ = try curl("-H", "If-None-Match: \(tag)", program.url + "/")
        for target in [
            "/fragment", "/fragment?since=x", "/?q=a", "/api/v3/users", "/style.css", "/nowhere", "/healthz",
        ] {
            _ = try curl(program.url + target)
        }
        _ = try curl("-X", "BREW", program.url + "/")
        let metrics = try metrics(program)
        let count = { try metrics.value("rollcall_http_requests_total", ["route": $0, "code": $1]) }
        #expect(try count("page", "200") == 2)
        #expect(try count("page", "304") == 1)
        #expect(try count("fragment", "200") == 1)
        #expect(try count("fragment", "400") == 1)
        #expect(try count("api_users", "200") == 1)
        #expect(try count("file", "200") == 1)
        #expect(try count("none", "404") == 1)
        #expect(try count("none", "501") == 1)
        #expect(try count("healthz", "200") == 1)
        #expect(try metrics.value("rollcall_http_request_duration_seconds_count", ["route": "page"]) == 3)
        #expect(try metrics.value("rollcall_work_wait_seconds_count") == 1)
        #expect(try metrics.value("rollcall_search_cache_misses_total") == 1)
        // The page, and the counts of its filters.
        #expect(try metrics.value("rollcall_database_read_duration_seconds_count", ["query": "search"]) == 2)
        #expect(try metrics.value("rollcall_directory_users", ["directory": "demo"]) == 100)
        #expect(try metrics.value("rollcall_http_accepted_connections_total") == 11)
        #expect(try metrics.value("rollcall_database_usable") == 1)
    }

    @Test func cacheHitsAndGzipSavingsAreCounted() throws {
        let program = try RollcallProcess.demo(users: 100)
        for _ in 0..<3 { _ = try curl("-H", "Accept-Encoding: gzip", program.url + "/") }
        let plain = try curl(program.url + "/")
        let packed = try curl("-H", "Accept-Encoding: gzip", program.url + "/")
        let metrics = try metrics(program)
        #expect(try metrics.value("rollcall_response_cache_misses_total") == 2)
        #expect(try metrics.value("rollcall_response_cache_hits_total") == 3)
        #expect(try metrics.value("rollcall_response_cache_bytes") > Double(plain.body.count + packed.body.count))
        let saved = 4 * (plain.body.count - packed.body.count)
        #expect(try metrics.value("rollcall_http_gzip_saved_bytes_total") == Double(saved))
        #expect(try metrics.value("rollcall_http_sent_bytes_total") > Double(plain.body.count + 4 * packed.body.count))
    }

    /// Requests of a proxy on this machine also arrive over the loopback interface.
    @Test(arguments: [
        "X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Via: 1.1 proxy", "X-Real-IP: 192.0.2.1",
    ])
    func metricsAreHiddenFromClientsBehindAProxy(_ field: String) throws {
        let program = try RollcallProcess.demo(users: 10)
        let answer = try curl("-H", field, program.url + "/metrics")
        #expect(answer.status == 404 && !answer.text.contains("rollcall_"))
    }

    @Test func accessIsAnOption() throws {
        let everybody = try RollcallProcess.demo(users: 10, ["--metrics", "public"])
        #expect(try curl("-H", "X-Forwarded-For: 192.0.2.1", everybody.url + "/metrics").status == 200)
        let nobody = try RollcallProcess.demo(users: 10, ["--metrics", "off"])
        #expect(try curl(nobody.url + "/metrics").status == 404)
        let malformed = try run(binary(), ["demo", "--metrics", "sometimes"])
        #expect(malformed.status == 1)
        #expect(malformed.error.contains("--metrics: expected local, public, off, a port, or an address"))
    }

    @Test func metricsCanHaveTheirOwnListener() throws {
        let program = try RollcallProcess.demo(users: 10, ["--metrics", "127.0.0.1:0"])
        #expect(try curl(program.url + "/metrics").status == 404)
        let place = try #require(program.errors.firstMatch(of: /metrics are at (http:\S+)\/metrics/)?.1)
        let answer = try curl("\(place)/metrics")
        #expect(answer.status == 200)
        #expect(
            try PrometheusText(answer.text).value("rollcall_http_requests_total", ["route": "metrics", "code": "404"])
                == 1
        )
        // With a database in a file, the answer has no lines about a database server.
        #expect(try curl("\(place)/readyz").text == "ready\n")
        #expect(try curl("\(place)/").status == 404)
        #expect(program.stop() == 0)
    }
}
