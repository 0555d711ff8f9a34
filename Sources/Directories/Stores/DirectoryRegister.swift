/// Changes directories as a whole. Readers see it as they see an import: within a second. Throws where there is no such one.
public protocol DirectoryRegister: Sendable {
    /// Gives directory `slug` another slug, by which alone it is found from now on. A title that is just the old slug goes along.
    func rename(_ slug: Slug, to new: Slug) throws

    /// Says of directory `slug` what is not `nil` in `description`.
    func describe(_ slug: Slug, as description: DirectoryDescription) throws

    /// Makes directory `slug` the one meant where nobody says which.
    func makeDefault(_ slug: Slug) throws

    /// Removes directory `slug` and everybody in it. Whom imports into a directory of that slug skip, they go on skipping.
    @discardableResult func remove(_ slug: Slug) throws -> FreedSpace
}

/// What the removal of a directory left free.
public struct FreedSpace: Equatable, Sendable {
    public var bytes: Int64
    /// Whether the disk has it; else what is imported later takes it.
    public var isGivenBack: Bool

    public init(bytes: Int64, isGivenBack: Bool) {
        self.bytes = bytes
        self.isGivenBack = isGivenBack
    }
}

/// What a publisher says of a directory; `nil` leaves what is there, empty text takes it away.
public struct DirectoryDescription: Equatable, Sendable {
    public var title: String?
    public var description: String?
    public var licence: String?
    public var licenceURL: String?
    public var attribution: String?
    public var attributionURL: String?

    public init() {}

    public var isEmpty: Bool { self == DirectoryDescription() }

    /// Whether it says anything about the terms, which imports then leave as they are.
    public var hasTerms: Bool { [licence, licenceURL, attribution, attributionURL].contains { $0 != nil } }

    /// The directory as it is described.
    public func applied(to directory: Directory) -> Directory {
        var directory = directory
        if let title { directory.title = directory.slug.title(title) }
        if let description { directory.description = description }
        if let licence { directory.terms.licence = licence }
        if let licenceURL { directory.terms.licenceURL = licenceURL }
        if let attribution { directory.terms.attribution = attribution }
        if let attributionURL { directory.terms.attributionURL = attributionURL }
        return directory
    }
}
