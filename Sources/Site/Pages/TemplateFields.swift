import Mustache

// What each template may name. A template that names anything else stops the start.

/// `page.mustache` and `fragment.mustache`.
enum PageField: Int, Field {
    // The document; the same names in every whole page.
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref
    /// The second script, which builds on the first.
    case listScriptHref
    /// The script of the form, which the second one loads when the page has loaded.
    case findScriptHref
    /// Whether the page stands in a frame of somebody else's page (`embed`): without header, form and footer.
    case isFramed
    /// The script that tells the page around the frame how tall this one is; empty where there is no frame.
    case frameScriptHref
    /// The description of the search for browsers (OpenSearch).
    case searchHref
    /// The absolute URL of this page; empty without `--public-url`.
    case canonicalHref
    /// The directory's title.
    case directoryTitle
    /// The same users (or user) as JSON; empty on errors. In `_foot.mustache`, so every whole page has it.
    case apiHref
    /// The page of all directories; empty where there is one alone. In `_foot.mustache`, as `terms` are: the directory's
    /// licence and whom its people are owed to, a list.
    case directoriesHref, terms
    /// How to take the people along: a list, short here, where each byte counts, and empty where `directoriesHref` leads to
    /// it, and on errors. In `_foot.mustache`, too.
    case offers
    /// How many users match, grouped in threes, for people: `2,971`, or `More than 10,000`.
    case totalLabel
    /// What the total counts, and what of those who were chosen: `people`, `person`, `matches for “x” · Alive`, …
    case totalNoun

    // The form.
    case action, q, hasSeveralDirectories, directories, sorts, orders, views
    /// What people can be chosen by, where there is a choice.
    case facets
    /// What a form must carry along that has no control: a list of name and value.
    case hidden

    // The list.
    /// Whether there are users on this page; a list without users is no feed.
    case hasUsers
    /// `idle`, or `end` where nothing follows.
    case state
    /// The total in digits, empty where it is not known.
    case total
    /// `aria-setsize`: the total, or `-1` where it is not known.
    case setSize
    case users
    case isGrid
    /// `--auto-pages`: after how many pages the script waits for a click; 0 for never, -1 for always.
    case autoPages

    // Before and after it.
    case hasNext, nextHref, nextFragmentHref
    case hasPrevious, previousHref, previousFragmentHref, firstHref
    /// The ids of this fragment's `<turbo-frame>`, and of the next one's; empty without Turbo.
    case frameID, nextFrameID
    /// Whether this page has no users because nothing matches (or the directory is empty), and not because it is past the end.
    case nothingFound
    /// The search text as the visitor typed it; empty without a search.
    case searchText
    /// Whether values of facets were chosen.
    case isChosen
    /// Where nothing matches because of the chosen values: what they are (`Gender: Male, Status: Dead`), and the searches
    /// without them that find somebody, a list.
    case filters, looserSearches

    static let document: [Self] = [
        .documentTitle, .description, .homeHref, .styleHref, .scriptHref, .listScriptHref, .findScriptHref,
        .frameScriptHref, .searchHref,
        .faviconHref, .canonicalHref,
        .directoryTitle, .apiHref, .directoriesHref, .terms, .offers,
    ]
    static let form: [Self] = [
        .action, .q, .hasSeveralDirectories, .directories, .sorts, .orders, .views, .facets, .hidden,
    ]

    var kind: FieldKind {
        switch self {
        case .hasSeveralDirectories, .hasUsers, .isGrid, .isFramed, .hasNext, .hasPrevious, .nothingFound, .isChosen:
            .flag
        case .directories, .sorts, .orders, .views: .list(Schema(OptionField.self))
        case .facets: .list(Schema(FacetField.self))
        case .hidden: .list(Schema(HiddenField.self))
        case .terms: .list(Schema(TermField.self))
        case .offers, .looserSearches: .list(Schema(OfferField.self))
        case .users: .list(Schema(ArticleField.self))
        case .homeHref, .styleHref, .scriptHref, .listScriptHref, .findScriptHref, .frameScriptHref, .searchHref,
            .faviconHref, .canonicalHref,
            .apiHref,
            .directoriesHref, .action,
            .nextHref, .nextFragmentHref, .previousHref, .previousFragmentHref, .firstHref:
            .url
        default: .text
        }
    }
}

