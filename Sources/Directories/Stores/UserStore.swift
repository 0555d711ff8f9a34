/// Where directories are kept. Implementations are free to use threads; all of this may be called from any.
public protocol UserStore: Sendable {
    /// A reader of its own for one queue. Readers see what other processes write, too.
    func makeReader() throws -> any UserReader

    /// The directories as last seen: the default one, then the others in the order they were made. In memory, never older than a second; costs nothing.
    var directories: [Directory] { get }

    /// A random text made with the store: generations of two stores with different ones have nothing to do with each other.
    var instance: String { get }

    /// Throws what is wrong if the store cannot be read right now. Answers at once, by what is known already.
    func checkHealth() throws

    /// What it has done so far.
    var statistics: StoreStatistics { get }

    /// Opens directory `slug` for writing, makes it if it is new.
    func openDirectory(_ slug: Slug, title: String?, source: String) throws -> any DirectoryWriter

    /// Removes a person for good, and skips them in whatever is imported later: from directory `slug`, or from all, those
    /// to come as well. Answers how many users that were, by directory; where nobody is found, nothing is noted.
    ///
    /// Of `nil` directory, the person is one of a login: ids are of one directory.
    func forget(_ person: PersonSelector, in slug: Slug?) throws -> [Forgetting]

    /// Whether imports skip the person, who was forgotten in just this directory, or in all.
    func isForgotten(_ person: PersonSelector, in slug: Slug?) throws -> Bool

    /// Lets imports bring a person again who was forgotten in just this directory, or in all; answers what came of it.
    func remember(_ person: PersonSelector, in slug: Slug?) throws -> Remembering

    /// What it remembers of the imports of directory `slug`, which need not be there; `nil` where it remembers nothing.
    func ledger(of slug: Slug) -> (any ImportLedger)?
}

/// Who is to be forgotten: everyone with a login, in any case, or a user.
public enum PersonSelector: Equatable, Sendable {
    case login(String)
    case id(Int64)
}

/// What came of letting imports bring a person again.
public enum Remembering: Equatable, Sendable {
    case remembered
    /// The person was not forgotten there.
    case unknown
    /// Imports go on skipping the person, whose login is forgotten as well, or in all directories.
    case forgottenByLogin
}

/// How many users were forgotten in a directory.
public struct Forgetting: Equatable, Sendable {
    public var directory: Slug
    public var count: Int

    public init(directory: Slug, count: Int) {
        self.directory = directory
        self.count = count
    }
}

extension UserReader {
    public func user(login: String, directory: Int64) throws -> Page? {
        try user(login: login, id: nil, directory: directory)
    }
}

extension UserStore {
    public func ledger(of slug: Slug) -> (any ImportLedger)? { nil }

    public var statistics: StoreStatistics { StoreStatistics() }
}

/// What a store has done since it was opened, for whoever watches it.
public struct StoreStatistics: Equatable, Sendable {
    /// Searches whose matches were known already, and those whose matches had to be found.
    public var searchHits = 0
    public var searchMisses = 0

    public init() {}
}

/// Reads users; belongs to one queue at a time.
public protocol UserReader: AnyObject {
    /// The page that `query` asks for, or `nil` where its directory does not exist (any more).
    func page(_ query: UserQuery) throws -> Page?

    /// The user whose login is `login` exactly, else the one whose login it is in any case, as a page of one row with its position in the order by id; `nil` where
    /// there is none. Where a handle has passed on and two have it, the newer account; of all who have it the one with `id`, if that is given.
    func user(login: String, id: Int64?, directory: Int64) throws -> Page?

    /// The ids of those whose login is `login` in any case, the newest first, at most `limit`.
    func ids(login: String, directory: Int64, limit: Int) throws -> [Int64]

    /// Those of `ids` who are there, each once, in an order; without a position. `nil` where there is no such directory.
    func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page?
}

/// Writes users into one directory; belongs to one queue or task at a time.
public protocol DirectoryWriter: AnyObject {
    var directory: Directory { get }

    /// Adds users and updates those whose id is there, all in one transaction: after it, all of them are saved or none.
    /// Of several users with one id in a batch, the last one stays. A user that is the same already is not touched.
    /// Sorts the batch, if that was not done ahead. A `checkpoint` is saved with them, also where there is nobody.
    ///
    /// While the transaction has room, `next` is asked for one more batch, when the one before is no longer needed: a
    /// directory's orders and its search index are brought up to date once a transaction, however many there are.
    func write(
        _ batch: UserBatch, checkpoint: Checkpoint?,
        andThen next: () throws -> (users: UserBatch, checkpoint: Checkpoint?)?
    ) throws -> WriteCounts

    /// Starts noting which users are written, for ``removeUsersNotWritten()``.
    func beginPruning() throws

    /// Removes every user that was not in a batch since ``beginPruning()``; answers how many that were.
    func removeUsersNotWritten() throws -> Int

    /// Takes the terms of the source, unless somebody has written others.
    func adopt(_ terms: Terms) throws

    /// Notes that an import is through, whether it changed anything or not.
    func noteImport() throws
}

extension DirectoryWriter {
    /// The same for one batch.
    public func write(_ batch: UserBatch, checkpoint: Checkpoint? = nil) throws -> WriteCounts {
        try write(batch, checkpoint: checkpoint) { nil }
    }

    /// The same for few users.
    public func write(_ users: [User]) throws -> WriteCounts { try write(UserBatch(users)) }
}

/// What a batch did.
public struct WriteCounts: Equatable, Sendable {
    public var added = 0
    public var changed = 0
    public var unchanged = 0
    /// Users of the batch whose id came again later in it: the later one stays.
    public var repeated = 0
    /// Users of the batch who are to be forgotten: see ``UserStore/forget(_:in:)``.
    public var skipped = 0

    public init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, repeated: Int = 0, skipped: Int = 0) {
        self.added = added
        self.changed = changed
        self.unchanged = unchanged
        self.repeated = repeated
        self.skipped = skipped
    }

    public static func += (counts: inout WriteCounts, more: WriteCounts) {
        counts.added += more.added
        counts.changed += more.changed
        counts.unchanged += more.unchanged
        counts.repeated += more.repeated
        counts.skipped += more.skipped
    }
}
