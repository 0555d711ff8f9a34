import People

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

/// The fields and columns that not everybody gets: they are private, or not stored.
public struct HiddenColumns: Sendable {
    /// The roles of the fields.
    public let roles: Set<FieldRole>
    let visibilities: ColumnVisibilities

    /// Whether the values in the column `heading` are among them.
    public func has(column heading: String) -> Bool { visibilities[heading] != .public }

    /// Whether a column of an export, which may be that of a role, has values that only the publisher gets.
    public func isRestricted(_ heading: String) -> Bool {
        visibilities[heading] == .private || FieldRole(column: heading).map(roles.contains) == true
    }
}

/// The values that a change of settings erases: those of columns that are not stored any more. Publishers are asked
/// about them first; the store removes them, and publishers are told afterwards.
///
/// Withheld headings that no field reads are not erased: they are stored only if a service publishes them.
public struct Erasure: Sendable {
    /// The roles of the fields that are not stored.
    public let roles: Set<FieldRole>
    private let old, new: ColumnVisibilities

    /// Makes what a change of settings from `old` to `new` erases, or all that `new` does not let be stored.
    public init(from old: ResolvedSettings = .empty, to new: ResolvedSettings) {
        roles = Set(new.fields.filter { $0.visibility == .never }.compactMap(\.role))
        (self.old, self.new) = (old.visibilities, new.visibilities)
    }

    /// Whether no record has to change.
    public var isEmpty: Bool {
        let never = new.ofFields.filter { $0.value == .never }
        return never.allSatisfy { old.ofField($0.key) == .never } && (new.others != .never || old.others == .never)
    }

    /// Whether values in the column `heading` are erased.
    public func has(column heading: String) -> Bool {
        (new.ofField(heading) ?? new.others) == .never && old[heading] != .never
    }
}
