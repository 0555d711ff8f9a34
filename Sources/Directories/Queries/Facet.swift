/// Something of which everybody in a directory has one of a few values, to choose people by: `?status=Alive`.
public enum Facet: Int, CaseIterable, Sendable {
    /// ``User/type``; not of Stack Exchange, nor of Rick and Morty, where it is as good as free text.
    case type
    /// Stack Exchange's word for it.
    case userType
    /// Of Rick and Morty; so are the following.
    case status, species, gender

    /// As parameters of URLs and members of ``User/more`` are called.
    public var name: String {
        switch self {
        case .type: "type"
        case .userType: "user_type"
        case .status: "status"
        case .species: "species"
        case .gender: "gender"
        }
    }

    /// What has more different values than this is no facet: nobody would choose among them.
    public static let maxValues = 50
    /// In UTF-8. Whatever is longer is no value of a facet.
    public static let maxValueBytes = 100

    /// Which facets a record of `shape` has values of.
    public static func of(_ shape: RecordShape) -> [Facet] {
        switch shape {
        case .plain: [.type]
        case .stackExchange: [.userType]
        case .rickAndMorty: [.status, .species, .gender]
        }
    }
}

/// Whose kind of record a user is made of, as far as facets go.
public enum RecordShape: UInt8, Sendable {
    case plain, stackExchange, rickAndMorty
}

/// A value of a facet, which people are chosen by.
public struct FacetChoice: Hashable, Sendable {
    public var facet: Facet
    public var value: String

    public init(_ facet: Facet, _ value: String) {
        self.facet = facet
        self.value = value
    }
}

extension FacetChoice {
    /// Which of `values`, those of most users first, `text` says: the one that is written just so, or else in another case.
    public static func index(of text: String, in values: [String]) -> Int? {
        values.firstIndex(of: text) ?? values.firstIndex { $0.folded == text.folded }
    }
}

/// The values of a facet in a directory, those of most users first, and how many users have each: kept as they change,
/// never counted.
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
