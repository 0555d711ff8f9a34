import Foundation
import HTTP

extension Server {
    /// How a server listens, what it puts up with, and how much it takes at once.
    public struct Configuration: Sendable {
        public var addresses: [Address]
        /// Whether another server may listen at the same places: an older version that ends as soon as this one listens. Ports
        /// are shared (`SO_REUSEPORT`, of which both must know), unix sockets taken over.
        public var takesOver = false
        /// Serial queues that own connections: one a processor is best.
        public var eventLoops = ProcessInfo.processInfo.activeProcessorCount
        public var transport = Transport.platformDefault
        public var limits = Limits()
        public var timeouts = Timeouts()
        /// Serial queues that run what answers `.later`.
        public var workers = 4
        /// Pieces of such work that may wait for a worker; one more gets 503.
        public var workBacklog = 256
        public var accessLog = AccessLog()
        /// Whether answers say in `Server-Timing` what they took.
        public var tellsTimings = false
        /// Peers whose `X-Forwarded-Proto` is believed, beside those on a Unix socket.
        public var trustedProxies: [AddressRange] = []

        public init(addresses: [Address] = [.tcp(hostname: "127.0.0.1", port: 8080)]) {
            self.addresses = addresses
        }
    }

    /// How an event loop learns which of its connections are ready.
    public enum Transport: Sendable {
        /// One epoll set an event loop, watched by one dispatch source.
        case epoll
        /// A dispatch source or two a connection: slower, and available where Dispatch is.
        case sources

        public static var platformDefault: Self {
            #if os(Linux)
                .epoll
            #else
                .sources
            #endif
        }
    }

    /// How much of anything is taken.
    public struct Limits: Sendable {
        public var head = RequestParser.Limits()
        public var maxBodyBytes = BodyReader.defaultMaxBytes
        /// Past these, the connection that has been idle longest is closed for a new one; if none is idle, the new one gets 503.
        /// Where the system's limit of descriptors allows fewer, that limit counts.
        public var maxConnections = 10_000
        /// Connections that one address may have; more get 503. 0 is no limit. A proxy has one address for all of its clients.
        public var maxConnectionsPerAddress = 0

        public init() {}
    }

    /// How long anything may take.
    public struct Timeouts: Sendable {
        /// From a head's first byte to its last; then 408.
        public var head = Duration.seconds(10)
        /// From a head to the last byte of its body; then 408.
        public var body = Duration.seconds(30)
        /// For an answer that is made `.later`, waiting for a worker included; then 503.
        public var answer = Duration.seconds(30)
        /// Between requests.
        public var idle = Duration.seconds(60)
        /// Without the reader taking a byte of its answer.
        public var write = Duration.seconds(30)
        /// For a client to take the last answer and close, before what it goes on sending makes the system reset the connection
        /// and lose that answer (RFC 9112 §9.6).
        public var linger = Duration.seconds(2)
        /// When the server drains: so long after its last answer a connection may still send a request, which then was on its
        /// way already. One that has been silent for longer is closed at once.
        public var lastCall = Duration.seconds(1)
        /// For everything in flight when the server drains.
        public var drain = Duration.seconds(20)

        public init() {}
    }
}
