/// What a column tells people apart by: evidence for what they are known by.
public enum Identifier: String, CaseIterable, Sendable {
    /// The numbers or codes by which the source knows its records: `ID`, a UUID.
    case sourceID
    case email
    /// Numbers and codes of persons: personnel, member and student numbers.
    case personnelNumber
    /// Accounts and other codes.
    case code
}

/// What a column of a source means, with the evidence for it.
public struct ColumnMeaning: Equatable, Sendable {
    public var heading: String
    /// At most one column has a role.
    public var role: FieldRole?
    /// What the column's heading says that readers should not see.
    public var withheld: Set<WithheldKind>
    /// Whether the column names others at work: the manager, the assistant.
    public var isRelation = false
    /// How the column tells people apart, if it does.
    public var identifier: Identifier?

    public init(heading: String, role: FieldRole? = nil, withheld: Set<WithheldKind> = []) {
        (self.heading, self.role, self.withheld) = (heading, role, withheld)
    }
}

/// The meaning of all columns of a source.
public struct ColumnMeanings: Equatable, Sendable {
    /// In the order of the source.
    public private(set) var columns: [ColumnMeaning]
    /// The language of the headings, or `und`.
    public private(set) var language: String

    public init(_ survey: Survey) {
        let roles = ColumnRoles(headings: survey.headings)
        language = roles.language
        columns = zip(survey.headings, roles.roles).map { heading, role in
            var meaning = ColumnMeaning(heading: heading, role: role, withheld: Withheld.kinds(of: heading))
            meaning.isRelation = Withheld.isRelation(heading: heading)
            meaning.identifier = Self.identifier(meaning)
            return meaning
        }
    }

    private static func identifier(_ meaning: ColumnMeaning) -> Identifier? {
        if meaning.role == .email { return .email }
        if meaning.withheld.contains(.number) { return .personnelNumber }
        if meaning.role == .id { return .sourceID }
        let isCode = meaning.role == .login || meaning.withheld.contains(.account)
        return isCode || Heading.isOfIdentifiers(meaning.heading) ? .code : nil
    }
}

/// Tells headings from values, before it is known which row of a table is its header.
public enum HeaderWords {
    /// Returns how many of the cells of a row have a meaning as headings.
    public static func explained(_ row: [String]) -> Int {
        row.count {
            FieldRole.of(headings: [$0])[0] != nil || Withheld.matches(heading: $0) || Withheld.isRelation(heading: $0)
        }
    }

    /// Whether one of the cells is the heading of names.
    public static func hasName(_ row: [String]) -> Bool {
        FieldRole.of(headings: row).contains { $0 == .name || $0 == .firstName || $0 == .lastName || $0 == .login }
    }
}
