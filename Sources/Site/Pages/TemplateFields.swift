import Mustache

// The fields of the list's templates, and those that several templates share; the others are beside their pages. A
// template with any other field keeps the server from starting.

/// `page.mustache` and the templates of fragments.
enum PageField: Int, TemplateField {
    /// The script that keeps the reader's place and offers new people, which the first script loads after the page.
    case restScriptHref
    /// The generation that the page shows; empty without events.
    case generation
    /// Whether this page needs the style sheet of the other views at once: for cards, photos, or a list without users.
    case hasViewsStyle
    /// The OpenSearch description, for browsers.
    case searchHref
    /// The directory's introduction, above the whole list only: a list of paragraphs. If it is long, its first
    /// paragraph as plain text, for one line that opens the whole; else empty.
    case hasIntro, intro, introSummary
    /// The number of users that match, for people: `2,971`, or `More than 10,000`.
    case totalLabel
    /// The noun after the total: `people` or `person`.
    case totalNoun
    /// The number of all users of the directory, if only some of them match; else empty.
    case wholeLabel
    /// The positions of the first and the last user on this page, for people; empty if they are not known.
    case firstLabel, lastLabel

    // The form.
    case sorts
    /// Whether a search looks in more fields than names and logins.
    case searchesFields
    /// The menu beside the title: a list of links.
    case menu
    /// Whether there are filters, and how many values are chosen; empty for none.
    case hasFilters, chosenCount
    /// The chosen values, with links to the list without them: a list.
    case chips
    /// The filters of the directory: a list.
    case filterMenus
    /// Parameters of the form without a control: a list of name and value.
    case hidden

    /// The jump bar of a list of a hundred people or more: letters of an order by names, else numbers. A list; whether
    /// there are any, and whether they are letters; and the positions at which they begin, separated by spaces.
    case hasJumpBar, jumpBar, hasLetters, jumpBarPlaces

    // The list.
    /// Whether there are users on this page. A list without users is not a feed.
    case hasUsers
    /// The number of users that match, as a number; absent if they are not counted.
    case people
    /// Whether this is a fragment, whose own texts need their language.
    case isFragment
    /// Whether the style sheet draws the initials, because this is for a page of another site.
    case drawsInitials
    /// The messages of the scripts as JSON; empty in English.
    case scriptWords
    /// `idle`, or `end` if this is the last page.
    case state
    /// The total in digits; empty if it is not known.
    case total
    /// `aria-setsize`: the total, or `-1` if it is not known.
    case setSize
    /// The rules of an order by text; empty in other orders.
    case collation
    case users
    /// The view, if it is not the list; and the theme, if it is not the reader's.
    case isGrid, isPhotos, isLight, isDark
    /// Both of them as classes, and `has-filters` and `has-jump` beside filters and jump bar: empty, `grid`, `photos
    /// dark`, …
    case bodyClass
    /// `--auto-pages`: the number of pages after which the script waits for a click; 0 for never, -1 for always.
    case autoPages

    // The pages before and after.
    case hasNext, nextHref, nextFragmentHref
    case hasPrevious, previousHref, previousFragmentHref, firstHref
    /// The ids of this fragment's `<turbo-frame>`, and of the next one's; empty without Turbo.
    case frameID, nextFrameID
    /// Whether this page has no users because none match or the directory is empty, and not because it is past the end.
    case nothingFound
    /// On a page without users, people of the directory, two before and two after the one who is missing: lists, empty
    /// in a small directory.
    case hasFaces, faces, moreFaces
    /// The search text as typed; empty without a search.
    case searchText
    /// If no user matches because of the filters: the filters (`Gender: Male, Status: Dead`), and the searches without
    /// them that find users, those that find most first: a list.
    case filters, looserSearches
    /// The names that a search without matches may mean: a list.
    case hasSuggestions, suggestions
    /// Whether the list is long enough for the form that goes to a number; the parameters of that form, a list of name
    /// and value; and the greatest number.
    case hasJump, jumpFields, jumpLimit

