import People

/// Writes users into one directory. Confined to one queue or task at a time.
///
/// Users are saved in transactions: ``begin()``, ``append(_:checkpoint:)`` for each batch, ``commit()``. Either
/// everything appended in between is saved, or nothing is. Orders and search index are updated once per transaction,
/// however many batches it has.
public protocol DirectoryWriter: AnyObject {
    var directory: StoredDirectory { get }

    /// Begins a transaction. Waits for other writers.
    func begin() throws

    /// Adds new users and updates existing ones, by id. If a batch contains several users with one id, the last one is
    /// kept. A user that has not changed is not written. Sorts the batch if necessary. The batch may be reused
    /// afterwards. A `checkpoint` is saved with the users, even if the batch is empty. After an error, call
    /// ``rollback()``.
    func append(_ batch: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts

    /// Whether the open transaction should be committed before more batches are appended: it takes much memory, or has
    /// kept other writers waiting for long.
    var isFull: Bool { get }

    /// Saves all batches appended since ``begin()``. If it throws, nothing is saved and the transaction is over.
    func commit() throws

    /// Discards all batches appended since ``begin()``. Does nothing if no transaction is open.
    func rollback()

    /// Starts recording which users are written, for ``removeUsersNotWritten(_:)``.
    func beginPruning() throws

    /// Returns how many people ``removeUsersNotWritten(_:)`` would remove now, and how many the directory had when
    /// ``beginPruning()`` was called, or before the import. Those who are on no page count.
    func pruning(_ rule: PruningRule) throws -> Pruning

    /// Removes the users that were not in a batch since ``beginPruning()``, as far as `rule` allows it, and returns
    /// their number.
    func removeUsersNotWritten(_ rule: PruningRule) throws -> Int

    /// Returns how many people ``removeDeparted()`` would remove now, and how many the directory had before.
    func departures() throws -> Pruning

    /// Removes those who have left according to the source, whether it lacks others or not, and returns their number.
    func removeDeparted() throws -> Int

    /// The people who were here before and are in no batch so far, each with the handle of a new person of the same
    /// name, who may be the same.
    func goneNamesakes() throws -> [(id: Int64, handle: String, newHandle: String)]

    /// Lets ``removeUsersNotWritten(_:)`` keep people.
    func keep(_ ids: [Int64]) throws

    /// Stores the terms of the source, unless a publisher has set other terms.
    func adopt(_ terms: Terms) throws

    /// Replaces the settings, as a ``PublisherStore`` does. Not inside a transaction.
    func adopt(_ settings: DirectorySettings) throws

    /// Records that an import has finished, whether it changed anything or not.
    func noteImport() throws
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
    /// Users who are removed because the source says that they have left.
    public var departed = 0

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
        counts.departed += more.departed
    }
}
