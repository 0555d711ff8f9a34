import Foundation
import Synchronization

/// Passes connections over TCP on to the socket of a PostgreSQL server. Clients then use what they use over a network,
/// such as OpenSSL, and connections can be forgotten, as a firewall does.
public final class PostgresRelay: Sendable {
    private struct State {
        /// How often connections have been forgotten.
        var forgotten = 0
        var connections: [(client: Connection, server: Connection)] = []
    }

    public let port: Int
    private let listener: LoopbackListener
    private let state = Mutex(State())

    /// - Parameter host: the folder of the server's socket.
    public init(to host: String) throws {
        listener = try LoopbackListener()
        port = listener.port
        Thread.detachNewThread { [self] in
            while let client = listener.next() {
                guard let server = try? Connection(path: host + "/.s.PGSQL.5432") else {
                    client.close()
                    continue
                }
                let number = state.withLock { state in
                    state.connections.append((client, server))
                    return state.forgotten
                }
                for (from, to) in [(client, server), (server, client)] {
                    Thread.detachNewThread { [self] in pass(from, to, number) }
                }
            }
        }
    }

    /// The URL of a schema over TCP.
    public func url(schema: String) -> String { "postgres://rollcall@127.0.0.1:\(port)/postgres?schema=\(schema)" }

    /// From now on, passes nothing on over the connections that are open, which stay open.
    public func forget() { state.withLock { $0.forgotten += 1 } }

    /// Forgets the connections that are open, and ends them for the clients. The server hears nothing of that.
    public func fail() {
        forget()
        for (client, _) in state.withLock({ $0.connections }) { client.endWriting() }
    }

    /// Ends all connections.
    public func stop() {
        listener.shutDown()
        for (client, server) in state.withLock({ $0.connections }) {
            client.endReading()
            server.endReading()
        }
    }

    private func pass(_ from: Connection, _ to: Connection, _ number: Int) {
        let isForgotten = { self.state.withLock { $0.forgotten > number } }
        while let bytes = try? from.read(), !bytes.isEmpty, !isForgotten() {
            guard (try? to.write(bytes)) != nil else { break }
        }
        if !isForgotten() { to.endWriting() }
    }
}
