import People
import Template

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

        /// The kind of a member that the catalog does not contain. Stack Exchange's dates are numbers.
        init(ofUnknown key: String) {
            self = key.hasSuffix("_url") ? .technical : key.hasSuffix("_date") ? .date : .plain
        }
    }

    let keys: [String]
    /// The label; `nil` for a member that pages do not show.
    let label: MessageKey?
    let kind: Kind
    /// The role that a field with the same meaning has.
    let role: FieldRole?

    private init(_ label: MessageKey?, _ kind: Kind = .plain, as role: FieldRole? = nil, _ keys: String...) {
        (self.keys, self.label, self.kind, self.role) = (keys, label, kind, role)
    }

    /// All members, in the order of a page.
    static let all: [FieldCatalog] = [
        FieldCatalog(.about, .biography, "bio", "biography", "about"),
        FieldCatalog(.about, .markup, "about_me"),
        FieldCatalog(.fieldStatus, .plain, "status"), FieldCatalog(.fieldSpecies, .plain, "species"),
        FieldCatalog(.fieldGender, .plain, "gender"), FieldCatalog(.fieldAge, .plain, "age"),
        FieldCatalog(.fieldOrigin, .plain, "origin"),
        FieldCatalog(.fieldCompany, as: .organization, "company", "organization", "organisation"),
        FieldCatalog(.roleLocation, as: .location, "location"),
        FieldCatalog(.roleWebsite, .website, as: .website, "website_url", "blog", "website", "homepage"),
        FieldCatalog(.fieldTwitter, .twitter, "twitter_username", "twitter"),
        FieldCatalog(.fieldHireable, .flag, "hireable"),
        FieldCatalog(.fieldEmployee, .flag, "is_employee"), FieldCatalog(.fieldSiteAdmin, .flag, "site_admin"),
        FieldCatalog(.fieldContributions, .plain, "contributions"),
        FieldCatalog(.fieldFollowers, .figure, "followers"), FieldCatalog(.fieldFollowing, .figure, "following"),
        FieldCatalog(.fieldRepositories, .figure, "public_repos"), FieldCatalog(.fieldGists, .figure, "public_gists"),
        FieldCatalog(.fieldQuestions, .figure, "question_count"), FieldCatalog(.fieldAnswers, .figure, "answer_count"),
        FieldCatalog(.fieldViews, .figure, "view_count"),
        FieldCatalog(.fieldBadges, .plain, "badge_counts"),
        FieldCatalog(.fieldVotesUp, .plain, "up_vote_count"), FieldCatalog(.fieldVotesDown, .plain, "down_vote_count"),
        FieldCatalog(.fieldAcceptRate, .percentage, "accept_rate"),
        FieldCatalog(.fieldChangeYear, .change, "reputation_change_year"),
        FieldCatalog(.fieldChangeQuarter, .change, "reputation_change_quarter"),
        FieldCatalog(.fieldChangeMonth, .change, "reputation_change_month"),
        FieldCatalog(.fieldChangeWeek, .change, "reputation_change_week"),
        FieldCatalog(.fieldChangeDay, .change, "reputation_change_day"),
        FieldCatalog(.fieldEpisodes, .count, "episode"),
        FieldCatalog(.fieldMemberSince, .date, "created_at", "creation_date"),
        FieldCatalog(.fieldCreated, .date, "created"),
        FieldCatalog(.fieldFirstCommit, .date, "first_commit_at"),
        FieldCatalog(.fieldLastCommit, .date, "last_commit_at"),
        FieldCatalog(.fieldUpdated, .date, "updated_at", "last_modified_date"),
        FieldCatalog(.fieldLastSeen, .date, "last_access_date"),
        FieldCatalog(nil, .technical, "url", "node_id", "gravatar_id", "account_id", "user_view_type"),
    ]

    /// Returns the index in ``all`` of the member with this key, in any case.
    static func rank(of key: String) -> Int? { ranks[key] ?? ranks[key.lowercased()] }

    private static let ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        for (rank, member) in all.enumerated() { for key in member.keys { ranks[key] = rank } }
        return ranks
    }()
}
