import ArgumentParser
import Server

/// The options that limit the resources a server spends on its clients.
struct LimitOptions: ParsableArguments {
    @Option(
        in: 0...65_536,
        help: ArgumentHelp(
            """
            MiB of memory for the response cache. A full cache admits only responses that are requested a second time.
            """, valueName: "MiB"))
    var cacheSize = 32

    @Option(
        in: 1...1_000_000_000,
        help: ArgumentHelp(
            """
            Open connections; above it, a new one replaces the one that has been idle longest, or gets 503 if none is \
            idle.
            """, valueName: "number"))
    var maxConnections = 10_000

    @Option(
        in: 0...1_000_000_000,
        help: ArgumentHelp(
            "Open connections from one address; more get 503. For servers without a proxy; 0 for no limit.",
            valueName: "number"))
    var maxConnectionsPerAddress = 0

    @Option(
        in: 0...1_048_575,
        help: ArgumentHelp("The most people that can be downloaded as an Excel workbook.", valueName: "number"))
    var maxExcel = 100_000

    @Option(
        in: 1...1_000_000_000,
        help: ArgumentHelp(
            """
            Event streams that are open at the same time, beside the connections; more get 503, and their pages ask \
            every minute instead.
            """, valueName: "number"))
    var maxEventStreams = 10_000

    @Option(
        in: 1...1_000_000_000,
        help: ArgumentHelp("Seconds after which an idle connection is closed.", valueName: "seconds"))
    var idleTimeout = 60

    @Option(
        in: 0...3600,
        help: ArgumentHelp(
            """
            Seconds after SIGTERM in which /readyz gives 503 and the server goes on serving, so that a load balancer \
            can turn elsewhere.
            """, valueName: "seconds"))
    var drainDelay = 0

    @Option(
        in: 1...1_000_000_000,
        help: ArgumentHelp(
            """
            Seconds to finish the requests in flight after SIGTERM, after the drain delay.
            """, valueName: "seconds"))
    var drainTimeout = 20

    func apply(to configuration: inout Server.Configuration) {
        configuration.limits.maxConnections = maxConnections
        configuration.limits.maxConnectionsPerAddress = maxConnectionsPerAddress
        configuration.limits.maxLiveBodies = maxEventStreams
        configuration.timeouts.idle = .seconds(idleTimeout)
        configuration.timeouts.drain = .seconds(drainTimeout)
    }
}