    var kind: FieldKind {
        switch self {
        case .people: .number
        case .isFragment, .drawsInitials, .hasLetters, .hasJumpBar, .hasIntro, .hasUsers, .isGrid, .isPhotos,
            .hasViewsStyle, .isLight,
            .isDark, .hasNext, .hasPrevious, .nothingFound, .hasFilters, .searchesFields, .hasFaces, .hasJump,
            .hasSuggestions:
            .flag
        case .faces, .moreFaces: .list(Schema(FaceField.self))
        case .sorts: .list(Schema(OptionField.self))
        case .chips: .list(Schema(ChipField.self))
        case .filterMenus: .list(Schema(FilterMenuField.self))
        case .hidden, .jumpFields: .list(Schema(HiddenField.self))
        case .jumpBar: .list(Schema(JumpBarField.self))
        case .menu, .looserSearches: .list(Schema(LinkField.self))
        case .suggestions: .list(Schema(SuggestionField.self))
        case .intro: .list(Schema(ParagraphField.self))
        case .users: .list(Schema(ArticleField.self))
        case .restScriptHref, .searchHref, .nextHref, .nextFragmentHref, .previousHref,
            .previousFragmentHref, .firstHref:
            .url
        default: .text
        }
    }
}

/// An entry of the jump bar: a letter, or a number.
enum JumpBarField: Int, TemplateField {
    case label
    /// The page that begins there; empty if nobody has the letter.
    case href
    /// Whether the page begins between this entry and the next one.
    case isCurrent

    var kind: FieldKind {
        switch self {
        case .label: .text
        case .href: .url
        case .isCurrent: .flag
        }
    }
}

/// A chosen value of a filter.
enum ChipField: Int, TemplateField {
    /// The name of the filter, and the value.
    case filter, label
    /// The list without the value.
    case href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// `_article.mustache`: one user in a list.
enum ArticleField: Int, TemplateField {
    case id
    /// `aria-posinset`; empty if it is not known.
    case position
    /// `data-cursor`; empty in the order by id.
    case cursor
    /// Whether the reader asked for this person's position, and the page begins before.
    case isAsked
    /// The user's page.
    case href
    case login
    /// The name, or the login without a name.
    case displayName
    /// The same in parts, if some of them match a search: a list.
    case markedName
    /// Whether the user has a name that differs from a login that the source gave.
    case hasName
    /// Whether there is a second line.
    case hasFacts
    /// The login, if it differs from the name, and the fields that the settings choose for rows, or for cards: a list.
    case facts
    /// An http or https URL, or a path on this server; empty without an avatar.
    case avatar
    /// The same picture for screens of double density; empty if it has one size.
    case largeAvatar
    /// One or two letters in place of the avatar.
    case initials
    /// `0` to `11`, always the same for a user: the colour behind the initials.
    case hue
    /// The number for people, with its digits in groups of three; empty without a reputation. And its label.
    case reputation, reputationLabel
    /// `Organization`, `Bot`, …; empty for an ordinary `User`.
    case type
    /// The shape of the picture: `org` or `bot`; empty for a person.
    case shape
    /// Whether the picture may load late, because others come first.
    case isLate
    case marks
    /// Fields that the template names by their keys: `field.track`.
    case field

    var kind: FieldKind {
        switch self {
        case .field: .namedFields(Schema(NamedFieldField.self))
        case .marks: .list(Schema(BadgeField.self))
        case .facts: .list(Schema(FactField.self))
        case .markedName: .list(Schema(TextPartField.self))
        case .hasName, .hasFacts, .isLate, .isAsked: .flag
        case .href, .avatar, .largeAvatar: .url
        default: .text
        }
    }
}

/// A field in a row of the list.
enum FactField: Int, TemplateField {
    /// The field's key, and its value in one line.
    case key, text
    /// The value in parts, if some of them match a search: a list.
    case marked
    /// Whether no other field comes before it.
    case isFirst

