import Base

/// An error of PostgreSQL or of the connection to it. The description is one line, and never contains a password.
package struct PostgresError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// The text of an address is not valid.
        case invalidAddress
        /// No host accepts connections.
        case cannotConnect
        /// The password, or another proof of identity, is wrong or missing.
        case notAuthenticated
        /// The server has no database of that name (3D000).
        case noDatabase
        /// The role lacks a right (SQLSTATE 42501).
        case insufficientRights
        /// All connections that the server accepts are in use (53300).
        case tooManyConnections
        /// The disk of the server is full (53100).
        case diskFull
        /// The server is a standby, or the transaction only reads (25006).
        case readOnly
        /// A statement took longer than `statement_timeout`, or was canceled (57014).
        case statementTimeout
        /// A lock was not granted within `lock_timeout` (55P03).
        case lockTimeout
        /// The transaction met another one, or the recovery of a standby (40001, 40P01).
        case conflict
        /// A statement that was prepared is unknown, or one of its name is there already: a pooler gives each
        /// transaction another session (26000, 42P05).
        case sharedSession
        /// The connection ended, or the server did not answer in time.
        case connectionLost
        case other
    }

    package var reason: Reason
    /// The SQLSTATE, five characters; empty if the error comes from the client.
    package var sqlState: String
    package var description: String

    package init(_ reason: Reason, sqlState: String = "", _ description: String) {
        (self.reason, self.sqlState, self.description) = (reason, sqlState, description)
    }
}

extension PostgresError {
    /// Makes the error that a server has reported about `sql`.
    init(sqlState: String, message: String, detail: String?, sql: String) {
        let reason = Self.reason(sqlState: sqlState)
        // Some details have several lines, such as the processes of a deadlock or the objects that depend on a table.
        let text = "\(message)\n\(detail ?? "")".joiningLines(with: "; ").replacing(".; ", with: "; ")
        // The loss of a connection has nothing to do with the statement that was running.
        let place = reason == .connectionLost ? "" : Self.place(sql)
        let report = "PostgreSQL: \(text) (\(sqlState))\(place)"
        self.init(reason, sqlState: sqlState, Self.meaning(reason).map { "\($0) – \(report)" } ?? report)
    }

    /// Returns the end of an error's text, which quotes the statement.
    static func place(_ sql: String) -> String {
        sql.isEmpty ? "" : " in: \(sql.joiningLines(with: " ").prefix(400))"
    }

    /// Returns the reason that a SQLSTATE stands for (appendix A of PostgreSQL's documentation).
    static func reason(sqlState: String) -> Reason {
        switch sqlState {
        // Administrator's command, crash of another process, start-up or recovery, database dropped, idle timeouts.
        case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03": .connectionLost
        case "40001", "40P01": .conflict
        case "25006": .readOnly
        case "57014": .statementTimeout
        case "55P03": .lockTimeout
        case "42501": .insufficientRights
        case "53100": .diskFull
        case "53300": .tooManyConnections
        case "26000", "42P05": .sharedSession
        case "28000", "28P01": .notAuthenticated
        case "3D000": .noDatabase
        default: sqlState.hasPrefix("08") ? .connectionLost : .other
        }
    }

    /// Describes a reason to the person who runs the program. Returns `nil` where the server's own message must do.
    private static func meaning(_ reason: Reason) -> String? {
        switch reason {
        case .insufficientRights:
            "the role of the database address lacks a right; grant it, or connect as the owner of the schema"
        case .diskFull: "the database server's disk is full; what was saved before is safe"
        case .readOnly: "the database server only reads, as a standby does; writing needs the primary"
        case .statementTimeout: "the database took too long to answer"
        case .lockTimeout: "another process keeps the directory locked"
        case .conflict: "the transaction conflicted with another one, or with the recovery of a standby"
        case .sharedSession:
            """
            a pooler gives each transaction another session, and Rollcall needs one of its own; connect to a pool in \
            session mode, or to PostgreSQL itself
            """
        case .connectionLost: "the connection to the database was lost"
        case .tooManyConnections:
            "the database accepts no more connections; raise max_connections, or run fewer servers"
        default: nil
        }
    }
}

extension PostgresError {
    /// Makes the error for a failed attempt to connect, from what libpq reports: a line for each host.
    init(connectingTo address: String, report: String) {
        let lines = Self.lines(ofReport: report).map(Self.withoutSeverity)
        let reasons = lines.isEmpty ? "no reason was reported" : lines.joined(separator: "; ")
        let reason = Self.reason(ofReport: reasons)
        let advice =
            switch reason {
            case .notAuthenticated:
                """
                check the user name, and the password in the file that PGPASSFILE names, in PGPASSWORD or in \
                ROLLCALL_DATABASE
                """
            case .noDatabase: "create the database, or correct its name in the address"
            case .tooManyConnections: "raise max_connections, or run fewer servers"
            case .readOnly: "writing needs the primary; name all hosts in the address"
            case _ where reasons.contains("certificate"):
                """
                sslrootcert must name the certificate of the authority that has signed the server's, which must be \
                valid and name the host as the address does
                """
            default: "check that the hosts and ports are right and that PostgreSQL runs there"
            }
        self.init(reason, "cannot connect to \(address): \(reasons); \(advice)")
    }

    /// Returns the lines of what libpq reports, without its hints, which begin with a tab.
    static func lines(ofReport report: String) -> [Substring] {
        report.split(separator: "\n").filter { !$0.hasPrefix("\t") }
    }

    private static func withoutSeverity(_ line: Substring) -> String {
        guard let range = line.firstRange(of: "FATAL:  ") else { return String(line) }
        return String(line[..<range.lowerBound] + line[range.upperBound...])
    }

    /// Finds the reason in the text, because libpq reports no SQLSTATE of failed connections. A message in another
    /// language counts as `cannotConnect`. If several hosts failed, one that may accept connections later is worth
    /// waiting for.
    private static func reason(ofReport report: String) -> Reason {
        let has = { (texts: String...) in texts.contains { report.contains($0) } }
        if has("too many clients", "too many connections", "connection slots are reserved") {
            return .tooManyConnections
        }
        if has("session is read-only", "hot standby mode", "is not in hot standby mode") { return .readOnly }
        if has("refused", "timeout", "timed out", "starting up", "shutting down", "in recovery", "unexpectedly") {
            return .cannotConnect
        }
        if has("password", "pg_hba.conf", "authentication failed", "role \"") { return .notAuthenticated }
        if has("database \"") { return .noDatabase }
        return .cannotConnect
    }
}
