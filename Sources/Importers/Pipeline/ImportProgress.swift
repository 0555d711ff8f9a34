/// An event of a running import.
public enum ImportEvent: Sendable {
    case rejected(Rejection)
    case note(String)
    /// The settings by which the source is read, before its first record.
    case schema(ImportSchema)
    case progress(ImportProgress)
}

/// The progress of an import.
public struct ImportProgress: Sendable {
    /// The number of users read and saved; in a dry run, only read.
    public var users = 0
    /// How many of these have a mark that hides them from readers.
    public var hidden = 0
    public var rejected = 0
    public var losses = ImportLosses()
    public var leftOut = LeftOutRecords()
    public var bytesRead: Int64 = 0
    /// The number of bytes to read, if known.
    public var size: Int64?
    public var elapsed: Duration = .zero
    /// The state of the service, if the source is one.
    public var service = ServiceStatus()

    public init() {}

    /// Adds what a source has said since, whose state is the later one.
    static func += (total: inout ImportProgress, more: ImportProgress) {
        total.users += more.users
        total.hidden += more.hidden
        total.rejected += more.rejected
        total.losses += more.losses
        total.leftOut += more.leftOut
        (total.bytesRead, total.size, total.service) = (more.bytesRead, more.size, more.service)
    }
}

/// The state of an import from a service.
public struct ServiceStatus: Equatable, Sendable {
    public var pages = 0
    public var requests = 0
    public var quota: Quota?
    /// The number of users that the service has, and the number of them imported so far, earlier runs included.
    public var expected: Int?
    public var reached = 0
    /// Whether this run continues an interrupted one, and so does not see the users that the earlier run saw.
    public var isContinued = false
    /// The number of users in lists that were left out, because the service has no record for them.
    public var missing = 0
    /// Whether users who exist may have been on no page of a complete run.
    public var mayMissUsers = false
    /// Why the service has sent only some of its users, if so.
    public var cutBecause: String?
    /// Whether the source was skipped because it has not changed since the last import.
    public var isUnchanged = false
    /// The reason for the current pause, if any.
    public var waiting: Backoff?

    public init() {}
}
