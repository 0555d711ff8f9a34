import StoreEngine

extension StoreError {
    init(_ error: PostgresError) {
        let reason: Reason =
            switch error.reason {
            case .cannotConnect, .tooManyConnections, .connectionLost: .unreachable
            case .readOnly: .readOnly
            case .conflict, .lockTimeout: .busy
            case .statementTimeout: .timedOut
            case .diskFull: .noRoom
            case .notAuthenticated, .insufficientRights: .notPermitted
            case .noDatabase: .gone
            case .invalidAddress, .sharedSession: .foreign
            // A directory is removed, with its tables, while it is read: the next reading finds no directory.
            case .other where error.sqlState == "42P01": .busy
            case .other where error.isDamage: .damaged
            case .other: .database(0)
            }
        self.init(reason, error.description)
    }

    /// Whether the same transaction may succeed when it is repeated, on this host or on another one.
    var isRetryable: Bool { kind == .interruption || reason == .busy }
}

extension PostgresError {
    /// Whether the server found that its files are damaged: class XX.
    fileprivate var isDamage: Bool { sqlState == "XX001" || sqlState == "XX002" }
}

/// Calls `body`, and throws a ``StoreError`` in place of a `PostgresError`.
func describingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PostgresError { throw StoreError(error) }
}
