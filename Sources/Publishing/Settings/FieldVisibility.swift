import People

/// A field of a directory as its publisher has it: with the people who may see it.
@dynamicMemberLookup
public struct ResolvedField: Equatable, Sendable {
    public var field: Field
    public var visibility: FieldVisibility

    public subscript<Value>(dynamicMember path: KeyPath<Field, Value>) -> Value { field[keyPath: path] }
}

/// The people who get a directory.
public enum Audience: Sendable {
    /// Everybody who reads pages, exports and APIs.
    case everyone
    /// The publisher alone.
    case publisher
}

/// The visibility of a field.
public enum FieldVisibility: String, CaseIterable, Sendable, Comparable {
    /// Everybody.
    case `public`
    /// Nobody but the publisher: the value is stored, and appears in no page, API, export, search or count.
    case `private`
    /// Nobody: the value is not stored.
    case never

    /// Returns whether fewer people see `visibility` than `other`.
    public static func < (visibility: FieldVisibility, other: FieldVisibility) -> Bool {
        visibility.rank < other.rank
    }

    private var rank: Int {
        switch self {
        case .never: 0
        case .private: 1
        case .public: 2
        }
    }
}
