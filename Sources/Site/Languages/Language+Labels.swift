import People
import Template

extension Language {
    /// Returns a label that Rollcall made, which settings contain in English. Labels of the publisher's own stay as
    /// they are.
    func text(builtInLabel label: String) -> String { Self.labels[label].map { text($0) } ?? label }

    /// Returns a number of matches; `More than 10,000` for those that are not counted.
    func text(matches total: Int?) -> String {
        total.map { text($0) } ?? text(.moreThan, ["limit": .number(UserQuery.numberedMatches)])
    }

    /// Returns the name of a type of accounts; another value stays as it is.
    func text(accountType type: String) -> String {
        Self.accountTypes[type].map { text($0) } ?? type
    }

    private static let accountTypes: [String: MessageKey] = [
        "User": .typeUser, "Organization": .typeOrganization, "Bot": .typeBot,
    ]

    /// The messages that are labels in English, by their English texts, and by what the demo calls them.
    static let labels: [String: MessageKey] = {
        let keys: [MessageKey] = [
            .about, .fieldCommits, .fieldContributions, .fieldFirstCommit, .fieldLastCommit, .labelHometown, .labelTeam,
            .name, .orderID, .roleCountry, .roleDepartment, .roleEmail, .roleFirstName, .roleHidden, .roleJoined,
            .roleLanguages, .roleLastName, .roleLocation, .roleLogin, .roleNoIndex, .roleOrganization, .rolePhone,
            .rolePhoto, .roleReading, .roleReputation, .roleSkills, .roleTitle, .roleType, .roleWebsite,
        ]
        let known = keys.map { ($0.english, $0) }
        return Dictionary(known + [("Place", .roleLocation), ("Kind", .roleType)]) { first, _ in first }
    }()
}
