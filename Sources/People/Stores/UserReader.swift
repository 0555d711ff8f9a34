/// Reads users. Confined to one queue at a time.
///
/// ```swift
/// let ada = try reader.user(login: "ada", id: nil, directory: directory.id)
/// let next = try reader.page(UserQuery(directory: directory.id, sort: Sort(.name), limit: 30))
/// ```
public protocol UserReader: AnyObject {
    /// Returns the page for `query`, or `nil` if its directory does not exist (any more).
    func page(_ query: UserQuery) throws -> Page?

    /// Returns the letters of the order of `query`, in its direction, and how many of its users belong to each. `nil`
    /// if the order has no letters, if its keys were made by other rules, if a search has more matches than are
    /// counted, or if the directory does not exist.
    func letters(_ query: UserQuery) throws -> [LetterCount]?

    /// Returns the user with the given login, as a page of one row with its position in the order by id, or `nil` if no
    /// user has it. An exact match takes precedence over one that ignores case. If several users have the login,
    /// because a handle was passed on, returns the one with `id`, if given, or else the newest account.
    func user(login: String, id: Int64?, directory: Int64) throws -> Page?

    /// Returns the ids of the users with the given login, ignoring case, newest first, at most `limit`.
    func ids(login: String, directory: Int64, limit: Int) throws -> [Int64]

    /// Returns the login of the user who once had `handle`, or `nil` if no user had it, or a user has it now.
    func currentLogin(ofFormer handle: String, directory: Int64) throws -> String?

    /// Returns the bytes of a picture, or `nil` if nobody in `directories` has one with that key (any more). The key
    /// alone opens nothing: the directory of everybody who has it may be private.
    func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) throws -> [UInt8]?

    func logo(of directory: Int64) throws -> Logo?

    /// Returns, for each of `filters`, the number of users with each of its values, among those that `search` finds
    /// without its own filter of that field. The numbers of a field are `nil` if these users are too many to count.
    /// Returns `nil` if the directory does not exist.
    func counts(of filters: [ChosenFilter], among search: Search, in directory: Int64) throws -> [[Int]?]?

    /// Returns how many of the people added by the changes after `generation` match `search`, or all of them without
    /// one. Returns `nil` if the directory does not exist.
    func additions(among search: Search?, in directory: Int64, after generation: Int64) throws -> Additions?

    /// Returns the users among `ids` that exist, each once, in the order `sort`, without positions; `nil` if the
    /// directory does not exist.
    func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page?

    /// Returns people who are spelled like a search or almost so, the most similar ones first, at most `limit` and each
    /// name once. Filters have no effect. The work is limited, so somebody may be missed.
    func suggestions(for search: Search, directory: Int64, limit: Int) throws -> [SimilarPerson]
}

/// A letter that people look up names by, and how many names belong to it.
public struct LetterCount: Equatable, Sendable {
    /// `#` for names before the first letter of the language, and `…` for those in scripts after the last one's.
    public var label: String
    public var count: Int
    /// The position of the first of these names in the order, counted from 1. Without such names, the position that
    /// the first one would have.
    public var position: Int

    public init(label: String, count: Int, position: Int) {
        self.label = label
        self.count = count
        self.position = position
    }
}

extension Sort.Key {
    /// Whether people can be looked up by the first letter of what they are sorted by.
    public var hasLetters: Bool {
        switch self {
        case .name: true
        case .field(let order): order.key == "surname"
        case .id, .login, .relevance: false
        }
    }
}

/// A person whose name is spelled almost like what somebody asked for.
public struct SimilarPerson: Hashable, Sendable {
    /// The name, or the login of a person without one.
    public let name: String
    public let login: String

    public init(name: String, login: String) {
        self.name = name
        self.login = login
    }
}
