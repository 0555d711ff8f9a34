/// The progress of an import from a service. It is saved with the imported users in one transaction, so that a resumed
/// import neither loses nor repeats anything.
public struct Checkpoint: Equatable, Sendable {
    /// Identifies the service and the query. An import with another source starts over.
    public var source: String
    /// Increases with each import that starts at the beginning.
    public var pass: Int64
    /// The addresses to request next, in order; empty once the import is complete.
    public var frontier: [String] = []
    /// In seconds since 1970.
    public var startedAt: Int64
    /// Users accepted, records rejected, requests sent and bytes received since the pass began.
    public var users = 0
    public var rejected = 0
    public var requests = 0
    public var bytes: Int64 = 0
    /// The changes of the pass so far, counted by the store. Ignored when a checkpoint is saved.
    public var counts = WriteCounts()
    /// The number of users on pages that the service reported as unchanged, since the last checkpoint.
    public var untouched = 0
    /// The time before which the service wants no requests, in seconds since 1970, and the reason; 0 and empty without
    /// one.
    public var heldUntil: Int64 = 0
    public var heldBecause = ""
    /// Whether the requests carried a token or a key.
    public var isIdentified = false
    /// The page that led to this checkpoint.
    public var page: VisitedPage?

    public init(source: String, pass: Int64, startedAt: Int64) {
        self.source = source
        self.pass = pass
        self.startedAt = startedAt
    }

    public var isComplete: Bool { frontier.isEmpty }
}

/// A page of a service that was read completely. It is remembered so that it need not be sent again while it is
/// unchanged.
public struct VisitedPage: Equatable, Sendable {
    public var address: String
    /// Its `ETag`; empty if it has no usable one.
    public var validator: String
    /// The pages that it links to.
    public var next: [String]
    public var users: Int

    public init(address: String, validator: String, next: [String], users: Int) {
        self.address = address
        self.validator = validator
        self.next = next
        self.users = users
    }
}

/// The records that a store keeps of the imports of one directory. May be used from any thread.
public protocol ImportLedger: Sendable {
    /// Returns the progress of the last import, or `nil` before the first one.
    func checkpoint() throws -> Checkpoint?

    /// Returns the record of a page, for the source of ``checkpoint()``.
    func page(at address: String) throws -> VisitedPage?
}
