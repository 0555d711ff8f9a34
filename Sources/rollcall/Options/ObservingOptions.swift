import ArgumentParser
import HTTPServer
import Site

/// The options that decide what a server logs and who may read its metrics.
struct ObservingOptions: ParsableArguments {
    @Option(help: "Log requests to standard output, one line each: off, common or json.")
    var accessLog: AccessLogOption = Environment.value("ACCESS_LOG") ?? .off

    @Option(
        help: ArgumentHelp(
            "Who may read /metrics: local (clients on this machine, not through a proxy), public or off; or the port or address of a listener for it alone.",
            valueName: "local|public|off|address"))
    var metrics = MetricsOption(Environment.string("METRICS") ?? "local")

    @Flag(help: "Send the time that each answer took (Server-Timing).")
    var serverTiming = false

    func validate() throws {
        _ = Environment.bool("SERVER_TIMING")
        try Environment.check()
    }
}

enum AccessLogOption: String, ExpressibleByArgument, CaseIterable {
    case off, common, json

    var value: Server.AccessLog.Format { self == .off ? .off : self == .common ? .common : .json }
}

/// `local`, `public`, `off`, or where metrics have a listener of their own.
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

    /// What `/metrics` of the site itself is: nothing where it has a listener of its own.
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

    /// Where its own listener is, if it has one.
    var address: Server.Address? {
        guard case .address(let hostname, let port) = self else { return nil }
        return .tcp(hostname: hostname, port: port)
    }

    var defaultValueDescription: String { "local" }
}
