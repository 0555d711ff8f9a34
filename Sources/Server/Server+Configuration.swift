import Base
import Foundation

extension Server {
    /// The addresses, limits, timeouts and threads of a server.
    public struct Configuration: Sendable {
        public var addresses: [Address]
        /// Whether another server may listen at the same addresses: an older version that ends as soon as this one
        /// listens. Ports are shared (`SO_REUSEPORT`, which both servers must set); unix sockets are taken over.
        public var takesOver = false
        /// The number of serial queues that own connections. One per processor is best.
        public var eventLoops = ProcessInfo.processInfo.activeProcessorCount
        public var limits = Limits()
        public var timeouts = Timeouts()
        /// The number of serial queues that run `.later` work.
        public var workers = 4
        /// The number of pieces of such work that may wait for a worker. A request above it gets 503.
        public var workBacklog = 256
        public var accessLog = AccessLog()
        /// Whether responses report their timings in `Server-Timing`.
        public var tellsTimings = false
        /// Peers whose `X-Forwarded-Proto` is believed, beside those on a Unix socket.
        public var trustedProxies: [AddressRange] = []

        public init(addresses: [Address] = [.tcp(hostname: "127.0.0.1", port: 8080)]) {
            self.addresses = addresses
        }
    }

    /// The limits on connections. Those on requests are constants of ``RequestParser`` and ``BodyReader``.
    public struct Limits: Sendable {
        /// Past these, the connection that has been idle longest is closed for a new one; if none is idle, the new one
        /// gets 503. Where the system's limit of descriptors allows fewer, that limit counts.
        public var maxConnections = 10_000
        /// Connections that one address may have; more get 503. 0 means no limit. A proxy has one address for all of
        /// its clients.
        public var maxConnectionsPerAddress = 0

        /// Connections with a body that stays open (``LiveBody``). They do not count among `maxConnections`, and are
        /// not closed for new ones. Further requests for such a body get 503. Where the system's limit of descriptors
        /// allows fewer, that limit counts.
        public var maxLiveBodies = 10_000

        public init() {}
    }

    /// The time limits. The program has options for those that depend on what runs around it, ``idle`` and ``drain``.
    /// The others suit every client that means well.
    public struct Timeouts: Sendable {
        /// From the first byte of a head to its last; then 408. A head has 16 KiB at most: ten seconds are enough for
        /// the slowest of modems, and limit how long an attacker holds a connection for a few bytes.
        public var head = Duration.seconds(10)
        /// From the end of a head to the last byte of its body, of 64 KiB at most; then 408.
        public var body = Duration.seconds(30)
        /// For a response made by `.later` work, including the wait for a worker; then 503. Nobody waits for a search
        /// longer than this, and proxies give up after 60 seconds.
        public var answer = Duration.seconds(30)
        /// Between two requests. Must be longer than a proxy in front keeps its idle connections.
        public var idle = Duration.seconds(60)
        /// Without the client accepting a byte of its response: long enough for a telephone in a tunnel.
        public var write = Duration.seconds(30)
        /// Between two heartbeats of a body that stays open, if nothing else is written. Proxies close connections on
        /// which nothing is sent, most of them after 60 seconds.
        public var heartbeat = Duration.seconds(25)
        /// For a client to read the last response and close. If the server closed earlier, bytes that the client still
        /// sends would make the system reset the connection, and the response would be lost (RFC 9112 §9.6).
        public var linger = Duration.seconds(2)
        /// While the server drains: how long after its last response a connection may still send a request, which may
        /// already have been on its way. A connection that has been silent for longer is closed at once.
        public var lastCall = Duration.seconds(1)
        /// For all requests in flight when the server begins to drain.
        public var drain = Duration.seconds(20)

        public init() {}
    }
}

extension Server {
    /// An address at which a server listens.
    public enum Address: Equatable, Sendable, CustomStringConvertible {
        /// An IPv4 or IPv6 address or a host name. Port 0 chooses a free port; `*` stands for all addresses of the
        /// machine.
        case tcp(hostname: String, port: Int)
        /// A socket in the file system. A socket left over from a killed process is replaced.
        case unix(path: String)
        /// A listening socket that another process opened, as in systemd's socket activation.
        case descriptor(Int32)

        public static func tcp(port: Int) -> Self { .tcp(hostname: "127.0.0.1", port: port) }

        /// The URL of a TCP address, such as `http://127.0.0.1:8080`, or a short description.
        public var description: String {
            switch self {
            case .tcp: "http://\(hostAndPort)"
            case .unix(let path): "unix:\(path)"
            case .descriptor(let descriptor): "descriptor \(descriptor)"
            }
        }

        var hostAndPort: String {
            guard case .tcp(let hostname, let port) = self else { return description }
            return hostname.contains(":") && !hostname.hasPrefix("[") ? "[\(hostname)]:\(port)" : "\(hostname):\(port)"
        }
    }
}
