/// A column of ``User`` that a source can fill; named as in exports and in `--map`.
public enum Column: String, CaseIterable, Sendable {
    case id, login, name
    case avatarURL = "avatar_url"
    case htmlURL = "html_url"
    case type, reputation
}

/// What a member of a record, or a column of a file, is taken for.
struct ColumnMapping: Equatable {
    /// `nil` for what goes into `more`.
    var role: FieldRole?
    /// Of several members for one column, the one with the least rank is taken.
    var rank: Int = 0
    /// What the member says about where its record comes from.
    var marks: Marks = []

    enum FieldRole: Int, CaseIterable {
        case id, login, name, avatarURL, htmlURL, type, reputation, firstName, lastName, email
    }

    /// Exact names that tell the shapes of records apart.
    struct Marks: OptionSet {
        var rawValue: UInt16

        /// Rollcall's own export has all seven columns in every record, null or not.
        static let ownExport = Marks(rawValue: 0x7F)
        static let userID = Marks(rawValue: 1 << 7)
        static let displayName = Marks(rawValue: 1 << 8)
        static let species = Marks(rawValue: 1 << 9)
        static let status = Marks(rawValue: 1 << 10)
        static let lastAccess = Marks(rawValue: 1 << 11)
        static let stackExchange: Marks = [.userID, .displayName]
        static let rickAndMorty: Marks = [.species, .status]

        static func own(_ role: FieldRole) -> Marks { Marks(rawValue: 1 << UInt16(role.rawValue)) }
        static let htmlURL = own(.htmlURL)
    }
}

extension Column {
    var role: ColumnMapping.FieldRole {
        switch self {
        case .id: .id
        case .login: .login
        case .name: .name
        case .avatarURL: .avatarURL
        case .htmlURL: .htmlURL
        case .type: .type
        case .reputation: .reputation
        }
    }
}