/// `_article.mustache`: one user in a list.
enum ArticleField: Int, Field {
    case id
    /// `aria-posinset`; empty where it is not known.
    case position
    /// `data-cursor`; empty in the order by id.
    case cursor
    /// The user's page.
    case href
    case login
    /// The name, or the login where there is none.
    case displayName
    /// Whether there is a name apart from the login.
    case hasName
    /// An http or https URL; empty without an avatar.
    case avatar
    /// One or two letters to stand for the avatar.
    case initials
    /// `0` to `11`, always the same for a user: which colour stands behind the initials.
    case hue
    /// Grouped in threes, for people; empty where there is none.
    case reputation
    /// `Organization`, `Bot`, …; empty for an ordinary `User`.
    case type
    case marks

    var kind: FieldKind {
        switch self {
        case .marks: .list(Schema(BadgeField.self))
        case .hasName: .flag
        case .href, .avatar: .url
        default: .text
        }
    }
}

/// An `<option>` of the form.
enum OptionField: Int, Field {
    case value, label, isSelected

    var kind: FieldKind { self == .isSelected ? .flag : .text }
}

/// A `<select>` of a facet.
enum FacetField: Int, Field {
    case name, label
    /// The values, and how many have each where nobody is left out by anything else; any value is one of them.
    case options

    var kind: FieldKind { self == .options ? .list(Schema(OptionField.self)) : .text }
}

/// What shows at a glance about somebody, by the kind of source: a character's status and species, badges of Stack Exchange.
enum BadgeField: Int, Field {
    /// Of a dot, as in SVG; empty for none.
    case colour
    case text
    /// What a number counts; else empty.
    case label

    var kind: FieldKind { .text }
}

/// An `<input type="hidden">` of the form.
enum HiddenField: Int, Field {
    case name, value

    var kind: FieldKind { .text }
}

/// A licence, or whom people are owed to.
enum TermField: Int, Field {
    /// `Licence:` or `From`.
    case label, text
    /// An http or https URL, or empty.
    case href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// A way to take people along: to embed them, or to export them.
enum OfferField: Int, Field {
    case href, label

    var kind: FieldKind { self == .href ? .url : .text }
}

/// `error.mustache` and `fragment-error.mustache`.
enum ErrorField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    case apiHref, directoriesHref, terms, offers
    /// What the pages beside the list look like.
    case pagesStyleHref
    /// `404`
    case status
    /// `Not Found`, for people: `There is no such page.`
    case title
    case message
    /// The same request again, where it may succeed later; empty where the request itself is wrong.
    case retryHref
    /// What the log line of an unexpected error repeats; else empty.
    case errorID
    /// Whether the page stands in a frame of somebody else's page.
    case isFramed
    /// Which library asked for the fragment: the id of its `<turbo-frame>`, or a flag.
    case frameID, isHTMX, isUnpoly

    var kind: FieldKind {
        switch self {
        case .isFramed, .isHTMX, .isUnpoly: .flag
        case .terms: .list(Schema(TermField.self))
        case .offers: .list(Schema(OfferField.self))
        case .homeHref, .styleHref, .pagesStyleHref, .scriptHref, .faviconHref, .canonicalHref, .apiHref,
            .directoriesHref, .retryHref:
            .url
        default: .text
        }
    }
}

/// `directories.mustache`.
enum DirectoriesField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    /// As in every whole page; both empty here.
    case apiHref, directoriesHref
    /// Of no one directory here: none.
    case terms, offers
    /// The address of `pages.css`.
    case pagesStyleHref
    case directories

    var kind: FieldKind {
        switch self {
        case .directories: .list(Schema(DirectoryField.self))
        case .terms: .list(Schema(TermField.self))
        case .offers: .list(Schema(OfferField.self))
        case .homeHref, .styleHref, .scriptHref, .faviconHref, .canonicalHref, .apiHref, .directoriesHref,
            .pagesStyleHref:
            .url
        default: .text
        }
    }
}

/// One of all directories.
enum DirectoryField: Int, Field {
    case href, title, about
    /// Grouped in threes, for people; and what it counts, `people` or `person`.
    case total, noun
    /// Where its people come from: `From a file`, …; empty where the terms say that.
    case source
    /// When an import was last there, for programs and for people; empty where that is not known.
    case updatedAt, updated
    case terms, offers

    var kind: FieldKind {
        switch self {
        case .href: .url
        case .terms: .list(Schema(TermField.self))
        case .offers: .list(Schema(OfferField.self))
        default: .text
        }
    }
}
