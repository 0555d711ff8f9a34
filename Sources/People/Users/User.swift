/// A user of a directory.
///
/// ```swift
/// let ada = User(id: 1, login: "ada", name: "Ada Lovelace", more: #"{"title": "Mathematician"}"#)
/// ```
public struct User: Equatable, Sendable {
    /// The type of a user whose source gives none, or whose type is hidden.
    public static let defaultType = "User"

    /// Positive, and unique in its directory.
    public var id: Int64
    /// The handle; never empty.
    public var login: String
    public var name: String?
    public var avatarURL: String?
    public var htmlURL: String?
    /// `User`, `Organization`, `Bot`, or any other type that the source has.
    public var type: String
    public var reputation: Int64?
    /// The remaining data of the source: the text of one JSON object, with its members unchanged, or `nil`.
    public var more: String?
    public var generated: GeneratedNames = []

    public init(
        id: Int64, login: String, name: String? = nil, avatarURL: String? = nil, htmlURL: String? = nil,
        type: String = "User", reputation: Int64? = nil, more: String? = nil, generated: GeneratedNames = []
    ) {
        self.id = id
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.htmlURL = htmlURL
        self.type = type
        self.reputation = reputation
        self.more = more
        self.generated = generated
    }
}

/// The names of a user that Rollcall made because the source has none. No page shows them.
public struct GeneratedNames: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let id = GeneratedNames(rawValue: 1)
    public static let login = GeneratedNames(rawValue: 2)
}
