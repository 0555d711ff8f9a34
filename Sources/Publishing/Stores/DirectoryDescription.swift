import People

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
        directory.title = title.map(directory.slug.title) ?? directory.title
        directory.description = description ?? directory.description
        let terms = directory.terms
        directory.terms = Terms(
            licence: licence ?? terms.licence, licenceURL: licenceURL ?? terms.licenceURL,
            attribution: attribution ?? terms.attribution, attributionURL: attributionURL ?? terms.attributionURL)
    }
}
