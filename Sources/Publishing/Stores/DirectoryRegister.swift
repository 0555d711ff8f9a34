import People

/// Changes directories as a whole. Readers see a change within a second, as with imports. Methods throw an error if the
/// directory does not exist.
public protocol DirectoryRegister: Sendable {
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
    /// users.
    @discardableResult func remove(_ slug: Slug) throws -> FreedSpace
}

/// The space that the removal of a directory freed.
public struct FreedSpace: Equatable, Sendable {
    public var bytes: Int64
    /// Whether the space was returned to the file system; otherwise later imports reuse it.
    public var isGivenBack: Bool

    public init(bytes: Int64, isGivenBack: Bool) {
        self.bytes = bytes
        self.isGivenBack = isGivenBack
    }
}

/// A publisher's changes to the description of a directory: `nil` keeps the old value, an empty text removes it.
public struct DirectoryDescription: Equatable, Sendable {
    public var title: String?
    public var description: String?
    public var licence: String?
    public var licenceURL: String?
    public var attribution: String?
    public var attributionURL: String?

    public init() {}

    public var isEmpty: Bool { self == DirectoryDescription() }

    /// Whether it changes the terms. Imports then leave them alone.
    public var hasTerms: Bool { [licence, licenceURL, attribution, attributionURL].contains { $0 != nil } }

    /// Makes these changes.
    public func apply(to directory: inout StoredDirectory) {
        if let title { directory.title = directory.slug.title(title) }
        if let description { directory.description = description }
        if let licence { directory.terms.licence = licence }
        if let licenceURL { directory.terms.licenceURL = licenceURL }
        if let attribution { directory.terms.attribution = attribution }
        if let attributionURL { directory.terms.attributionURL = attributionURL }
    }
}
