import People
import Template

extension Language {
    /// Returns a label that Rollcall made, which settings contain in English. Labels of the publisher's own stay as
    /// they are.
    func text(builtInLabel label: String) -> String { Self.labels[label].map { text($0) } ?? label }

    /// Returns the name of a type of accounts; another value stays as it is.
    func text(accountType type: String) -> String {
        switch type {
        case "User": text(.typeUser)
        case "Organization": text(.typeOrganization)
        case "Bot": text(.typeBot)
        default: type
        }
    }

    private static let labels: [String: MessageKey] = {
        var labels: [String: MessageKey] = [
            "Contributions": .fieldContributions, "Commits": .fieldCommits, "First commit": .fieldFirstCommit,
            "Last commit": .fieldLastCommit, "Team": .labelTeam, "Place": .roleLocation, "Hometown": .labelHometown,
            "Kind": .roleType,
        ]
        for role in FieldRole.allCases { labels[role.label] = role.labelKey }
        return labels
    }()
}

extension FieldRole {
    fileprivate var labelKey: MessageKey {
        switch self {
        case .id: .orderID
        case .login: .roleLogin
        case .name: .name
        case .firstName: .roleFirstName
        case .lastName: .roleLastName
        case .reading: .roleReading
        case .title: .roleTitle
        case .department: .roleDepartment
        case .location: .roleLocation
        case .country: .roleCountry
        case .organization: .roleOrganization
        case .skills: .roleSkills
        case .languages: .roleLanguages
        case .joined: .roleJoined
        case .photo: .rolePhoto
        case .website: .roleWebsite
        case .about: .about
        case .type: .roleType
        case .reputation: .roleReputation
        case .email: .roleEmail
        case .phone: .rolePhone
        case .hidden: .roleHidden
        case .noindex: .roleNoIndex
        }
    }
}
