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
