/// A member that records of GitHub, Stack Exchange, the Rick and Morty API and similar services have: its label and
/// kind.
struct FieldCatalog {
    enum Kind {
        case plain
        /// The text of a person about themselves.
        case biography
        /// The same in HTML.
        case markup
        /// A number that is shown prominently.
        case figure
        /// A day, or a time of a day.
        case date
        /// A page of the person, perhaps without `https://`.
        case website
        /// A name at Twitter or X.
        case twitter
        /// Shown only if it is true.
        case flag
        case percentage
        /// A number with its sign.
        case change
        /// A list whose length is shown.
        case count
        /// For programs.
        case technical
    }

    let keys: [String]
    let label: String
    let kind: Kind

    private init(_ label: String, _ kind: Kind = .plain, _ keys: String...) {
        self.keys = keys
        self.label = label
        self.kind = kind
    }

    /// All members, in the order of a page.
    static let all: [FieldCatalog] = [
        FieldCatalog("About", .biography, "bio", "biography", "about"),
        FieldCatalog("About", .markup, "about_me"),
        FieldCatalog("Status", .plain, "status"), FieldCatalog("Species", .plain, "species"),
        FieldCatalog("Gender", .plain, "gender"), FieldCatalog("Age", .plain, "age"),
        FieldCatalog("Origin", .plain, "origin"),
        FieldCatalog("Company", .plain, "company", "organization", "organisation"),
        FieldCatalog("Location", .plain, "location"),
        FieldCatalog("Website", .website, "website_url", "blog", "website", "homepage"),
        FieldCatalog("Twitter", .twitter, "twitter_username", "twitter"),
        FieldCatalog("Available for hire", .flag, "hireable"),
        FieldCatalog("Employee", .flag, "is_employee"), FieldCatalog("Site administrator", .flag, "site_admin"),
        FieldCatalog("Contributions", .plain, "contributions"),
        FieldCatalog("Followers", .figure, "followers"), FieldCatalog("Following", .figure, "following"),
        FieldCatalog("Repositories", .figure, "public_repos"), FieldCatalog("Gists", .figure, "public_gists"),
        FieldCatalog("Questions", .figure, "question_count"), FieldCatalog("Answers", .figure, "answer_count"),
        FieldCatalog("Profile views", .figure, "view_count"),
        FieldCatalog("Badges", .plain, "badge_counts"),
        FieldCatalog("Votes up", .plain, "up_vote_count"), FieldCatalog("Votes down", .plain, "down_vote_count"),
        FieldCatalog("Accept rate", .percentage, "accept_rate"),
        FieldCatalog("Reputation this year", .change, "reputation_change_year"),
        FieldCatalog("Reputation this quarter", .change, "reputation_change_quarter"),
        FieldCatalog("Reputation this month", .change, "reputation_change_month"),
        FieldCatalog("Reputation this week", .change, "reputation_change_week"),
        FieldCatalog("Reputation this day", .change, "reputation_change_day"),
        FieldCatalog("Episodes", .count, "episode"),
        FieldCatalog("Joined", .date, "created_at", "creation_date"), FieldCatalog("Created", .date, "created"),
        FieldCatalog("First commit", .date, "first_commit_at"), FieldCatalog("Last commit", .date, "last_commit_at"),
        FieldCatalog("Updated", .date, "updated_at", "last_modified_date"),
        FieldCatalog("Last seen", .date, "last_access_date"),
        FieldCatalog("", .technical, "url", "node_id", "gravatar_id", "account_id", "user_view_type"),
    ]

    /// Returns the index in ``all`` of the member with this key, in any case.
    static func rank(of key: String) -> Int? { ranks[key] ?? ranks[key.lowercased()] }

    private static let ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        for (rank, member) in all.enumerated() { for key in member.keys { ranks[key] = rank } }
        return ranks
    }()
}
