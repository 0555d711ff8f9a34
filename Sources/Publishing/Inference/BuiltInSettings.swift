import People

/// The settings of directories whose source is known: nothing is inferred from their columns.
public struct BuiltInSettings: Equatable, Sendable {
    public private(set) var settings = Settings()
    /// The members of records that the service publishes, although others' columns of these names may be withheld.
    public let published: Set<String>
    /// The members of records that are columns of every user, as far as exports call them otherwise.
    public let columns: [String: FieldRole]

    private init(
        order: String, sorts: [String], filters: [String], rows: [String] = [], search: [String] = [],
        published: Set<String> = [], columns: [String: FieldRole] = [:], fields: [FieldSettings]
    ) {
        (self.published, self.columns) = (published, columns)
        settings.language = "und"
        settings.order = order
        (settings.rows, settings.cards, settings.search) = (rows, [], ["login", "name"] + search)
        (settings.filters, settings.sorts, settings.fields) = (filters, sorts, fields)
    }

    public static let gitHub = BuiltInSettings(
        order: "id", sorts: ["id", "login", "name"], filters: ["type"], fields: gitHubFields)
    /// Records of GitHub's contributors to a repository.
    public static let gitHubContributors = BuiltInSettings(
        order: "id", sorts: ["id", "login", "name", "reputation"], filters: ["type"],
        fields: gitHubFields + [reputation("Contributions", from: "contributions", icon: "commit")])
    /// Records of another Rollcall, with its eight columns. An export is in the order of its directory.
    public static let rollcall = BuiltInSettings(
        order: "place", sorts: ["id", "login", "name", "reputation"], filters: ["type"],
        fields: [field("type", "Type"), website("html_url"), reputation("Reputation", icon: "star")])
    public static let stackExchange = BuiltInSettings(
        order: "reputation:desc", sorts: ["reputation", "name", "id"], filters: ["user_type"],
        published: ["account_id", "age", "last_access_date", "user_id"],
        columns: ["user_id": .id, "display_name": .name, "profile_image": .photo],
        fields: [reputation("Reputation", icon: "star"), field("user_type", "User type"), website("link")])
    public static let rickAndMorty = BuiltInSettings(
        order: "id", sorts: ["id", "name"], filters: ["status", "species", "gender"], published: ["gender"],
        columns: ["image": .photo],
        fields: [
            field("status", "Status"), field("species", "Species"), field("gender", "Gender"), field("type", "Type"),
        ])
    public static let git = BuiltInSettings(
        order: "reputation:desc", sorts: ["reputation", "name"], filters: ["type"],
        published: ["account", "first_commit_at", "last_commit_at"],
        fields: [reputation("Commits", icon: "commit"), field("type", "Type"), website("html_url")])
    public static let allContributors = BuiltInSettings(
        order: "place", sorts: ["name", "login"], filters: ["contributions"], rows: ["contributions"],
        search: ["contributions"],
        fields: [
            field("contributions", "Contributions", .list, icon: "heart"), website("profile"), field("type", "Type"),
        ])

    private static let gitHubFields = [field("type", "Type"), website("html_url")] + accountMembers.map(withheld)

    /// Members that an Enterprise Server sends to administrators only, and GitHub to the owner of the token only.
    private static let accountMembers = [
        "ldap_dn", "suspended_at", "two_factor_authentication", "plan", "private_gists", "total_private_repos",
        "owned_private_repos", "disk_usage", "collaborators", "business_plus",
    ]

    /// A field that is not stored unless the publisher asks for it.
    private static func withheld(_ key: String) -> FieldSettings {
        var field = FieldSettings(key: key, from: key)
        field.show = .never
        return field
    }

    /// The person's page at the service, whose URL is in a member of the record.
    private static func website(_ member: String) -> FieldSettings {
        var field = FieldSettings(key: FieldRole.website.rawValue, from: member)
        field.label = .text(FieldRole.website.label)
        return field
    }

    /// The figure that stands out beside a name.
    private static func reputation(
        _ label: String, from member: String = "reputation", icon: String
    ) -> FieldSettings {
        var field = field(FieldRole.reputation.rawValue, label, .number, icon: icon)
        field.from = member
        return field
    }

    /// A public field, even if its heading would be withheld: the service publishes it.
    private static func field(
        _ key: String, _ label: String, _ type: FieldType? = nil, icon: String? = nil
    ) -> FieldSettings {
        var field = FieldSettings(key: key, from: key)
        field.label = .text(label)
        (field.type, field.icon) = (type, icon)
        return field
    }
}
