/// A column of ``User`` that a source can fill. Raw values are the names in exports and in `--map`.
public enum Column: String, CaseIterable, Sendable {
    case id, login, name
    case avatarURL = "avatar_url"
    case htmlURL = "html_url"
    case type, reputation
}

extension Column {
    var role: ColumnMapping.Role {
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
