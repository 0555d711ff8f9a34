import Base
import StoreEngine

// Errors of PostgreSQL and of the connection to it. Their descriptions are one line, and never contain a password.

extension StoreError {
    /// Makes the error that a server has reported about `sql`.
    init(sqlState: String, message: String, detail: String?, sql: String) {
        let fault = Self.fault(sqlState)
        // Some details have several lines, such as the processes of a deadlock or the objects that depend on a table.
        let text = "\(message)\n\(detail ?? "")".joiningLines(with: "; ").replacing(".; ", with: "; ")
        // The loss of a connection has nothing to do with the statement that was running.
        let place = fault.reason == .unreachable ? "" : Self.place(sql)
        let report = "PostgreSQL: \(text) (\(sqlState))\(place)"
        self.init(fault.reason, fault.meaning.map { "\($0) – \(report)" } ?? report)
    }

    /// Returns the end of an error's text, which quotes the statement.
    static func place(_ sql: String) -> String {
        sql.isEmpty ? "" : " in: \(sql.joiningLines(with: " ").prefix(400))"
    }

    /// Whether the same transaction may succeed when it is repeated, on this host or on another one.
    var isRetryable: Bool { kind == .interruption || reason == .busy }
}

/// What an error of the server means for callers, and for the person who runs the program: `nil` where the server's own
/// message must do.
private typealias ServerFault = (reason: StoreError.Reason, meaning: String?)

extension StoreError {
    /// - Parameter sqlState: Five characters (appendix A of PostgreSQL's documentation).
    private static func fault(_ sqlState: String) -> ServerFault {
        faults[sqlState] ?? (sqlState.hasPrefix("08") ? lost : (.database(0), nil))
    }

    private static let lost: ServerFault = (.unreachable, "the connection to the database was lost")
    private static let conflict: ServerFault = (
        .busy, "the transaction conflicted with another one, or with the recovery of a standby"
    )
    private static let sharedSession: ServerFault = (
        .foreign,
        """
        a pooler gives each transaction another session, and Rollcall needs one of its own; connect to a pool in \
        session mode, or to PostgreSQL itself
        """
    )

    private static let faults: [String: ServerFault] = [
        // Administrator's command, crash of another process, start-up or recovery, database dropped, idle timeouts.
        "57P01": lost, "57P02": lost, "57P03": lost, "57P04": lost, "57P05": lost, "25P03": lost,
        // Another transaction, or the recovery of a standby; a deadlock.
        "40001": conflict, "40P01": conflict,
        "25006": (.readOnly, "the database server only reads, as a standby does; writing needs the primary"),
        // Longer than `statement_timeout`, or canceled.
        "57014": (.timedOut, "the database took too long to answer"),
        // Not granted within `lock_timeout`.
        "55P03": (.busy, "another process keeps the directory locked"),
        // A directory is removed, with its tables, while it is read: the next reading finds no directory.
        "42P01": (.busy, nil),
        "42501": (
            .notPermitted,
            "the role of the database address lacks a right; grant it, or connect as the owner of the schema"
        ),
        "53100": (.noRoom, "the database server's disk is full; what was saved before is safe"),
        "53300": (
            .unreachable, "the database accepts no more connections; raise max_connections, or run fewer servers"
        ),
        // A statement that was prepared is unknown, or one of its name is there already.
        "26000": sharedSession, "42P05": sharedSession,
        "28000": (.notPermitted, nil), "28P01": (.notPermitted, nil),
        "3D000": (.gone, nil),
        // The server has found that its files are damaged.
        "XX001": (.damaged, nil), "XX002": (.damaged, nil),
    ]
}

extension StoreError {
    /// Makes the error for a failed attempt to connect, from what libpq reports: a line for each host.
    init(connectingTo address: String, report: String) {
        let lines = Self.lines(ofReport: report).map(Self.withoutSeverity)
        let reasons = lines.isEmpty ? "no reason was reported" : lines.joined(separator: "; ")
        let cause = connectingFaults.first { $0.texts.contains { reasons.contains($0) } }
        let cure = reasons.contains("certificate") ? certificateCure : hostCure
        self.init(
            cause?.reason ?? .unreachable, "cannot connect to \(address): \(reasons); \(cause?.cure ?? cure)")
    }

    /// Returns the lines of what libpq reports, without its hints, which begin with a tab.
    static func lines(ofReport report: String) -> [Substring] {
        report.split(separator: "\n").filter { !$0.hasPrefix("\t") }
    }

    private static func withoutSeverity(_ line: Substring) -> String {
        guard let range = line.firstRange(of: "FATAL:  ") else { return String(line) }
        return String(line[..<range.lowerBound] + line[range.upperBound...])
    }
}

/// Why no connection could be opened: what the report then has one of, the reason, and what helps, which is `nil` for
/// ``certificateCure`` or ``hostCure``. It is found in the text: libpq reports no SQLSTATE of failed connections.
/// A message in another language counts as a host that cannot be reached.
///
/// If several hosts failed, one that may accept connections later is worth waiting for, so it comes first.
private let connectingFaults: [(texts: [String], reason: StoreError.Reason, cure: String?)] = [
    (
        ["too many clients", "too many connections", "connection slots are reserved"], .unreachable,
        "raise max_connections, or run fewer servers"
    ),
    (
        ["session is read-only", "hot standby mode", "is not in hot standby mode"], .readOnly,
        "writing needs the primary; name all hosts in the address"
    ),
    (
        ["refused", "timeout", "timed out", "starting up", "shutting down", "in recovery", "unexpectedly"],
        .unreachable, nil
    ),
    (
        ["password", "pg_hba.conf", "authentication failed", "role \""], .notPermitted,
        """
        check the user name, and the password in the file that PGPASSFILE names, in PGPASSWORD or in ROLLCALL_DATABASE
        """
    ),
    (["database \""], .gone, "create the database, or correct its name in the address"),
]

private let certificateCure = """
    sslrootcert must name the certificate of the authority that has signed the server's, which must be valid and name \
    the host as the address does
    """
private let hostCure = "check that the hosts and ports are right and that PostgreSQL runs there"
