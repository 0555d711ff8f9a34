/// A field that users can be filtered by: `?status=Alive`.
public struct Facet: Hashable, Sendable {
    /// The key of the field: its name in URL parameters.
    public let key: String

    public init(_ key: String) { self.key = key }

    public var name: String { key }

    /// ``User/type``, except for Stack Exchange, and for Rick and Morty, where it is almost free text.
    public static let type = Facet("type")
    /// The field of Stack Exchange.
    public static let userType = Facet("user_type")
    /// The fields of Rick and Morty. They are members of ``User/more`` with the same names.
    public static let status = Facet("status")
    public static let species = Facet("species")
    public static let gender = Facet("gender")

    /// The facets of directories whose settings name no filters. They depend on the records: see ``of(_:)``.
    public static let ofShapes: [Facet] = [.type, .userType, .status, .species, .gender]

    /// An inferred field with more different values is not a facet: the choice would be too long.
    public static let maxValues = 50
    /// The limit for a field that the publisher has made a filter.
    public static let maxOwnValues = 10_000
    /// The maximum length in UTF-8. A longer text is not a facet value.
    public static let maxValueBytes = 100

    /// Returns the facets that a record of `shape` has, if the settings name no filters.
    public static func of(_ shape: RecordShape) -> [Facet] {
        switch shape {
        case .plain: [.type]
        case .stackExchange: [.userType]
        case .rickAndMorty: [.status, .species, .gender]
        }
    }
}

extension FieldPlan {
    /// The facets of a directory with this plan, in the order in which they are shown.
    public var facets: [Facet] { hasFilters ? filters.map { Facet(fields[$0].key) } : Facet.ofShapes }

    /// Whether the settings name the filters. Otherwise the records decide.
    public var hasFilters: Bool { (settings.own.filters ?? settings.inferred.filters) != nil }

    /// Whether a record of `shape` has all of the facets itself, so that their values need not be read as fields.
    public func hasFacets(of shape: RecordShape) -> Bool {
        !hasFilters || facets.allSatisfy(Facet.of(shape).contains)
    }

    /// The greatest number of values that a facet may have.
    public var maxFacetValues: Int { settings.own.filters == nil ? Facet.maxValues : Facet.maxOwnValues }
}

/// The kind of record that a user was made from, as far as facets are concerned.
public enum RecordShape: UInt8, CaseIterable, Sendable {
    case plain, stackExchange, rickAndMorty
}

/// The values of a facet in a directory, ordered by their number of users, largest first. The numbers are updated with
/// every change, never counted.
public struct FacetCounts: Sendable {
    public struct Value: Equatable, Sendable {
        public var value: String
        public var count: Int

        public init(value: String, count: Int) {
            self.value = value
            self.count = count
        }
    }

    public let facet: Facet
    public let values: [Value]
    /// The forms of the values are made once for all copies.
    private let index: ValueIndex

    public init(_ facet: Facet, _ values: [Value]) {
        self.facet = facet
        self.values = values
        index = ValueIndex(values.map(\.value))
    }

    /// Returns the value that equals `text`, ignoring case, and, if `isLoose`, accents; `nil` if no user has it.
    public func value(_ text: String, isLoose: Bool = false) -> Value? {
        index.index(of: text, isLoose: isLoose).map { values[$0] }
    }
}

extension FacetCounts: Equatable {
    public static func == (left: FacetCounts, right: FacetCounts) -> Bool {
        left.facet == right.facet && left.values == right.values
    }
}
