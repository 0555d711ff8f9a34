/// A member of the records of GitHub, Stack Exchange, Rick and Morty and the like: what people call it, and what it is.
struct KnownMember {
    enum Kind {
        case plain
        /// What a person says about themselves.
        case biography
        /// The same in HTML.
        case markup
        /// A number that stands out.
        case figure
        /// A day, or a moment of one.
        case date
        /// A page of theirs, perhaps without its `https://`.
        case website
        /// A name at Twitter, or X.
        case twitter
        /// Worth a line only if it is true.
        case mark
        case percentage
        /// A number with its sign.
        case change
        /// A list of which people want the length.
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

    /// In the order in which a page tells them.
    static let all: [KnownMember] = [
        KnownMember("About", .biography, "bio", "biography", "about"),
        KnownMember("About", .markup, "about_me"),
        KnownMember("Status", .plain, "status"), KnownMember("Species", .plain, "species"),
        KnownMember("Gender", .plain, "gender"), KnownMember("Age", .plain, "age"),
        KnownMember("Origin", .plain, "origin"),
        KnownMember("Company", .plain, "company", "organization", "organisation"),
        KnownMember("Location", .plain, "location"),
        KnownMember("Website", .website, "website_url", "blog", "website", "homepage"),
        KnownMember("Twitter", .twitter, "twitter_username", "twitter"),
        KnownMember("Available for hire", .mark, "hireable"),
        KnownMember("Employee", .mark, "is_employee"), KnownMember("Site administrator", .mark, "site_admin"),
        KnownMember("Contributions", .plain, "contributions"),
        KnownMember("Followers", .figure, "followers"), KnownMember("Following", .figure, "following"),
        KnownMember("Repositories", .figure, "public_repos"), KnownMember("Gists", .figure, "public_gists"),
        KnownMember("Questions", .figure, "question_count"), KnownMember("Answers", .figure, "answer_count"),
        KnownMember("Profile views", .figure, "view_count"),
        KnownMember("Badges", .plain, "badge_counts"),
        KnownMember("Votes up", .plain, "up_vote_count"), KnownMember("Votes down", .plain, "down_vote_count"),
        KnownMember("Accept rate", .percentage, "accept_rate"),
        KnownMember("Reputation this year", .change, "reputation_change_year"),
        KnownMember("Reputation this quarter", .change, "reputation_change_quarter"),
        KnownMember("Reputation this month", .change, "reputation_change_month"),
        KnownMember("Reputation this week", .change, "reputation_change_week"),
        KnownMember("Reputation this day", .change, "reputation_change_day"),
        KnownMember("Episodes", .count, "episode"),
        KnownMember("Joined", .date, "created_at", "creation_date"), KnownMember("Created", .date, "created"),
        KnownMember("First commit", .date, "first_commit_at"), KnownMember("Last commit", .date, "last_commit_at"),
        KnownMember("Updated", .date, "updated_at", "last_modified_date"),
        KnownMember("Last seen", .date, "last_access_date"),
        KnownMember("", .technical, "url", "node_id", "gravatar_id", "account_id", "user_view_type"),
    ]

    /// The place in ``all`` of a member called so, in any case.
    static func rank(of key: String) -> Int? { ranks[key] ?? ranks[key.lowercased()] }

    private static let ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        for (rank, member) in all.enumerated() { for key in member.keys { ranks[key] = rank } }
        return ranks
    }()
}
