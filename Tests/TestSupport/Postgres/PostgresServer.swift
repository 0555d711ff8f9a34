import Foundation

/// A PostgreSQL server of a test on a Unix socket. It keeps nothing safe from a power failure, which makes it fast.
public final class PostgresServer {
    /// The folder of the socket, which is the server's host in URLs.
    public let host: String
    private var data: String { host + "/data" }
    private let installation: PostgresInstallation
    private let folder: PostgresFolder
    /// Settings beside those of every test server, by name.
    public var settings: [String: String]
    private var program: Program?

    init(_ name: String, in folder: PostgresFolder, settings: [String: String] = [:]) throws {
        (self.folder, self.settings) = (folder, settings)
        installation = try PostgresInstallation()
        host = "\(folder.path)/\(name)"
    }

    /// Makes a new, empty server in a folder of its own, and starts it. Its last owner removes it.
    public static func make(settings: [String: String] = [:]) throws -> PostgresServer {
        let server = try PostgresServer("s1", in: PostgresFolder(), settings: settings)
        try server.initialize()
        try server.start()
        return server
    }

    deinit { kill(SIGQUIT) }

    /// Keeps the data in a folder inside of `place`, which may be on another file system.
    func keepData(in place: String) throws {
        for path in [host, place + "/data"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try folder.give(path)
        }
        try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: place + "/data")
    }

    /// Makes a new, empty database cluster whose superuser is `rollcall`.
    func initialize() throws {
        try installation.run(
            "initdb",
            [
                "--pgdata=\(data)", "--username=rollcall", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync",
                "--no-instructions",
            ])
    }

    /// Makes a copy of a running server, which will follow the primary.
    func copy(_ primary: PostgresServer) throws {
        try installation.run(
            "pg_basebackup",
            ["--pgdata=\(data)", "--host=\(primary.host)", "--username=rollcall", "--checkpoint=fast", "--no-sync"])
        try becomeStandby()
    }

    /// Lets a killed primary follow the server that was promoted in its place.
    func rewind(to primary: PostgresServer) throws {
        try installation.run(
            "pg_rewind",
            [
                "--target-pgdata=\(data)", "--no-sync",
                "--source-server=host=\(primary.host) user=rollcall dbname=postgres",
            ])
        try becomeStandby()
    }

    private func becomeStandby() throws {
        let signal = data + "/standby.signal"
        try Data().write(to: URL(filePath: signal))
        try folder.give(signal)
    }

    /// Starts the server and waits until it accepts connections.
    public func start() throws {
        try writeSettings()
        let program = try installation.start("postgres", ["-D", data])
        self.program = program
        try eventually("PostgreSQL accepts connections") {
            guard program.isRunning else { throw Failure("PostgreSQL does not start: \(program.errors)") }
            return (try? query("SELECT 1")) == "1"
        }
    }

    /// Writes all settings, because `pg_basebackup` and `pg_rewind` copy those of another server.
    private func writeSettings() throws {
        let common = [
            "listen_addresses": "", "unix_socket_directories": host, "fsync": "off", "full_page_writes": "off",
            "synchronous_commit": "off", "shared_buffers": "64MB", "max_connections": "300", "jit": "off",
            "log_checkpoints": "off",
        ]
        let lines = common.merging(settings) { $1 }.map { name, value in
            "\(name) = '\(value.replacing("'", with: "''"))'\n"
        }
        try Data(lines.sorted().joined().utf8).write(to: URL(filePath: data + "/postgresql.conf"))
    }

    public var isRunning: Bool { program?.isRunning ?? false }

    /// The process id of the server's first process, the parent of all others.
    public var processID: pid_t { program?.processID ?? 0 }

    /// The server's own log.
    public var log: String { program?.errors ?? "" }

    /// Sends `signal` to the server's first process and waits for its end: SIGKILL for a crash, SIGINT for an orderly
    /// stop, SIGQUIT for a fast one.
    public func kill(_ signal: Int32 = SIGKILL) {
        program?.stop(signal)
        // The other processes of a killed server notice its end by themselves.
        if signal == SIGKILL { try? eventually("its processes end") { Self.processes(in: data).isEmpty } }
    }

    /// Returns the processes that work in `folder`.
    private static func processes(in folder: String) -> [pid_t] {
        let folder = URL(filePath: folder).resolvingSymlinksInPath().path
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == folder
        }
    }

    /// Returns the rows of a query, a line each, with `|` between the columns.
    @discardableResult public func query(_ sql: String) throws -> String {
        let program = try Program(
            installation.programs.appending(path: "psql"),
            [
                "--no-psqlrc", "--no-align", "--tuples-only", "--quiet", "--set=ON_ERROR_STOP=1", "--host=\(host)",
                "--username=rollcall", "--dbname=postgres", "--command=\(sql)",
            ], environment: ["PGCONNECT_TIMEOUT": "5"])
        guard program.wait() == 0 else { throw Failure("\(sql): \(program.errors)") }
        return program.output.trimmingCharacters(in: .newlines)
    }
}

