import Publishing
import StoreEngine

/// A connection for reading from the host that the process has chosen. It moves when the choice changes.
final class ReadingConnection {
    private let hosts: HostChoice
    private let blobs: BlobCache?
    /// The index of the host that was connected to last; `nil` without a connection.
    private var host: Int?
    private var isCounted = false
    private var readers: [Audience: (state: SharedState, reader: StoreReader)] = [:]
    private(set) lazy var connection = PostgresStoreConnection(
        cache: blobs, checkGeneration: { [hosts] in try hosts.check($0, $1) }
    ) { [unowned self] in
        let index = hosts.current
        host = index
        let connection = try PostgresConnection(hosts.address, .reader(host: index))
        if !isCounted { hosts.countConnections(open: 1) }
        isCounted = true
        return connection
    }

    init(_ hosts: HostChoice, _ blobs: BlobCache? = nil) { (self.hosts, self.blobs) = (hosts, blobs) }

    var isOpen: Bool { connection.isOpen }

    func open() throws { _ = try connection.client() }

    /// Closes a connection to a host that is not the chosen one any more.
    func follow() {
        if let host, host != hosts.current { close() }
    }

    /// Leaves the host, because it does not answer or is behind.
    func leave() {
        hosts.leave(host ?? hosts.current)
        close()
    }

    func close() {
        connection.close()
        host = nil
        if isCounted { hosts.countConnections(open: -1) }
        isCounted = false
    }

    deinit { close() }

    func reader(of state: SharedState, for audience: Audience) -> StoreReader {
        if let known = readers[audience], known.state === state { return known.reader }
        let reader = StoreReader(connection, state, pictures: connection, for: audience)
        readers[audience] = (state, reader)
        return reader
    }
}