    var kind: FieldKind {
        switch self {
        case .isFirst: .flag
        case .marked: .list(Schema(TextPartField.self))
        case .key, .text: .text
        }
    }
}

/// A field of a person that a template names by its key: `{{#field.track}}`. Absent if the person does not have it.
enum NamedFieldField: Int, TemplateField {
    case key, label
    /// The value in one line.
    case value
    /// An http, https, mailto or tel URL, or empty.
    case href
    /// For `<time datetime>`, if the value is a day; else empty.
    case dateTime
    /// The elements of a list, or the only value: a list.
    case values

    var kind: FieldKind {
        switch self {
        case .href: .url
        case .values: .list(Schema(ProfileValueField.self))
        default: .text
        }
    }
}

/// A part of a text that a search looks in.
enum TextPartField: Int, TemplateField {
    case text
    /// Whether the part matches a word of the search.
    case isMatch

    var kind: FieldKind { self == .isMatch ? .flag : .text }
}

/// A paragraph of a text: of the directory's introduction, or of a person's biography.
enum ParagraphField: Int, TemplateField {
    /// Texts and links: a list.
    case parts

    var kind: FieldKind { .list(Schema(ParagraphPartField.self)) }
}

/// A part of a text.
enum ParagraphPartField: Int, TemplateField {
    case text
    /// An http or https URL; empty for text without a link.
    case href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// An `<option>` of the form.
enum OptionField: Int, TemplateField {
    case value, label, isSelected
    /// Whether the value is its label, so that HTML needs no `value`.
    case isItsLabel

    var kind: FieldKind { self == .isSelected || self == .isItsLabel ? .flag : .text }
}

/// A filter of the form: a group of checkboxes.
enum FilterMenuField: Int, TemplateField {
    case name, label
    /// On another site: the key of the filter, and the number of chosen values; empty for none.
    case key, chosenCount
    /// The values that are shown at once, and those that are folded in.
    case options, folded
    /// Whether there are more values than those shown, and their number; empty if none is shown.
    case hasMore, more
    /// The page of all values, empty if the form has all of them; and their number, which the page or an empty `more`
    /// needs.
    case valuesHref, valueCount
    /// Whether the filter is a range: of numbers, or of dates; and the ends of the chosen one.
    case hasRange, isDate, from, to

    var kind: FieldKind {
        switch self {
        case .options, .folded: .list(Schema(ChoiceField.self))
        case .hasMore, .hasRange, .isDate: .flag
        case .valuesHref: .url
        default: .text
        }
    }
}

/// `_choice.mustache`: a value of a filter, as a checkbox. `name` is the filter's.
enum ChoiceField: Int, TemplateField {
    case value, label, isChecked
    /// The number of people with the value among those that match everything else; empty if it is not counted.
    case count
    /// Whether that number is 0.
    case hasNobody

    var kind: FieldKind { self == .isChecked || self == .hasNobody ? .flag : .text }
}

/// A fact that shows in lists, by the source: a character's status and species, or badges of Stack Exchange.
enum BadgeField: Int, TemplateField {
    /// The colour of a dot, as in SVG; empty for no dot.
    case colour
    case text
    /// The noun for the number in `text`; else empty.
    case label
    /// Whether the line begins with it.
    case isFirst

    var kind: FieldKind { self == .isFirst ? .flag : .text }
}

/// An `<input type="hidden">` of the form.
enum HiddenField: Int, TemplateField {
    case name, value

    var kind: FieldKind { .text }
}

/// A licence or an attribution.
enum TermField: Int, TemplateField {
    /// `Licence:` or `From`.
    case label, text
    /// An http or https URL, or empty.
    case href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// A link to embed or to export a directory.
enum LinkField: Int, TemplateField {
    case href, label

    var kind: FieldKind { self == .href ? .url : .text }
}

/// A link to the search for a name.
enum SuggestionField: Int, TemplateField {
    /// The text before the link: empty, a comma or `or`, with spaces.
    case separator
    case href, label

    var kind: FieldKind { self == .href ? .url : .text }
}
