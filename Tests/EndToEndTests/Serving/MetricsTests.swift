import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Metrics", .onThreadsForPrograms)
final class MetricsTests: Stage {
    private func metrics(_ program: RollcallProcess) throws -> PrometheusText {
        let answer = try get(program.url + "/metrics")
        #expect(answer.status == 200 && answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.fields["cache-control"] == "no-store")
        return try PrometheusText(answer.text)
    }

    @Test func everyRequestIsCountedByRouteAndStatus() throws {
        let program = try RollcallProcess.demo(users: 100)
        let tag = try #require(try get(program.url + "/").fields["etag"])
        _ = try get(program.url + "/", "If-None-Match: \(tag)")
        for target in [
            "/fragment", "/fragment?since=x", "/?q=a", "/api/v3/users", "/style.css", "/nowhere", "/healthz",
        ] { _ = try get(program.url + target) }
        _ = try curl("-X", "BREW", program.url + "/")
        let metrics = try metrics(program)
        let count = { try metrics.value("rollcall_http_requests_total", ["route": $0, "code": $1]) }
        for (route, code, expected) in [
            ("page", "200", 2), ("page", "304", 1), ("fragment", "200", 1), ("fragment", "400", 1),
            ("api_users", "200", 1), ("file", "200", 1), ("none", "404", 1), ("none", "501", 1), ("healthz", "200", 1),
        ] { #expect(try count(route, code) == Double(expected), "\(route) \(code)") }
        #expect(try metrics.value("rollcall_http_request_duration_seconds_count", ["route": "page"]) == 3)
        #expect(try metrics.value("rollcall_work_wait_seconds_count") == 1)
        #expect(try metrics.value("rollcall_search_cache_misses_total") == 1)
        // The page, and the counts of its filters.
        #expect(try metrics.value("rollcall_database_read_duration_seconds_count", ["query": "search"]) == 2)
        #expect(try metrics.value("rollcall_directory_users", ["directory": "demo"]) == 100)
        #expect(try metrics.value("rollcall_http_accepted_connections_total") == 11)
        #expect(try metrics.value("rollcall_http_displaced_connections_total") == 0)
        #expect(try metrics.value("rollcall_database_usable") == 1)
    }

    @Test func cacheHitsAndGzipSavingsAreCounted() throws {
        let program = try RollcallProcess.demo(users: 100)
        for _ in 0..<3 { _ = try get(program.url + "/", "Accept-Encoding: gzip") }
        let plain = try get(program.url + "/")
        let packed = try get(program.url + "/", "Accept-Encoding: gzip")
        let metrics = try metrics(program)
        #expect(try metrics.value("rollcall_response_cache_misses_total") == 2)
        #expect(try metrics.value("rollcall_response_cache_hits_total") == 3)
        #expect(try metrics.value("rollcall_response_cache_bytes") > Double(plain.body.count + packed.body.count))
        let saved = 4 * (plain.body.count - packed.body.count)
        #expect(try metrics.value("rollcall_http_gzip_saved_bytes_total") == Double(saved))
        #expect(try metrics.value("rollcall_http_sent_bytes_total") > Double(plain.body.count + 4 * packed.body.count))
    }

    @Test func metricsCanHaveTheirOwnListener() throws {
        let program = try RollcallProcess.demo(users: 10, ["--metrics", "127.0.0.1:0"])
        #expect(try get(program.url + "/metrics").status == 404)
        let place = try #require(program.errors.firstMatch(of: /metrics are at (http:\S+)\/metrics/)?.1)
        let metrics = try PrometheusText(get("\(place)/metrics").text)
        #expect(try metrics.value("rollcall_http_requests_total", ["route": "metrics", "code": "404"]) == 1)
        // With a database in a file, the answer has no lines about a database server.
        #expect(try get("\(place)/readyz").text == "ready\n")
        #expect(try get("\(place)/").status == 404)
        #expect(program.stop() == 0)
    }

    /// As rollcall-metrics.socket passes it, beside rollcall.socket, to a unit that may not listen by itself.
    @Test func aPassedSocketOfThatNameServesMetricsAlone() throws {
        let (site, metrics) = (try LoopbackListener(), try LoopbackListener())
        defer {
            site.close()
            metrics.close()
        }
        let program = try RollcallProcess(
            ["demo", "--users", "10"],
            environment: ["LISTEN_FDNAMES": "rollcall.socket:metrics", "ROLLCALL_METRICS": "1"],
            sockets: [site.descriptor, metrics.descriptor])
        #expect(program.output.contains(":\(site.port)") && !program.output.contains(":\(metrics.port)"))
        #expect(!program.errors.contains("without effect"))
        #expect(try Exchange(port: site.port, target: "/").status == 200)
        #expect(try Exchange(port: site.port, target: "/metrics").status == 404)
        #expect(try Exchange(port: metrics.port, target: "/metrics").status == 200)
        #expect(try Exchange(port: metrics.port, target: "/").status == 404)
        #expect(program.stop() == 0)
    }

    @Test func aNameIsNeededForEachPassedSocket() throws {
        try run(
            "sh", ["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" demo --users 1", binary()],
            environment: ["LISTEN_FDNAMES": "a:b"]
        ).expect(1, error: "LISTEN_FDNAMES, found “a:b”")
    }

    @Test func aUnitThatMayNotListenIsToldOfTheSocketUnit() throws {
        // In this order, because the socket cannot start while the service runs.
        let commands = ["stop rollcall.socket rollcall", "enable --now rollcall-metrics.socket rollcall"]
        let line = commands.map { "systemctl \($0)" }.joined(separator: "; ")
        let words = try ["-c", Self.withoutNetwork, binary(), "demo", "--users", "1", "--port", "0"]
        try run("python3", words, environment: ["ROLLCALL_METRICS": "9187"]).expect(
            1, error: "cannot listen on 127.0.0.1:9187", line)
    }

    /// Runs a program that may open sockets of AF_UNIX only, as `RestrictAddressFamilies` in rollcall.service does it:
    /// socket(2) fails with EAFNOSUPPORT (97) for AF_INET (2) and AF_INET6 (10).
    private static let withoutNetwork = """
        import ctypes, os, struct, sys
        number = {"x86_64": 41, "aarch64": 198}[os.uname().machine]
        steps = [(0x20, 0, 0, 0), (0x15, 0, 4, number), (0x20, 0, 0, 16), (0x15, 1, 0, 2), (0x15, 0, 1, 10),
                 (0x06, 0, 0, 0x50000 | 97), (0x06, 0, 0, 0x7fff0000)]
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        filter = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
        prctl = ctypes.CDLL(None).prctl
        assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, ctypes.c_void_p(ctypes.addressof(filter)), 0, 0) == 0
        os.execv(sys.argv[1], sys.argv[1:])
        """

    /// A running server shows what other processes import, however that ends.
    @Test func theEndOfTheLastImportIsKnown() throws {
        func importing(_ people: String, _ options: String...) throws -> Int32 {
            try rollcall(["import", "file", "-", "--directory", "team"] + options, input: "id,login\n" + people).status
        }
        #expect(try importing("1,ada\n2,bo\n3,cy\n") == 0)
        let program = try serve()
        func figures() throws -> [Double] {
            let shown = try metrics(program)
            let names = ["added", "changed", "removed", "rejected"]
            return try [shown.value("rollcall_last_import_status", ["directory": "team"])]
                + names.map { try shown.value("rollcall_last_import_people", ["directory": "team", "change": $0]) }
        }
        #expect(try figures() == [0, 3, 0, 0, 0])
        #expect(try importing("1,ada\n2,bob\nx,cy\n") == 2)
        #expect(try figures() == [2, 0, 1, 0, 1])
        #expect(try importing("1,adele\n", "--dry-run") == 0)
        #expect(try figures() == [2, 0, 1, 0, 1])
        #expect(try importing("1,ada\n2,bob\n", "--prune") == 0)
        #expect(try figures() == [0, 0, 0, 1, 0])
        #expect(try importing("1,ada\n", "--key", "Nope") == 1)
        #expect(try figures() == [1, 0, 0, 0, 0])
        let last = try metrics(program)
        let ended = try last.value("rollcall_last_import_timestamp_seconds", ["directory": "team"])
        #expect(abs(ended - Date().timeIntervalSince1970) < 3600)
        #expect(try last.value("rollcall_last_import_duration_seconds", ["directory": "team"]) > 0)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int)
        #expect(try last.value("rollcall_database_bytes", ["file": "database"]) == Double(size))
        for file in ["log", "pictures"] { #expect(try last.value("rollcall_database_bytes", ["file": file]) >= 0) }
    }

    @Test func theNextVersionMayShareThePortOfMetrics() throws {
        let first = try RollcallProcess.demo(users: 1, ["--reuse-port", "--metrics", "0"])
        let port = try #require(first.errors.firstMatch(of: /metrics are at \S+:(\d+)\//).flatMap { Int($0.1) })
        let second = try RollcallProcess.demo(users: 1, ["--reuse-port", "--metrics", "\(port)"])
        #expect(first.stop() == 0)
        #expect(try Exchange(port: port, target: "/metrics").status == 200)
        #expect(second.stop() == 0)
    }
}
