import Base
import CPostgreSQL
import Foundation
import StoreEngine

/// A connection to PostgreSQL through libpq, for one queue at a time.
///
/// The connection is in libpq's pipeline mode
/// (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html) most of the time: statements without results are sent
/// without waiting for answers, and everything up to the next statement with results takes one round trip. An error of
/// such a statement is thrown by a later call, at the latest by ``commit()``, and names the statement that failed.
package final class PostgresConnection {
    let handle: OpaquePointer
    package let role: ConnectionRole
    var statements: [String: PostgresStatement] = [:]
    /// Prepared statements in the sequence of their preparation; those at the front are forgotten first.
    private var prepared: [PostgresStatement] = []
    private var preparedCount = 0
    /// There are few kinds of statements, but each directory has its own tables.
    private let maxPrepared = 300

    private var pending: [PendingCommand] = []
    private let maxPending = 512
    /// Whether a transaction that began without `BEGIN` is open: see ``beginReading()``.
    private var isReading = false
    private var lastChanges = 0
    /// Whether libpq has reported an error of its own. The status of the connection may still be `CONNECTION_OK` then.
    private var isBroken = false

    private enum PendingCommand {
        case prepare(PostgresStatement, name: String)
        case run(sql: String)
        case sync
    }

    /// Connects, and waits up to 2 s for each host unless the URL says otherwise.
    package init(_ address: DatabaseAddress, _ role: ConnectionRole) throws(StoreError) {
        self.role = role
        let parameters = ConnectionRole.defaults
            .merging(address.parameters(for: role.hosts(of: address))) { $1 }
            .merging(role.parameters) { $1 }
        let handle = Self.connect(parameters)
        guard let handle, PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw StoreError(connectingTo: "\(address)", report: String(cString: PQerrorMessage(handle)))
        }
        self.handle = handle
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        try execute("\(role.settings); SET search_path = \"\(address.schema)\"")
    }

    private static func connect(_ parameters: [String: String]) -> OpaquePointer? {
        let list = Array(parameters)
        let names = list.map { strdup($0.key) }
        let values = list.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        let constant = { (texts: [UnsafeMutablePointer<CChar>?]) in texts.map { UnsafePointer($0) } + [nil] }
        return PQconnectdbParams(constant(names), constant(values), 0)
    }

    deinit { PQfinish(handle) }

    /// The version of the server: 150018 for 15.18.
    package var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// Whether a transaction is open, as far as answers have been read.
    package var isInTransaction: Bool { isReading || PQtransactionStatus(handle) != PQTRANS_IDLE }

    package var isLost: Bool { isBroken || PQstatus(handle) != CONNECTION_OK }

    package var host: String {
        let name = PQhost(handle).map { String(cString: $0) } ?? ""
        let port = PQport(handle).map { String(cString: $0) } ?? ""
        return name.hasPrefix("/") ? name : "\(name):\(port)"
    }

    /// The process that serves this connection, to find it in `pg_stat_activity`.
    package var serverProcess: Int32 { PQbackendPID(handle) }
}

// MARK: - Scripts and transactions

extension PostgresConnection {
    /// Runs statements without parameters and results, separated by semicolons, in one transaction unless they say
    /// otherwise.
    package func execute(_ sql: String) throws(StoreError) {
        try leavePipelineMode()
        try send(sql) { PQsendQuery(handle, sql) }
        try finish(sql)
    }

    /// Reads the rest of the results of `sql` outside of pipeline mode, and throws the first error among them.
    func finish(_ sql: String) throws(StoreError) {
        var failure: StoreError?
        while let result = try nextResult() {
            defer { PQclear(result) }
            failure = failure ?? error(of: result, sql)
            noteChanges(result)
        }
        if let failure { throw failure }
    }

    /// Sends `BEGIN` with the next statement.
    package func begin() throws(StoreError) { try queue("BEGIN") }

    /// Ends the transaction. All errors of its statements have been thrown when this returns.
    package func commit() throws(StoreError) {
        try queue("COMMIT")
        try readAnswers()
    }

