import People

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
    /// The names of those users who had one.
    public var names: [String]

    public init(directory: Slug, count: Int, pictures: [PictureKey] = [], names: [String] = []) {
        self.directory = directory
        self.count = count
        self.pictures = pictures
        self.names = names
    }
}

/// A column of other people in which a name stands.
public struct Mention: Equatable, Sendable {
    /// The name of the forgotten person.
    public var name: String
    /// The directory of the people whose column has the name.
    public var directory: Slug
    /// The column as the source calls it.
    public var column: String
    /// The number of people who have, or had, the name there.
    public var people: Int
    /// Whether it does not stand there any more.
    public var isCleared: Bool

    public init(
        _ name: String, in column: String, of people: Int, directory: Slug, isCleared: Bool = false
    ) {
        (self.name, self.isCleared) = (name, isCleared)
        self.directory = directory
        self.column = column
        self.people = people
    }
}
