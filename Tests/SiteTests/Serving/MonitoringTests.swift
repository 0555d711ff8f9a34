import People
import Server
import TestSupport
import Testing

@testable import Site

@Suite("Monitoring")
struct MonitoringTests {
    /// Health checks must not wait for a busy worker pool.
    @Test(arguments: ["/healthz", "/readyz", "/metrics"])
    func monitoringRespondsAtOnce(_ target: String) throws {
        let client = try SiteClient([.make(1)]) { $0.metrics = .everybody }
        #expect(!client.isAnsweredByPool(target))
        let response = client.get(target)
        #expect(response.status == .ok && response.fields["Cache-Control"] == "no-store")
    }

    /// A proxy on this machine sends the requests of others over the loopback interface, too.
    @Test(
        arguments: [
            (.loopback, true, nil, true), (.loopback, false, nil, false), (.nobody, true, nil, false),
            (.loopback, true, "X-Forwarded-For: 192.0.2.1", false), (.loopback, true, "Via: 1.1 proxy", false),
            (.loopback, true, "Forwarded: for=192.0.2.1", false), (.loopback, true, "X-Real-IP: 192.0.2.1", false),
            (.everybody, false, "X-Forwarded-For: 192.0.2.1", true),
        ] as [(Site.Configuration.MetricsAccess, Bool, String?, Bool)])
    func metricsAreForThoseWhoMayReadThem(
        _ access: Site.Configuration.MetricsAccess, _ isFromLoopback: Bool, _ field: String?, _ isShown: Bool
    ) throws {
        let client = try SiteClient([.make(1)]) { $0.metrics = access }
        let lines = ["GET /metrics HTTP/1.1", "Host: a"] + [field].compactMap(\.self)
        let response = client.send(lines, isFromLoopback: isFromLoopback)
        #expect(response.status == (isShown ? .ok : .notFound) && response.text.contains("rollcall_") == isShown)
    }

    @Test func withoutItsDefaultDirectoryItIsNotReady() throws {
        let client = try SiteClient([.make(1)]) { $0.defaultDirectory = Slug("team") }
        #expect(client.get("/readyz").status == .serviceUnavailable)
        client.store.state.withLock { $0.directories[0].slug = Slug(literal: "team") }
        #expect(client.get("/readyz").status == .ok)
        client.store.state.withLock { $0.directories = [] }
        #expect(client.get("/readyz").status == .ok, "an empty database waits for its first import")
    }

    @Test func withoutAReadableFirstPageItIsNotReady() throws {
        let client = try SiteClient([.make(1)]) { $0.metrics = .everybody }
        let isUsable = { client.get("/metrics").text.contains("\nrollcall_database_usable 1\n") }
        #expect(client.get("/readyz").status == .ok && isUsable())
        client.store.state.withLock { $0.damage = FakeStore.Unreadable() }
        #expect(client.get("/readyz").status == .serviceUnavailable && !isUsable())
        client.store.state.withLock { $0.damage = FakeStore.Outdated() }
        #expect(client.get("/readyz").status == .ok, "settings have changed meanwhile")
        // A read from a server would keep the event loop waiting.
        client.store.state.withLock { ($0.damage, $0.isRemote) = (FakeStore.Unreadable(), true) }
        #expect(client.get("/readyz").status == .ok && isUsable())
    }

    private static let status = {
        var status = StoreStatus()
        (status.host, status.isStandby) = ("db2:5432", true)
        (status.openConnections, status.busyConnections) = (9, 2)
        (status.reconnects, status.staleReads, status.generationsBehind) = (3, 4, 5)
        status.secondsSincePoll = 0.25
        return status
    }()

    @Test func theStateOfADatabaseOnAServerIsMeasured() throws {
        let client = try SiteClient([.make(1)]) { $0.metrics = .everybody }
        client.store.state.withLock { $0.status = Self.status }
        let text = client.get("/metrics").text
        for line in [
            #"rollcall_database_host{host="db2:5432",role="standby"} 1"#, "rollcall_database_connections 9",
            "rollcall_database_busy_connections 2", "rollcall_database_reconnects_total 3",
            "rollcall_database_stale_reads_total 4", "rollcall_database_generations_behind 5",
            "rollcall_database_poll_age_seconds 0.25",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
        client.store.state.withLock { $0.status = StoreStatus() }
        let usable = client.get("/metrics").text.split(separator: "\n").filter { $0.hasPrefix("rollcall_database_") }
        #expect(usable.filter { !$0.contains("_read_duration_") } == ["rollcall_database_usable 1"])
    }

    /// The names of hosts are nobody's business on a public port.
    @Test(arguments: [Site.Configuration.MetricsAccess.everybody, .nobody])
    func readinessNamesTheHostToThoseWhoMayReadMetrics(_ access: Site.Configuration.MetricsAccess) throws {
        let client = try SiteClient([.make(1)]) { $0.metrics = access }
        client.store.state.withLock { $0.status = Self.status }
        let lines = """
            database host: db2:5432 (standby)
            database connections: 9 open, 2 in use
            database reconnects: 3
            database lag: 5 generations
            database read: 0.2 s ago

            """
        let shown = access == .everybody ? lines : ""
        #expect(client.get("/readyz").text == "ready\n" + shown)
        client.store.breakDown()
        #expect(client.get("/readyz").text == "not ready: the database cannot be read\n" + shown)
    }

    @Test(arguments: [
        ("/", "page"), ("/fragment", "fragment"), ("/fragment?per_page=0", "fragment"), ("/users/user1", "user"),
        ("/users/nobody", "user"), ("/embed", "embed"), ("/api/v3/users", "api_users"), ("/api/v3/user/1", "api_user"),
        ("/api/v3/rate_limit", "api_rate_limit"), ("/x", "none"), ("/style.css", "file"),
    ])
    func everyResponseNamesItsRoute(_ target: String, _ route: String) throws {
        let client = try SiteClient([.make(1)])
        for _ in 0..<2 { #expect(RouteTable.site.metrics[Int(client.get(target).route)] == route) }
    }

    @Test func aNewPageSaysHowLongItsPartsTook() throws {
        let client = try SiteClient([.make(1)])
        let times = [0, 1].map { _ in client.get("/fragment", "Accept-Encoding: gzip") }
        guard case .work(let timing) = times[0].origin else { throw Failure("a new page has no timing") }
        #expect(timing.database > 0 && timing.rendering > 0 && timing.compression > 0)
        #expect(times[1].origin == .cache)
    }
}