    /// Begins a transaction that reads one state of the database, until ``endReading()``.
    ///
    /// Readers need no `BEGIN` and no `COMMIT`: PostgreSQL runs all statements up to the next synchronization in one
    /// transaction (https://www.postgresql.org/docs/15/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). The settings of
    /// their session make it read only, with the isolation level `REPEATABLE READ`. This saves a quarter of what a page
    /// costs the server. No timeout of PostgreSQL 15 ends such a transaction between two statements; the end of the
    /// connection does.
    package func beginReading() throws(StoreError) {
        if let begin = role.beginningOfReading { try queue(begin) } else { isReading = true }
    }

    /// Ends a transaction that has changed nothing, without waiting for the answer.
    package func endReading() throws(StoreError) {
        if !isReading { try queue("COMMIT") }
        isReading = false
        try sync()
    }

    /// Discards the open transaction. Does nothing without one. If this fails, the server discards it by itself.
    package func rollback() {
        guard !isLost else { return }
        if isReading { try? endReading() }
        _ = try? readAnswers()
        guard isInTransaction else { return }
        try? queue("ROLLBACK")
        _ = try? readAnswers()
    }

    /// The number of rows that the last statement changed. Waits for its answer.
    package var changes: Int {
        get throws(StoreError) {
            try readAnswers()
            return lastChanges
        }
    }

    /// Sends a statement without parameters and results with the next one that has results.
    package func queue(_ sql: String) throws(StoreError) {
        try enterPipelineMode()
        try send(sql) { PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) }
        pending.append(.run(sql: sql))
    }
}

// MARK: - Prepared statements

extension PostgresConnection {
    /// Returns the statement for `sql`, which is prepared at its first execution. Parameters are `?`, the next one, or
    /// `?1`.
    package func statement(_ sql: String) -> PostgresStatement {
        if let statement = statements[sql] { return statement }
        // Texts of forgotten statements stay: a statement that is used again is prepared again.
        if statements.count >= 4 * maxPrepared { statements = [:] }
        let statement = PostgresStatement(sql, on: self)
        statements[sql] = statement
        return statement
    }

    func send(_ statement: PostgresStatement) throws(StoreError) {
        try enterPipelineMode()
        if statement.name == nil || !statement.hasMatchingTypes { try prepare(statement) }
        let (name, parameters) = (statement.name ?? "", statement.parameters)
        try send(statement.sql) {
            PQsendQueryPrepared(
                handle, name, parameters.count, parameters.values, parameters.lengths, parameters.formats, 1)
        }
        pending.append(.run(sql: statement.sql))
    }

    private func prepare(_ statement: PostgresStatement) throws(StoreError) {
        if let name = statement.name {
            try queue("DEALLOCATE \(name)")
            forget(statement, name)
        }
        if prepared.count >= maxPrepared {
            for old in prepared.prefix(maxPrepared / 3) {
                if let name = old.name { try queue("DEALLOCATE \(name)") }
                old.name = nil
            }
            prepared.removeFirst(maxPrepared / 3)
        }
        preparedCount += 1
        let name = "s\(preparedCount)"
        statement.types = statement.parameters.types
        try send(statement.sql) {
            PQsendPrepare(handle, name, statement.numberedSQL, Int32(statement.types.count), statement.types)
        }
        statement.name = name
        prepared.append(statement)
        pending.append(.prepare(statement, name: name))
    }

    /// Runs a statement and returns its rows, after the answers to everything that was sent before.
    func rows(of statement: PostgresStatement) throws(StoreError) -> OpaquePointer {
        try send(statement)
        guard let result = try readAnswers(keepingLast: true) else {
            throw StoreError(.database(0), "PostgreSQL sent no answer\(StoreError.place(statement.sql))")
        }
        return result
    }

    func run(_ statement: PostgresStatement) throws(StoreError) {
        try send(statement)
        if pending.count >= maxPending { try readAnswers() }
    }
}

// MARK: - Pipeline

extension PostgresConnection {
    private func enterPipelineMode() throws(StoreError) {
        guard PQpipelineStatus(handle) == PQ_PIPELINE_OFF else { return }
        try send { PQenterPipelineMode(handle) }
    }

    /// Reads all answers, because scripts and `COPY` are not possible in pipeline mode.
    func leavePipelineMode() throws(StoreError) {
        guard PQpipelineStatus(handle) != PQ_PIPELINE_OFF else { return }
        precondition(!isReading, "scripts and COPY would end the transaction")
        try readAnswers()
        try send { PQexitPipelineMode(handle) }
    }

    private func sync() throws(StoreError) {
        try send { PQpipelineSync(handle) }
        pending.append(.sync)
    }

