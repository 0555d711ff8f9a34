/// The use of a connection, which decides about hosts and settings.
package enum ConnectionRole: Equatable, Sendable {
    /// Reads from one host, by its index in the address: a primary or a standby.
    case reader(host: Int)
    /// Writes to the primary, which is any of the hosts.
    case writer
    /// Reads for as long as it takes, from any of the hosts.
    case lastingReader
}

extension ConnectionRole {
    func hosts(of address: DatabaseAddress) -> [DatabaseAddress.Host] {
        switch self {
        case .reader(let host): [address.hosts[host % address.hosts.count]]
        case .writer, .lastingReader: address.hosts
        }
    }

    /// Parameters of connections; those in the URL take precedence.
    static let defaults = [
        "connect_timeout": "2",
        // A host that disappears without a word is noticed after 9 s, or 5 s if something was sent to it.
        "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "2", "tcp_user_timeout": "5000",
    ]

    /// Parameters that take precedence over those in the URL.
    var parameters: [String: String] {
        ["client_encoding": "UTF8", "target_session_attrs": self == .writer ? "read-write" : "any"]
    }

    /// Settings of the session. They are not sent as the parameter `options`, which poolers refuse or ignore.
    var settings: String {
        switch self {
        case .reader:
            """
            SET statement_timeout = '2s';
            SET default_transaction_read_only = on;
            SET default_transaction_isolation = 'repeatable read';
            \(Self.planning)
            """
        case .writer, .lastingReader:
            // The server, too, soon notices a client that has disappeared: its session keeps locks until then.
            """
            SET lock_timeout = '30s';
            SET idle_in_transaction_session_timeout = '5min';
            SET tcp_keepalives_idle = 5;
            SET tcp_keepalives_interval = 2;
            SET tcp_keepalives_count = 2;
            \(Self.planning)
            """
        }
    }

    /// Every statement has one sensible plan, which uses an index. Without this, the planner reads whole tables while
    /// it has no statistics of them, as in the first import.
    private static let planning = """
        SET plan_cache_mode = force_generic_plan;
        SET enable_seqscan = off;
        SET jit = off;
        SET max_parallel_workers_per_gather = 0
        """

    /// How long to wait for an answer, in seconds. Longer than `statement_timeout`: when this is over, the network or
    /// the host is stuck.
    var patience: Int? {
        switch self {
        case .reader: 3
        case .writer, .lastingReader: nil
        }
    }
}
