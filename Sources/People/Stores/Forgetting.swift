/// The person to be forgotten: all users with a login, ignoring case, or one user.
public enum PersonSelector: Equatable, Sendable {
    case login(String)
    case id(Int64)
    /// The value of the column by which an import identified the user (`--key`).
    case key(String)
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
    /// The pictures that were erased, because nobody else had them. Caches may still have their addresses.
    public var pictures: [PictureKey]

    public init(directory: Slug, count: Int, pictures: [PictureKey] = []) {
        self.directory = directory
        self.count = count
        self.pictures = pictures
    }
}