    private func askForAnswers() throws(StoreError) {
        if case .sync? = pending.last { return }
        guard isReading else { return try sync() }
        // A synchronization would end the transaction.
        try send { PQsendFlushRequest(handle) == 1 && PQflush(handle) == 0 ? 1 : 0 }
    }

    /// Waits for the answers to everything that was sent. Throws the first error among them. Returns the result of the
    /// last statement if `keepingLast`; the caller clears it.
    @discardableResult
    func readAnswers(keepingLast: Bool = false) throws(StoreError) -> OpaquePointer? {
        if pending.isEmpty { return nil }
        let last = keepingLast ? pending.count - 1 : -1
        try askForAnswers()
        defer { pending.removeAll(keepingCapacity: true) }
        var (failure, kept): (StoreError?, OpaquePointer?)
        for (index, command) in pending.enumerated() {
            guard let result = try answer() else {
                failure = failure ?? lost(sql(of: command))
                break
            }
            let isError = [PGRES_FATAL_ERROR, PGRES_PIPELINE_ABORTED].contains(PQresultStatus(result))
            switch command {
            case .prepare(let statement, let name): if isError { forget(statement, name) }
            case .run: if !isError { noteChanges(result) }
            case .sync: break
            }
            failure = failure ?? error(of: result, sql(of: command))
            if index == last, !isError { kept = result } else { PQclear(result) }
        }
        guard let failure else { return kept }
        PQclear(kept)
        throw failure
    }

    /// Reads the answer to one command. The end of a command's results follows it, but not that of a sync.
    private func answer() throws(StoreError) -> OpaquePointer? {
        guard let result = try nextResult() else { return nil }
        if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return result }
        while let extra = try nextResult() { PQclear(extra) }
        return result
    }

    /// Waits for the next result, but not longer than the role's patience.
    func nextResult() throws(StoreError) -> OpaquePointer? {
        guard let patience = role.patience else { return PQgetResult(handle) }
        let deadline = ContinuousClock.now + .seconds(patience)
        while PQisBusy(handle) == 1 {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            let count = poll(&descriptor, 1, Int32(max(0, (deadline - .now) / .milliseconds(1))))
            if count == 0 {
                // The session is in an unknown state, so it is not used again.
                shutdown(PQsocket(handle), Int32(SHUT_RDWR))
                _ = PQconsumeInput(handle)
                throw StoreError(
                    .unreachable,
                    "the database at \(host) has not answered for \(patience) s; the connection is closed")
            }
            if count < 0, errno == EINTR { continue }
            try send { PQconsumeInput(handle) }
        }
        return PQgetResult(handle)
    }

    private func forget(_ statement: PostgresStatement, _ name: String) {
        if statement.name == name { statement.name = nil }
        prepared.removeAll { $0 === statement }
    }

    private func sql(of command: PendingCommand) -> String {
        switch command {
        case .prepare(let statement, _): statement.sql
        case .run(let sql): sql
        case .sync: ""
        }
    }

    /// Calls `body`, which returns 1 unless it fails.
    func send(_ sql: String = "", _ body: () -> Int32) throws(StoreError) {
        if body() != 1 { throw lost(sql) }
    }

    private func noteChanges(_ result: OpaquePointer) {
        lastChanges = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }
}

// MARK: - Errors

extension PostgresConnection {
    func error(of result: OpaquePointer, _ sql: String) -> StoreError? {
        guard PQresultStatus(result) == PGRES_FATAL_ERROR else { return nil }
        let field = { (code: Int32) in PQresultErrorField(result, code).map { String(cString: $0) } }
        guard let state = field(rollcall_pg_diag_sqlstate()) else {
            isBroken = true
            return lost(sql)
        }
        return StoreError(
            sqlState: state, message: field(rollcall_pg_diag_message_primary()) ?? "error",
            detail: field(rollcall_pg_diag_message_detail()), sql: sql)
    }

    /// Makes the error for a failure that the server did not report: nearly always a lost connection.
    func lost(_ sql: String) -> StoreError {
        let report = StoreError.lines(ofReport: String(cString: PQerrorMessage(handle))).joined(separator: " ")
        guard isLost else { return StoreError(.database(0), "libpq: \(report)\(StoreError.place(sql))") }
        return StoreError(.unreachable, "the connection to the database at \(host) was lost: \(report)")
    }
}
