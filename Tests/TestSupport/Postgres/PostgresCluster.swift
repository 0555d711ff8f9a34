import Foundation
import Synchronization

/// The PostgreSQL server of this test process. Tests use a schema each.
public final class PostgresCluster: Sendable {
    /// The folder of the socket, which is the server's host in URLs.
    public let host: String
    private let server: Mutex<PostgresServer?>

    private init() throws {
        // Vacuuming would look through the catalogues of thousands of short-lived tables.
        let server = try PostgresServer.make(settings: ["autovacuum": "off"])
        host = server.host
        self.server = Mutex(server)
        atexit { try? PostgresCluster.shared().stop() }
    }

    private static let one = Result { try PostgresCluster() }

    /// Returns the server of this process, which the first call starts. It ends with the process, however that ends.
    public static func shared() throws -> PostgresCluster { try one.get() }

    private func stop() { server.withLock { $0 = nil } }

    /// Returns the name of a schema that does not exist yet.
    public static func makeSchema() -> String { "t_\(UInt64.random(in: 0 ... .max))" }

    /// Returns the URL of a database that is empty: a schema with a new name.
    public func makeURL() -> String { url(schema: Self.makeSchema()) }

    public func url(schema: String) -> String { "postgres:///postgres?host=\(host)&user=rollcall&schema=\(schema)" }

    /// Makes a role that may read all tables that the schema has now, and change none. Returns its URL.
    public func makeReadingRole(schema: String, _ options: String = "") throws -> String {
        try query(
            """
            CREATE ROLE r_\(schema) LOGIN \(options); GRANT USAGE ON SCHEMA \(schema) TO r_\(schema);
            GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO r_\(schema)
            """)
        return url(schema: schema).replacing("user=rollcall", with: "user=r_\(schema)")
    }

    /// Returns the bytes of all tables and indexes of a schema as they are in files.
    public func bytes(ofSchema schema: String) throws -> Data {
        try query("CHECKPOINT")
        let paths = try query(
            """
            WITH own AS (
                SELECT c.oid, reltoastrelid FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
                WHERE nspname = '\(schema)'
            ), toast AS (
                SELECT reltoastrelid AS oid FROM own UNION
                SELECT indexrelid FROM pg_index JOIN own ON indrelid = reltoastrelid
            )
            SELECT pg_relation_filepath(oid) FROM (SELECT oid FROM own UNION SELECT oid FROM toast) AS every
            WHERE pg_relation_filepath(oid) IS NOT NULL
            """)
        return try paths.split(separator: "\n").reduce(into: Data()) { bytes, path in
            bytes += try Data(ofFile: URL(filePath: "\(host)/data/\(path)"))
        }
    }

    /// See ``PostgresServer/holdTransaction(_:)``.
    public func holdTransaction(_ sql: String) throws -> Connection { try running { try $0.holdTransaction(sql) } }

    /// See ``PostgresServer/startConnection(delay:)``.
    public func startConnection(delay: Int) throws -> Connection {
        try running { try $0.startConnection(delay: delay) }
    }

    /// See ``PostgresServer/endConnections(of:)``.
    public func endConnections(of pattern: String) throws { try running { try $0.endConnections(of: pattern) } }

    /// Returns the rows of a query, a line each, with `|` between the columns.
    @discardableResult public func query(_ sql: String) throws -> String { try running { try $0.query(sql) } }

    private func running<Result: Sendable>(_ body: (PostgresServer) throws -> sending Result) throws -> Result {
        try server.withLock { server in
            guard let server else { throw Failure("the tests have ended") }
            return try body(server)
        }
    }
}
