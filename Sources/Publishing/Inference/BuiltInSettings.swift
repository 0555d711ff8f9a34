import People

/// The settings of directories whose source is known: nothing is inferred from their columns.
public enum BuiltInSettings: CaseIterable, Sendable {
    case gitHub, stackExchange, rickAndMorty, git, allContributors
    /// Records of GitHub's contributors to a repository.
    case gitHubContributors
    /// Records of another Rollcall, with its eight columns.
    case rollcall

    public var settings: Settings {
        var settings = Settings()
        settings.language = "und"
        settings.rows = []
        settings.cards = []
        settings.search = ["login", "name"]
        switch self {
        case .gitHub, .gitHubContributors:
            settings.order = "id"
            settings.sorts = ["id", "login", "name"]
            settings.fields = [field("type", "Type"), website("html_url")] + Self.accountMembers.map(withheld)
            settings.filters = ["type"]
            if self == .gitHubContributors {
                settings.sorts?.append("reputation")
                settings.fields?.append(reputation("Contributions", from: "contributions", icon: "commit"))
            }
        case .rollcall:
            // An export is in the order of its directory.
            settings.order = "place"
            settings.sorts = ["id", "login", "name", "reputation"]
            settings.fields = [field("type", "Type"), website("html_url"), reputation("Reputation", icon: "star")]
            settings.filters = ["type"]
        case .stackExchange:
            settings.order = "reputation:desc"
            settings.sorts = ["reputation", "name", "id"]
            settings.fields = [
                reputation("Reputation", icon: "star"), field("user_type", "User type"), website("link"),
            ]
            settings.filters = ["user_type"]
        case .rickAndMorty:
            settings.order = "id"
            settings.sorts = ["id", "name"]
            settings.fields = [
                field("status", "Status"), field("species", "Species"), field("gender", "Gender"),
                field("type", "Type"),
            ]
            settings.filters = ["status", "species", "gender"]
        case .git:
            settings.order = "reputation:desc"
            settings.sorts = ["reputation", "name"]
            settings.fields = [
                reputation("Commits", icon: "commit"), field("type", "Type"), website("html_url"),
            ]
            settings.filters = ["type"]
        case .allContributors:
            settings.order = "place"
            settings.sorts = ["name", "login"]
            settings.fields = [
                field("contributions", "Contributions", .list, icon: "heart"), website("profile"),
                field("type", "Type"),
            ]
            settings.rows = ["contributions"]
            settings.search?.append("contributions")
            settings.filters = ["contributions"]
        }
        return settings
    }

    /// The members of records that the service publishes, although others' columns of these names are withheld.
    public var published: Set<String> {
        switch self {
        case .stackExchange: ["account_id", "age", "last_access_date", "user_id"]
        case .rickAndMorty: ["gender"]
        default: []
        }
    }

    /// What an Enterprise Server tells administrators, and GitHub the account whose token it is.
    private static let accountMembers = [
        "ldap_dn", "suspended_at", "two_factor_authentication", "plan", "private_gists", "total_private_repos",
        "owned_private_repos", "disk_usage", "collaborators", "business_plus",
    ]

    /// A field that is not stored unless the publisher asks for it.
    private func withheld(_ key: String) -> FieldSettings {
        var field = FieldSettings(key: key, from: key)
        field.show = .never
        return field
    }

    /// The person's page at the service, whose URL is in a member of the record.
    private func website(_ member: String) -> FieldSettings {
        var field = FieldSettings(key: FieldRole.website.rawValue, from: member)
        field.label = .text(FieldRole.website.label)
        return field
    }

    /// The figure that stands out beside a name.
    private func reputation(_ label: String, from member: String = "reputation", icon: String) -> FieldSettings {
        var field = field(FieldRole.reputation.rawValue, label, .number, icon: icon)
        field.from = member
        return field
    }

    /// A public field, even if its heading would be withheld: the service publishes it.
    private func field(_ key: String, _ label: String, _ type: FieldType? = nil, icon: String? = nil) -> FieldSettings {
        var field = FieldSettings(key: key, from: key)
        field.label = .text(label)
        (field.type, field.icon) = (type, icon)
        return field
    }
}
