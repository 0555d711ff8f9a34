/// How far an import from a service has got: saved with the people it brought, in one transaction, so that whoever goes on
/// neither loses nor repeats anything.
public struct Checkpoint: Equatable, Sendable {
    /// What is asked of whom. An import that asks something else starts anew.
    public var source: String
    /// Grows with each import that starts at the beginning.
    public var pass: Int64
    /// What is to be asked next, and after that; empty once the import is complete.
    public var frontier: [String] = []
    /// In seconds since 1970.
    public var startedAt: Int64
    /// People taken, records rejected, requests made and bytes received since the pass began.
    public var users = 0
    public var rejected = 0
    public var requests = 0
    public var bytes: Int64 = 0
    /// What the pass did to the directory until here, as its store has counted; not looked at when it is saved.
    public var counts = WriteCounts()
    /// People of pages that the service said are unchanged, since the last checkpoint.
    public var untouched = 0
    /// Until when the service wants not to be asked, in seconds since 1970, and why; nothing where there is no such wish.
    public var heldUntil: Int64 = 0
    public var heldBecause = ""
    /// Whether the service was asked with a token or a key.
    public var isIdentified = false
    /// The page that brought it here.
    public var page: VisitedPage?

    public init(source: String, pass: Int64, startedAt: Int64) {
        self.source = source
        self.pass = pass
        self.startedAt = startedAt
    }

    public var isComplete: Bool { frontier.isEmpty }
}

/// A page of a service that was read whole, remembered so that it need not be sent again as long as it is unchanged.
public struct VisitedPage: Equatable, Sendable {
    public var address: String
    /// Its `ETag`; empty where it has none that counts.
    public var validator: String
    /// Where it led.
    public var next: [String]
    public var users: Int

    public init(address: String, validator: String, next: [String], users: Int) {
        self.address = address
        self.validator = validator
        self.next = next
        self.users = users
    }
}

/// What a store remembers of the imports of one directory. May be read from any thread.
public protocol ImportLedger: Sendable {
    /// Where the last import got; `nil` where there was none.
    func checkpoint() throws -> Checkpoint?

    /// What is known of a page of the source that ``checkpoint()`` tells of.
    func page(at address: String) throws -> VisitedPage?
}
