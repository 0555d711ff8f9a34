/// A store of directories. Implementations may use threads; every method may be called from any thread.
public protocol UserStore: Sendable {
    /// Creates a reader for one queue. Readers also see what other processes write.
    func makeReader() throws -> any UserReader

    /// The directories as last seen: the default one, then the others in order of creation. They are kept in memory, at
    /// most one second old, and cost nothing to read.
    var directories: [Directory] { get }

    /// A random text created with the store. Generations are comparable only between stores with the same text.
    var instance: String { get }

    /// Throws an error with the reason if the store cannot be read now. Returns at once, from what is already known.
    func checkHealth() throws

    /// The totals since the store was opened.
    var statistics: StoreStatistics { get }

    /// Opens directory `slug` for writing, and creates it if it does not exist.
    func openDirectory(_ slug: Slug, title: String?, source: String) throws -> any DirectoryWriter

    /// Removes a person permanently, and makes later imports skip them: in directory `slug`, or, for `nil`, in all
    /// existing and future directories. Returns the number of users removed, by directory. If no user is found, nothing
    /// is recorded.
    ///
    /// If `slug` is `nil`, the person must be selected by login, because ids are specific to a directory.
    func forget(_ person: PersonSelector, in slug: Slug?) throws -> [Forgetting]

    /// Returns whether the person was forgotten with exactly this scope: directory `slug`, or, for `nil`, all
    /// directories.
    func isForgotten(_ person: PersonSelector, in slug: Slug?) throws -> Bool

    /// Lets imports add a person again that was forgotten with exactly this scope: directory `slug`, or, for `nil`, all
    /// directories. Returns the outcome.
    func remember(_ person: PersonSelector, in slug: Slug?) throws -> Remembering

    /// Returns the import records of directory `slug`, which need not exist; `nil` if the store keeps none.
    func ledger(of slug: Slug) -> (any ImportLedger)?
}

/// An error of a store.
public protocol StoreFailure: Error {
    /// Whether the stored data is damaged: every request that reads the same data then fails in the same way.
    var isDamage: Bool { get }
}

/// The person to be forgotten: all users with a login, ignoring case, or one user.
public enum PersonSelector: Equatable, Sendable {
    case login(String)
    case id(Int64)
}

/// The outcome of letting imports add a person again.
public enum Remembering: Equatable, Sendable {
    case remembered
    /// The person was not forgotten with this scope.
    case unknown
    /// Imports continue to skip the person, because the login is forgotten as well, or is forgotten in all directories.
    case forgottenByLogin
}

/// The number of users forgotten in a directory.
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

/// The totals of a store since it was opened, for monitoring.
public struct StoreStatistics: Equatable, Sendable {
    /// Searches whose matches were cached, and those whose matches had to be found.
    public var searchHits = 0
    public var searchMisses = 0

    public init() {}
}

/// Reads users. Confined to one queue at a time.
public protocol UserReader: AnyObject {
    /// Returns the page for `query`, or `nil` if its directory does not exist (any more).
    func page(_ query: UserQuery) throws -> Page?

    /// Returns the user with the given login, as a page of one row with its position in the order by id, or `nil` if no
    /// user has it. An exact match takes precedence over one that ignores case. If several users have the login,
    /// because a handle was passed on, returns the one with `id`, if given, or else the newest account.
    func user(login: String, id: Int64?, directory: Int64) throws -> Page?

    /// Returns the ids of the users with the given login, ignoring case, newest first, at most `limit`.
    func ids(login: String, directory: Int64, limit: Int) throws -> [Int64]

    /// Returns the users among `ids` that exist, each once, in the order `sort`, without positions; `nil` if the
    /// directory does not exist.
    func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page?
}

/// Writes users into one directory. Confined to one queue or task at a time.
///
/// Users are saved in transactions: ``begin()``, ``append(_:checkpoint:)`` for each batch, ``commit()``. Either everything
/// appended in between is saved, or nothing is. Orders and search index are updated once per transaction, however many
/// batches it has.
public protocol DirectoryWriter: AnyObject {
    var directory: Directory { get }

    /// Begins a transaction. Waits for other writers.
    func begin() throws

    /// Adds new users and updates existing ones, by id. If a batch contains several users with one id, the last one is
    /// kept. A user that has not changed is not written. Sorts the batch if necessary. The batch may be reused afterwards.
    /// A `checkpoint` is saved with the users, even if the batch is empty. After an error, call ``rollback()``.
    func append(_ batch: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts

    /// Whether the open transaction should be committed before more batches are appended: it takes much memory, or has
    /// kept other writers waiting for long.
    var isFull: Bool { get }

    /// Saves all batches appended since ``begin()``. If it throws, nothing is saved and the transaction is over.
    func commit() throws

    /// Discards all batches appended since ``begin()``. Does nothing if no transaction is open.
    func rollback()

    /// Starts recording which users are written, for ``removeUsersNotWritten()``.
    func beginPruning() throws

    /// Removes every user that was not in a batch since ``beginPruning()``, and returns their number.
    func removeUsersNotWritten() throws -> Int

    /// Stores the terms of the source, unless a publisher has set other terms.
    func adopt(_ terms: Terms) throws

    /// Records that an import has finished, whether it changed anything or not.
    func noteImport() throws
}

extension DirectoryWriter {
    /// Writes one batch in a transaction of its own.
    public func write(_ batch: UserBatch, checkpoint: Checkpoint? = nil) throws -> WriteCounts {
        if batch.isEmpty, checkpoint == nil { return WriteCounts(repeated: batch.repeated) }
        try begin()
        do {
            let counts = try append(batch, checkpoint: checkpoint)
            try commit()
            return counts
        } catch {
            rollback()
            throw error
        }
    }

    /// Writes a few users.
    public func write(_ users: [User]) throws -> WriteCounts { try write(UserBatch(users)) }
}

/// The changes that a batch made.
public struct WriteCounts: Equatable, Sendable {
    public var added = 0
    public var changed = 0
    public var unchanged = 0
    /// Users of the batch whose id came again later in it; the later one is kept.
    public var repeated = 0
    /// Users of the batch that are skipped because they were forgotten: see ``UserStore/forget(_:in:)``.
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
