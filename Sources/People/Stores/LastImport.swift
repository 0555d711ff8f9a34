/// How the last import of a directory ended.
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
