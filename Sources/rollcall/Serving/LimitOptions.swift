import ArgumentParser
import Server

/// The options that limit the resources a server spends on its clients.
struct LimitOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            MiB of memory for the response cache. A full cache admits only responses that are requested a second time.
            """, valueName: "MiB"))
    var cacheSize = Environment.int("CACHE_SIZE") ?? 32

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Open connections; above it, a new one replaces the one that has been idle longest, or gets 503 if none is \
            idle.
            """, valueName: "number"))
    var maxConnections = Environment.int("MAX_CONNECTIONS") ?? 10_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Open connections from one address; more get 503. For servers without a proxy; 0 for no limit.",
            valueName: "number"))
    var maxConnectionsPerAddress = Environment.int("MAX_CONNECTIONS_PER_ADDRESS") ?? 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Exports that are sent at the same time; more get 503.", valueName: "number"))
    var maxExports = Environment.int("MAX_EXPORTS") ?? 64

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most people that can be downloaded as an Excel workbook.", valueName: "number"))
    var maxExcel = Environment.int("MAX_EXCEL") ?? 100_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Event streams that are open at the same time, beside the connections; more get 503, and their pages ask \
            every minute instead.
            """, valueName: "number"))
    var maxEventStreams = Environment.int("MAX_EVENT_STREAMS") ?? 10_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Seconds after which an idle connection is closed.", valueName: "seconds"))
    var idleTimeout = Environment.int("IDLE_TIMEOUT") ?? 60

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Seconds after SIGTERM in which /readyz gives 503 and the server goes on serving, so that a load balancer \
            can turn elsewhere.
            """, valueName: "seconds"))
    var drainDelay = Environment.int("DRAIN_DELAY") ?? 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Seconds to finish the requests in flight after SIGTERM, after the drain delay.
            """, valueName: "seconds"))
    var drainTimeout = Environment.int("DRAIN_TIMEOUT") ?? 20

    func validate() throws {
        try Environment.check()
        guard (0...65_536).contains(cacheSize) else {
            throw ValidationError("--cache-size: expected 0 to 65536 MiB, found \(cacheSize)")
        }
        let all = [
            ("max-connections", maxConnections), ("max-exports", maxExports), ("max-event-streams", maxEventStreams),
            ("idle-timeout", idleTimeout), ("drain-timeout", drainTimeout),
        ]
        guard (0...1_048_575).contains(maxExcel) else {
            throw ValidationError("--max-excel: expected 0 to 1,048,575, the rows of a sheet, found \(maxExcel)")
        }
        guard (0...3600).contains(drainDelay) else {
            throw ValidationError("--drain-delay: expected 0 to 3600 seconds, found \(drainDelay)")
        }
        guard (0...1_000_000_000).contains(maxConnectionsPerAddress) else {
            throw ValidationError(
                "--max-connections-per-address: expected 0 or a positive number, found \(maxConnectionsPerAddress)")
        }
        for (name, value) in all where !(1...1_000_000_000).contains(value) {
            throw ValidationError("--\(name): expected a number from 1 to 1,000,000,000, found \(value)")
        }
    }

    func apply(to configuration: inout Server.Configuration) {
        configuration.limits.maxConnections = maxConnections
        configuration.limits.maxConnectionsPerAddress = maxConnectionsPerAddress
        configuration.limits.maxLiveBodies = maxEventStreams
        configuration.timeouts.idle = .seconds(idleTimeout)
        configuration.timeouts.drain = .seconds(drainTimeout)
    }
}
