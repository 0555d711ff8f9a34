import ArgumentParser
import Server
import Site

/// The options for the access log, the metrics and the timings of a server.
struct ObservingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Log each request to standard output in one line: off, common or json.", valueName: "off|common|json"))
    var accessLog: AccessLogOption = .off

    @Option(
        help: ArgumentHelp(
            """
            Who may read /metrics: local (clients on this machine, not through a proxy), public or off; or the \
            port or address of a listener for metrics alone. A socket that systemd passes by the name of metrics \
            takes the place of that address.
            """,
            valueName: "local|public|off|address"))
    var metrics = MetricsOption("local")

    @Flag(help: "Send the time that each response took (Server-Timing).")
    var serverTiming = false
}

enum AccessLogOption: String, ExpressibleByArgument, CaseIterable {
    case off, common, json

    var value: Server.AccessLog.Format { self == .off ? .off : self == .common ? .common : .json }
}

/// `local`, `public`, `off`, or the address of a listener for metrics alone.
enum MetricsOption: ExpressibleByArgument, Equatable {
    case local, everybody, off
    case address(hostname: String, port: Int)
    case malformed(String)

    init?(argument: String) { self = Self(argument) }

    init(_ text: String) {
        switch text {
        case "local": self = .local
        case "public": self = .everybody
        case "off": self = .off
        default:
            let colon = text.lastIndex(of: ":")
            let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
            let hostname = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
            guard let port = Int(port), (0...65_535).contains(port) else {
                self = .malformed(text)
                return
            }
            self = .address(hostname: hostname.isEmpty ? "*" : hostname, port: port)
        }
    }

    /// Returns who may read `/metrics` of the site itself: nobody if metrics have a listener of their own.
    func access() throws -> Site.Configuration.MetricsAccess {
        switch self {
        case .local: return .loopback
        case .everybody: return .everybody
        case .off, .address: return .nobody
        case .malformed(let text):
            throw ValidationError(
                "--metrics: expected local, public, off, a port, or an address like 127.0.0.1:9187, found “\(text)”")
        }
    }

    /// The address of the listener for metrics alone, if there is one.
    var addresses: [Server.Address] {
        guard case .address(let hostname, let port) = self else { return [] }
        return [.tcp(hostname: hostname, port: port)]
    }

    var defaultValueDescription: String { "local" }
}