/// Connections.
extension PostgresServer {
    /// Opens a connection that does nothing, or returns `nil` if the server takes no more.
    public func holdConnection() throws -> Connection? {
        let connection = try startConnection()
        // A server that accepts answers with an authentication message, R, and else with an error, E.
        if try connection.read().first == UInt8(ascii: "R") { return connection }
        connection.close()
        return nil
    }

    /// Opens a connection whose session takes a number of seconds to start, and returns before it has.
    public func startConnection(delay: Int = 0) throws -> Connection {
        let connection = try Connection(path: host + "/.s.PGSQL.5432")
        // The length, the version 3.0 of the protocol, and parameters.
        let parameters = Array("user\0rollcall\0database\0postgres\0post_auth_delay\0\(delay)\0\0".utf8)
        try connection.write([0, 0, 0, UInt8(8 + parameters.count), 0, 3, 0, 0] + parameters)
        return connection
    }

    /// Runs statements in a transaction on a new connection. The transaction stays open until the connection is closed.
    public func holdTransaction(_ sql: String) throws -> Connection {
        guard let connection = try holdConnection() else { throw Failure("PostgreSQL takes no more connections") }
        let text = Array("BEGIN; \(sql)\0".utf8)
        let length = withUnsafeBytes(of: UInt32(text.count + 4).bigEndian) { Array($0) }
        try connection.write([UInt8(ascii: "Q")] + length + text)
        // Reads up to the message ReadyForQuery with the status T (in a transaction) or E (a statement failed). After
        // the start of a connection, the status is I.
        var answer: [UInt8] = []
        while !answer.suffix(6).starts(with: [UInt8(ascii: "Z"), 0, 0, 0, 5]) || answer.last == UInt8(ascii: "I") {
            let bytes = try connection.read()
            guard !bytes.isEmpty else { throw Failure("PostgreSQL closed the connection of: \(sql)") }
            answer += bytes
        }
        guard answer.last == UInt8(ascii: "T") else {
            throw Failure("\(sql): \(String(decoding: answer, as: UTF8.self))")
        }
        return connection
    }

    /// Closes the connections whose `application_name` is like `pattern`.
    public func endConnections(of pattern: String) throws {
        try query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '\(pattern)'")
    }
}

/// Replication.
extension PostgresServer {
    public var isPrimary: Bool { get throws { try query("SELECT pg_is_in_recovery()") == "f" } }

    /// Makes a standby the primary, and waits until it is.
    public func promote() throws {
        guard try query("SELECT pg_promote()") == "t" else { throw Failure("not promoted: \(log)") }
        // pg_rewind needs the new timeline in the control file.
        try query("CHECKPOINT")
    }

    /// The bytes of the write-ahead log that a standby has received.
    public var received: Int {
        get throws {
            let position = "coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())"
            return Int(try query("SELECT pg_wal_lsn_diff(\(position), '0/0')")) ?? 0
        }
    }
}
