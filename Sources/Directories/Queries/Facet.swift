/// A property that has a few values in a directory, by which users can be filtered: `?status=Alive`.
public enum Facet: Int, CaseIterable, Sendable {
    /// ``User/type``, except for Stack Exchange, and for Rick and Morty, where it is almost free text.
    case type
    /// The field of Stack Exchange.
    case userType
    /// The fields of Rick and Morty.
    case status, species, gender

    /// The name in URL parameters and in ``User/more``.
    public var name: String {
        switch self {
        case .type: "type"
        case .userType: "user_type"
        case .status: "status"
        case .species: "species"
        case .gender: "gender"
        }
    }

    /// A property with more different values is not a facet, because nobody would choose among so many.
    public static let maxValues = 50
    /// The maximum length in UTF-8. A longer text is not a facet value.
    public static let maxValueBytes = 100

    /// Returns the facets that a record of `shape` has.
    public static func of(_ shape: RecordShape) -> [Facet] {
        switch shape {
        case .plain: [.type]
        case .stackExchange: [.userType]
        case .rickAndMorty: [.status, .species, .gender]
        }
    }
}

/// The kind of record that a user was made from, as far as facets are concerned.
public enum RecordShape: UInt8, Sendable {
    case plain, stackExchange, rickAndMorty
}

/// A facet value that users are filtered by.
public struct FacetChoice: Hashable, Sendable {
    public var facet: Facet
    public var value: String

    public init(_ facet: Facet, _ value: String) {
        self.facet = facet
        self.value = value
    }
}

extension FacetChoice {
    /// Returns the index of `text` in `values`, which are ordered by number of users: an exact match, or else the first
    /// match that ignores case.
    public static func index(of text: String, in values: [String]) -> Int? {
        values.firstIndex(of: text) ?? values.firstIndex { $0.folded == text.folded }
    }
}

/// The values of a facet in a directory, ordered by their number of users, largest first. The numbers are updated with
/// every change, never counted.
public struct FacetCounts: Equatable, Sendable {
    public struct Value: Equatable, Sendable {
        public var value: String
        public var count: Int

        public init(value: String, count: Int) {
            self.value = value
            self.count = count
        }
    }

    public var facet: Facet
    public var values: [Value]

    public init(_ facet: Facet, _ values: [Value]) {
        self.facet = facet
        self.values = values
    }
}
