import Foundation

/// A primary and standbys that follow it, for tests of failures. A commit waits until one standby shows it.
public final class ReplicatedPostgres {
    /// The first is the primary at the start.
    public let servers: [PostgresServer]

    /// A short path for the sockets of other programs of the test. It is removed with this.
    public let folder: String

    /// - Parameters:
    ///   - standbys: The number of standbys.
    ///   - settings: Settings of all servers, by name.
    ///   - primaryData: A folder for the data of the first server, if it should be elsewhere.
    public init(standbys: Int = 2, settings: [String: String] = [:], primaryData: String? = nil) throws {
        let folder = try PostgresFolder()
        self.folder = folder.path
        let names = (1...(1 + standbys)).map { "s\($0)" }
        let hosts = names.map { "\(folder.path)/\($0)" }.joined(separator: ",")
        servers = try names.map { name in
            let replication = [
                "wal_level": "replica", "wal_keep_size": "1GB", "hot_standby_feedback": "on",
                "wal_receiver_status_interval": "1s",
                // For pg_rewind.
                "wal_log_hints": "on", "full_page_writes": "on", "synchronous_commit": "remote_apply",
                "synchronous_standby_names": "ANY 1 (\(names.joined(separator: ", ")))",
                // Standbys find the new primary themselves.
                "primary_conninfo":
                    "host=\(hosts) user=rollcall application_name=\(name) target_session_attrs=read-write connect_timeout=2",
                "wal_receiver_timeout": "5s", "wal_retrieve_retry_interval": "200ms",
            ]
            return try PostgresServer(name, in: folder, settings: replication.merging(settings) { $1 })
        }
        if let primaryData { try servers[0].keepData(in: primaryData) }
        try servers[0].initialize()
        // Nothing can be committed until a standby is there.
        try servers[0].start()
        for standby in servers.dropFirst() {
            try standby.copy(servers[0])
            try standby.start()
        }
        try waitForStandbys(standbys)
    }

    /// Waits until `count` standbys follow the primary.
    public func waitForStandbys(_ count: Int) throws {
        try eventually("\(count) standbys follow the primary") {
            let states = try primary.query("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")
            return Int(states) == count
        }
    }

    public var primary: PostgresServer {
        get throws {
            guard let primary = servers.first(where: { $0.isRunning && (try? $0.isPrimary) == true }) else {
                throw Failure("there is no primary")
            }
            return primary
        }
    }

    public var standbys: [PostgresServer] { servers.filter { $0.isRunning && (try? $0.isPrimary) == false } }

    /// Promotes the standby that has received more than the others, so that no acknowledged commit is lost. Returns it.
    @discardableResult public func promoteMostAdvanced() throws -> PostgresServer {
        let positions = try standbys.map { (server: $0, received: try $0.received) }
        guard let best = positions.max(by: { $0.received < $1.received })?.server else {
            throw Failure("there is no standby to promote")
        }
        try best.promote()
        return best
    }

    /// Starts a server that was killed. A former primary follows the present one.
    public func revive(_ server: PostgresServer, wasPrimary: Bool = false) throws {
        if wasPrimary { try server.rewind(to: primary) }
        try server.start()
    }

    /// Returns the URL of a schema on all servers, for reading from any of them and writing to the primary.
    ///
    /// - Parameter hosts: The servers' hosts, if they are reached by other ones.
    public func url(hosts: [String]? = nil, schema: String = "rollcall") -> String {
        let hosts = (hosts ?? servers.map(\.host)).joined(separator: ",")
        return "postgres:///postgres?host=\(hosts)&user=rollcall&schema=\(schema)"
    }
}
