import ArgumentParser
import Server

struct LimitOptions: ParsableArguments {
    @Option(
        in: 0...65_536, value: "MiB",
        help: """
            MiB of memory for the response cache. A full cache admits only responses that are requested a second time.
            """)
    var cacheSize = 32

    @Option(
        in: 1...1_000_000_000, value: "number",
        help: """
            Open connections; above it, a new one replaces the one that has been idle longest, or gets 503 if none is \
            idle.
            """)
    var maxConnections = 10_000

    @Option(
        in: 0...1_000_000_000, value: "number",
        help: "Open connections from one address; more get 503. For servers without a proxy; 0 for no limit.")
    var maxConnectionsPerAddress = 0

    @Option(in: 0...1_048_575, value: "number", help: "The most people that can be downloaded as an Excel workbook.")
    var maxExcel = 100_000

    @Option(
        in: 1...1_000_000_000, value: "number",
        help: """
            Event streams that are open at the same time, beside the connections; more get 503, and their pages ask \
            every minute instead.
            """)
    var maxEventStreams = 10_000

    @Option(in: 1...1_000_000_000, value: "seconds", help: "Seconds after which an idle connection is closed.")
    var idleTimeout = 60

    @Option(
        in: 0...3600, value: "seconds",
        help: """
            Seconds after SIGTERM in which /readyz gives 503 and the server goes on serving, so that a load balancer \
            can turn elsewhere.
            """)
    var drainDelay = 0

    @Option(
        in: 1...1_000_000_000, value: "seconds",
        help: "Seconds to finish the requests in flight after SIGTERM, after the drain delay.")
    var drainTimeout = 20

    func apply(to configuration: inout Server.Configuration) {
        configuration.limits.maxConnections = maxConnections
        configuration.limits.maxConnectionsPerAddress = maxConnectionsPerAddress
        configuration.limits.maxLiveBodies = maxEventStreams
        configuration.timeouts.idle = .seconds(idleTimeout)
        configuration.timeouts.drain = .seconds(drainTimeout)
    }
}
