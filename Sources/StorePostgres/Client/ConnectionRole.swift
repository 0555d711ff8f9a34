/// The use of a connection, which decides about hosts and settings.
package struct ConnectionRole: Sendable {
    /// The only host that it uses, by its index in the address; `nil` for any of them.
    private let host: Int?
    /// Which hosts libpq accepts (`target_session_attrs`).
    private let acceptedHosts: String
    /// Settings of the session. They are not sent as the parameter `options`, which poolers refuse or ignore.
    let settings: String
    /// The statement that begins a transaction which reads; `nil` if the settings make it that of every transaction.
    let beginningOfReading: String?
    /// How long to wait for an answer, in seconds. Longer than `statement_timeout`: when this is over, the network or
    /// the host is stuck. `nil` for ever.
    let patience: Int?

    /// Reads from one host, by its index in the address: a primary or a standby.
    package static func reader(host: Int) -> ConnectionRole {
        ConnectionRole(
            host: host, acceptedHosts: "any",
            settings: """
                SET statement_timeout = '2s';
                SET default_transaction_read_only = on;
                SET default_transaction_isolation = 'repeatable read';
                \(planning)
                """, beginningOfReading: nil, patience: 3)
    }

    package static let writer = lasting(acceptedHosts: "read-write")
    /// Reads for as long as it takes, from any of the hosts.
    package static let lastingReader = lasting(acceptedHosts: "any")

    private static func lasting(acceptedHosts: String) -> ConnectionRole {
        ConnectionRole(
            host: nil, acceptedHosts: acceptedHosts,
            // The server, too, soon notices a client that has disappeared: its session keeps locks until then.
            settings: """
                SET lock_timeout = '30s';
                SET idle_in_transaction_session_timeout = '5min';
                SET tcp_keepalives_idle = 5;
                SET tcp_keepalives_interval = 2;
                SET tcp_keepalives_count = 2;
                \(planning)
                """, beginningOfReading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", patience: nil)
    }

    /// Every statement has one sensible plan, which uses an index. Without this, the planner reads whole tables while
    /// it has no statistics of them, as in the first import.
    private static let planning = """
        SET plan_cache_mode = force_generic_plan;
        SET enable_seqscan = off;
        SET jit = off;
        SET max_parallel_workers_per_gather = 0
        """
}

extension ConnectionRole {
    func hosts(of address: DatabaseAddress) -> [DatabaseAddress.Host] {
        host.map { [address.hosts[$0 % address.hosts.count]] } ?? address.hosts
    }

    /// Parameters of connections; those in the URL take precedence.
    static let defaults = [
        "connect_timeout": "2",
        // A host that disappears without a word is noticed after 9 s, or 5 s if something was sent to it.
        "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "2", "tcp_user_timeout": "5000",
    ]

    var parameters: [String: String] { ["client_encoding": "UTF8", "target_session_attrs": acceptedHosts] }
}
