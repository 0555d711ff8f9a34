/// The totals of a store since it was opened, for monitoring.
public struct StoreStatistics: Equatable, Sendable {
    /// Searches whose matches were cached, and those whose matches had to be found.
    public var searchHits = 0
    public var searchMisses = 0

    public init() {}
}

/// The state of a store's database, for monitoring. A value that a store does not have is `nil`.
public struct StoreStatus: Equatable, Sendable {
    /// The host of the database that reads use now, with its port; `nil` for a file, or while no host answers.
    public var host: String?
    /// Whether that host is a standby, which gets its data from another one.
    public var isStandby: Bool?
    /// The connections to the database that are open, and those of them that are in use now.
    public var openConnections: Int?
    public var busyConnections: Int?
    /// The attempts to connect again, after a host did not answer or was behind, since the store was opened.
    public var reconnects: Int?
    /// The reads that a host could not answer because its data was older than what this process had shown before, since
    /// the store was opened.
    public var staleReads: Int?
    /// How many changes the host in use lacks, compared with the latest state that this process has seen: the
    /// difference of generations, for the directory where it is greatest.
    public var generationsBehind: Int?
    /// The seconds since the last time that the store looked for changes and could read the database.
    public var secondsSincePoll: Double?

    public init() {}
}

public struct LastImport: Equatable, Sendable {
    /// In seconds since 1970.
    public var endedAt: Int64
    public var milliseconds: Int64
    /// The exit status of the command: 0 if all went well.
    public var status: Int
    public var added: Int
    public var changed: Int
    public var removed: Int
    public var rejected: Int

    public init(
        endedAt: Int64, milliseconds: Int64, status: Int, added: Int, changed: Int, removed: Int, rejected: Int
    ) {
        (self.endedAt, self.milliseconds, self.status) = (endedAt, milliseconds, status)
        (self.added, self.changed, self.removed, self.rejected) = (added, changed, removed, rejected)
    }
}

/// The space that a database takes, in bytes; `nil` for what it does not have.
public struct StoreSize: Equatable, Sendable {
    public var database: Int64?
    /// The log of changes that are not yet in the database itself.
    public var log: Int64?
    public var pictures: Int64?

    public init() {}
}
