import Mustache

/// `user.mustache`.
enum UserPageField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    case apiHref, directoriesHref, terms, links, offers
    /// The directory's style sheet, if it has a colour of its own.
    case brandHref
    /// The style sheet of all pages except the list.
    case pagesStyleHref
    case id, login, displayName, hasName, avatar, shareImage, initials, hue, reputation, type, marks
    /// The label of the reputation; whether the id is shown; and whether there is a login, an id, a type or a badge.
    case reputationLabel, showsID, hasAbout
    /// The fields that the settings choose for rows: a list.
    case hasRowFacts, rowFacts
    /// The login, if the account is a person's and the source gave it.
    case profileLogin
    /// The person for address books.
    case contactHref
    /// The user's page at the source: an http or https URL, or empty; and its host, to show.
    case sourceHref, sourceHost
    /// Other users with the same login: a list of name, id and link.
    case hasNamesakes, namesakes
    /// The list, from this user on in the directory's order; and the script that returns to the search the reader came
    /// from.
    case backHref, personScriptHref
    /// The person's text about themselves.
    case biography
    /// Prominent numbers, the reputation first, and all other fields: lists of label and values.
    case hasFigures, figures, hasFacts, facts
    /// The neighbours in the directory's order; empty at its ends.
    case previousHref, previousName, nextHref, nextName
    /// The user's position in that order, and the total, for people.
    case position, total
    /// Whether the account is a person's, and not an organisation's or a program's.
    case isPerson
    /// A `<script>` with data about the user (JSON-LD, schema.org).
    case linkedData

    var kind: FieldKind {
        switch self {
        case .hasName, .showsID, .hasAbout, .hasRowFacts, .hasFigures, .hasFacts, .hasNamesakes, .isPerson: .flag
        case .namesakes: .list(Schema(NamesakeField.self))
        case .figures, .facts: .list(Schema(ProfileLineField.self))
        case .terms: .list(Schema(TermField.self))
        case .offers, .links: .list(Schema(OfferField.self))
        case .rowFacts: .list(Schema(FactField.self))
        case .marks: .list(Schema(BadgeField.self))
        case .brandHref, .contactHref, .homeHref, .styleHref, .pagesStyleHref, .scriptHref, .faviconHref,
            .canonicalHref, .apiHref,
            .directoriesHref, .avatar, .shareImage,
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

/// A line of a user's page.
enum ProfileLineField: Int, Field {
    case label
    /// One or more.
    case values

    var kind: FieldKind { self == .values ? .list(Schema(ProfileValueField.self)) : .text }
}

/// A value in that line.
enum ProfileValueField: Int, Field {
    case value
    /// An http, https, mailto or tel URL, or empty.
    case href
    /// For `<time datetime>`, if the value is a day or a time; else empty.
    case dateTime

    var kind: FieldKind { self == .href ? .url : .text }
}
