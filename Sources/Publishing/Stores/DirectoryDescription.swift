import People

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

    public func apply(to directory: inout StoredDirectory) {
        directory.title = title.map(directory.slug.title) ?? directory.title
        directory.description = description ?? directory.description
        let terms = directory.terms
        directory.terms = Terms(
            licence: licence ?? terms.licence, licenceURL: licenceURL ?? terms.licenceURL,
            attribution: attribution ?? terms.attribution, attributionURL: attributionURL ?? terms.attributionURL)
    }
}
