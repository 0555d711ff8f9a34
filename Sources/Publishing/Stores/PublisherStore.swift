import People

/// A store as the publisher of its directories uses it: with all settings and private values, and for writing.
///
/// ```swift
/// let writer = try store.openDirectory(slug, title: "Staff", source: "staff.csv") { $0.isPrivate = true }
/// let reader = try store.makeReader(for: .everyone)
/// ```
public protocol PublisherStore: UserStore {
    /// Names the database in messages.
    var name: String { get }

    /// The directories as ``UserStore/directories`` has them, with all settings.
    var storedDirectories: [StoredDirectory] { get }

    /// Creates a reader for one queue, of what `audience` gets.
    func makeReader(for audience: Audience) throws -> any UserReader

    /// Opens directory `slug` for writing, and creates it if it does not exist. `change` may change settings on which
    /// nothing that is derived from people depends, such as those of who may see the directory: from the transaction on
    /// that makes it, it never had others.
    func openDirectory(
        _ slug: Slug, title: String?, source: String, changing change: (inout Settings) throws -> Void
    ) throws -> any DirectoryWriter

    /// Returns a judge of the people of directory `slug`, or `nil` if it does not exist.
    func makePruningJudge(of slug: Slug) throws -> (any PruningJudge)?

    /// Removes a person permanently, and makes later imports skip them: in directory `slug`, or, for `nil`, in all
    /// existing and future directories. Returns the number of users removed, by directory. If no user is found, nothing
    /// is recorded.
    ///
    /// If `slug` is `nil`, the person must be selected by login, because ids are specific to a directory.
    func forget(_ person: PersonSelector, in slug: Slug?) throws -> [Forgetting]

    /// Removes a former handle, so that it no longer redirects to the current one: in directory `slug`, or in all for
    /// `nil`. No other user gets the handle. Returns the directories that had it.
    func forget(formerHandle handle: String, in slug: Slug?) throws -> [Forgetting]

    /// Returns whether the person was forgotten with exactly this scope: directory `slug`, or, for `nil`, all
    /// directories.
    func isForgotten(_ person: PersonSelector, in slug: Slug?) throws -> Bool

    /// Lets imports add a person again that was forgotten with exactly this scope: directory `slug`, or, for `nil`, all
    /// directories. Returns the outcome.
    func remember(_ person: PersonSelector, in slug: Slug?) throws -> Remembering

    /// Clears the relations, such as that to the manager, in which the names of forgotten people stand, in one
    /// directory or in all, hidden people included. A relation stays if somebody else there has the name. Other fields
    /// stay, too, unless they are cleared `alsoInTexts`. Returns where the names stand or stood: the names in their
    /// sequence, and those columns first that most people have them in. Reads everybody.
    func clearMentions(of names: [String], alsoInTexts: Bool, in slug: Slug?) throws -> [Mention]

    /// Returns everything that is stored of the people who fit one of `selectors`, former handles included, in
    /// directory `slug` or in all, and the directories in which one of the logins is reserved, because a person who had
    /// it is forgotten.
    func people(
        _ selectors: [PersonSelector], in slug: Slug?
    ) throws -> (people: [StoredPerson], reserved: [Slug])

    /// Returns the hidden people of a directory, with their private values.
    func hiddenPeople(of directory: Int64) throws -> UserRows

    /// Returns the hidden people, in directory `slug` or in all, who have `name`, or of whose name the handle `name`
    /// would be made.
    func hiddenPeople(named name: String, in slug: Slug?) throws -> [(handle: String, directory: Slug)]

    /// Creates a writer of pictures. Throws if the store cannot be written.
    func makePictureWriter() throws -> any PictureWriter

    /// Returns how many people of each directory have pictures, by the directory's id. Directories without pictures may
    /// be missing.
    func pictureCounts() throws -> [Int64: PictureCounts]

    /// Returns the import records of directory `slug`, which need not exist.
    func ledger(of slug: Slug) -> any ImportLedger

    // MARK: - Directories as a whole

    // Readers see a change within a second, as with imports. These methods throw an error if the directory does not
    // exist.

    /// Changes the slug of directory `slug`, which becomes one of its ``Directory/formerSlugs``. If `new` is a former
    /// slug of another directory, that one loses it. A title that equals the old slug changes, too.
    func rename(_ slug: Slug, to new: Slug) throws

    /// Sets the values in `description` that are not `nil`.
    func describe(_ slug: Slug, as description: DirectoryDescription) throws

    /// Replaces the settings of directory `slug`. Values of fields that are now `never` are erased; orders, filters and
    /// the search index are rebuilt if the settings change them.
    func set(_ settings: DirectorySettings, of slug: Slug) throws

    /// Derives the values for searching, sorting and filtering from the rows again. Calls `progress` with the number of
    /// users that are done.
    func reindex(_ slug: Slug, progress: (Int) -> Void) throws

    /// Replaces the logo of directory `slug`; `nil` removes it.
    func set(_ logo: Logo?, of slug: Slug) throws

    /// Records how an import of directory `slug` ended, in place of the record of the one before. Pages do not change
    /// by it. Does nothing if the directory does not exist, because nothing was saved.
    func note(_ record: LastImport, of slug: Slug) throws

    /// Makes directory `slug` the default: a request that names no directory gets it.
    func makeDefault(_ slug: Slug) throws

    /// Removes directory `slug` and all its users. Later imports into a directory with that slug still skip forgotten
    /// users. Returns the space that became free, and whether it was returned to the file system; otherwise later
    /// imports reuse it.
    @discardableResult func remove(_ slug: Slug) throws -> (bytes: Int64, isGivenBack: Bool)

    // MARK: - Locks

    // By these, commands of several processes, and of several machines if the store is on a server, take turns.

    /// Tries to become the only process that imports into directory `slug`, which need not exist. Returns at once.
    /// `name` is the name that other processes see; it may be cut off after 200 bytes.
    func attemptImportLock(of slug: Slug, name: String) throws -> LockAttempt

    /// Tries to become the only process that fetches pictures for this store. Returns at once.
    func attemptPictureLock(name: String) throws -> LockAttempt
}

extension PublisherStore {
    public func makeReader() throws -> any UserReader { try makeReader(for: .everyone) }

    public func openDirectory(_ slug: Slug, title: String?, source: String) throws -> any DirectoryWriter {
        try openDirectory(slug, title: title, source: source) { _ in }
    }
}
