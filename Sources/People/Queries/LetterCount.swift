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
        case .id, .login, .reputation, .relevance: false
        }
    }
}
