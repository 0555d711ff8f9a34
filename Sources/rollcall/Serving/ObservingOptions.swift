import ArgumentParser
import Server
import Site

struct ObservingOptions: ParsableArguments {
    @Option(value: "off|common|json", help: "Log each request to standard output in one line: off, common or json.")
    var accessLog = Server.AccessLog.Format.off

    @Option(
        value: "local|public|off|address",
        help: """
            Who may read /metrics: local (clients on this machine, not through a proxy), public or off; or the \
            port or address of a listener for metrics alone. A socket that systemd passes by the name of metrics \
            takes the place of that address.
            """)
    var metrics = "local"

    @Flag(help: "Send the time that each response took (Server-Timing).")
    var serverTiming = false

    /// The readers of `/metrics` of the site itself, and the addresses of the listeners for metrics alone. If there are
    /// such listeners, nobody may read them from the site.
    var readersOfMetrics: (access: Site.Configuration.MetricsAccess, addresses: [Server.Address]) {
        get throws {
            switch metrics {
            case "local": return (.loopback, [])
            case "public": return (.everybody, [])
            case "off": return (.nobody, [])
            default: return (.nobody, [try Self.address(metrics)])
            }
        }
    }

    /// Reads `9187`, `127.0.0.1:9187` or `:9187`, which means all addresses.
    private static func address(_ text: String) throws -> Server.Address {
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let hostname = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
        let port = try required(
            UInt16(digits).map(Int.init),
            "--metrics: expected local, public, off, a port, or an address like 127.0.0.1:9187, found “\(text)”")
        return .tcp(hostname: hostname.isEmpty ? "*" : hostname, port: port)
    }
}

extension Server.AccessLog.Format: ExpressibleByArgument {}
