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
