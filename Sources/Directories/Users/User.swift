/// One person of a directory.
public struct User: Equatable, Sendable {
    /// Positive, unique in its directory.
    public var id: Int64
    /// The handle; never empty.
    public var login: String
    public var name: String?
    public var avatarURL: String?
    public var htmlURL: String?
    /// `User`, `Organization`, `Bot`, or whatever else the source calls it.
    public var type: String
    public var reputation: Int64?
    /// What else the source gave: the text of one JSON object, its members as they came; `nil` for nothing.
    public var more: String?

    public init(
        id: Int64, login: String, name: String? = nil, avatarURL: String? = nil, htmlURL: String? = nil,
        type: String = "User", reputation: Int64? = nil, more: String? = nil
    ) {
        self.id = id
        self.login = login
        self.name = name
        self.avatarURL = avatarURL
        self.htmlURL = htmlURL
        self.type = type
        self.reputation = reputation
        self.more = more
    }
}
