import Publishing
import StoreEngine

/// A connection for reading from the host that the process has chosen. It moves when the choice changes.
final class ReadingConnection {
    let connection: PostgresStoreConnection
    private let hosts: HostChoice
    private let host: ConnectedHost
    private var readers: [Audience: (state: SharedState, reader: StoreReader)] = [:]

    /// The host of the connection. An object, because the closure that connects changes it.
    private final class ConnectedHost {
        /// Its index in the address; `nil` without a connection.
        var index: Int?
        /// Whether the connection counts as open.
        var isCounted = false
    }

    init(_ address: DatabaseAddress, _ hosts: HostChoice, _ name: String, _ blobs: BlobCache? = nil) {
        let host = ConnectedHost()
        self.host = host
        connection = PostgresStoreConnection(cache: blobs, checkGeneration: { try hosts.check($0, $1) }) {
            let index = hosts.current
            host.index = index
            let connection = try PostgresConnection(address, .reader(host: index), applicationName: name)
            if !host.isCounted { hosts.countConnections(open: 1) }
            host.isCounted = true
            return connection
        }
        self.hosts = hosts
    }

    /// Whether there is a connection that is not known to be lost.
    var isOpen: Bool { connection.isOpen }

    func open() throws { _ = try connection.client() }

    /// Closes a connection to a host that is not the chosen one any more.
    func follow() {
        if let index = host.index, index != hosts.current { close() }
    }

    /// Leaves the host, because it does not answer or is behind.
    func leave() {
        hosts.leave(host.index ?? hosts.current)
        close()
    }

    func close() {
        connection.close()
        host.index = nil
        if host.isCounted { hosts.countConnections(open: -1) }
        host.isCounted = false
    }

    deinit { close() }

    /// Returns the reader of what `audience` gets of `state`.
    func reader(of state: SharedState, for audience: Audience) -> StoreReader {
        if let known = readers[audience], known.state === state { return known.reader }
        let reader = StoreReader(connection, state, pictures: connection, for: audience)
        readers[audience] = (state, reader)
        return reader
    }
}
