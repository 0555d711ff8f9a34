import Mustache

/// `user.mustache`.
enum UserPageField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    case apiHref, directoriesHref, terms, offers
    /// What the pages beside the list look like.
    case pagesStyleHref
    case id, login, displayName, hasName, avatar, initials, hue, reputation, type, marks
    /// The person's page at the source: an http or https URL, or empty; and the host in it, to show.
    case sourceHref, sourceHost
    /// Others who have the same login: a list of name, id and link.
    case hasNamesakes, namesakes
    /// The list, at this person's place in the order by id; and the script that knows better, after a search.
    case backHref, personScriptHref
    /// What they say about themselves.
    case biography
    /// Numbers that stand out, the reputation first, and what else is known: lists of label and values.
    case hasFigures, figures, hasFacts, facts
    /// Who comes before and after in the order by id; empty at its ends.
    case previousHref, previousName, nextHref, nextName
    /// The person's place in that order and how many it has, for people.
    case position, total
    /// Whether it is a person's account, and not an organisation's or a program's.
    case isPerson
    /// A `<script>` with what programs read of the page (JSON-LD, schema.org).
    case linkedData

    var kind: FieldKind {
        switch self {
        case .hasName, .hasFigures, .hasFacts, .hasNamesakes, .isPerson: .flag
        case .namesakes: .list(Schema(NamesakeField.self))
        case .figures, .facts: .list(Schema(ProfileLineField.self))
        case .terms: .list(Schema(TermField.self))
        case .offers: .list(Schema(OfferField.self))
        case .marks: .list(Schema(BadgeField.self))
        case .homeHref, .styleHref, .pagesStyleHref, .scriptHref, .faviconHref, .canonicalHref, .apiHref,
            .directoriesHref, .avatar,
            .sourceHref, .backHref, .personScriptHref, .previousHref, .nextHref:
            .url
        case .linkedData: .markup
        default: .text
        }
    }
}

/// Another user with the same login.
enum NamesakeField: Int, Field {
    case name, id, href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// A line of what is known about a user.
enum ProfileLineField: Int, Field {
    case label
    /// One or more.
    case values

    var kind: FieldKind { self == .values ? .list(Schema(ProfileValueField.self)) : .text }
}

/// What stands in that line.
enum ProfileValueField: Int, Field {
    case value
    /// Where the value leads, if it is an http or https URL; else empty.
    case href
    /// For `<time datetime>`, if the value is a day or a moment; else empty.
    case dateTime

    var kind: FieldKind { self == .href ? .url : .text }
}
