import Template

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

    static let kinds = FieldKinds<Self>(
        flags: [
            .hasViewsStyle, .hasIntro, .searchesFields, .hasFilters, .hasJumpBar, .hasLetters, .hasUsers, .isFragment,
            .drawsInitials, .isGrid, .isPhotos, .isLight, .isDark, .hasNext, .hasPrevious, .nothingFound, .hasFaces,
            .hasSuggestions, .hasJump,
        ],
        numbers: [.people],
        urls: [
            .restScriptHref, .searchHref, .nextHref, .nextFragmentHref, .previousHref, .previousFragmentHref,
            .firstHref,
        ],
        lists: [
            .intro: ParagraphField.self, .sorts: OptionField.self, .menu: LinkField.self, .chips: ChipField.self,
            .filterMenus: FilterMenuField.self, .hidden: HiddenField.self, .jumpBar: JumpBarField.self,
            .users: ArticleField.self, .faces: FaceField.self, .moreFaces: FaceField.self,
            .looserSearches: LinkField.self, .suggestions: SuggestionField.self, .jumpFields: HiddenField.self,
        ])
}

/// An entry of the jump bar: a letter, or a number.
enum JumpBarField: Int, TemplateField {
    case label
    /// The page that begins there; empty if nobody has the letter.
    case href
    /// Whether the page begins between this entry and the next one.
    case isCurrent

    static let kinds = FieldKinds<Self>(flags: [.isCurrent], urls: [.href])
}

/// A chosen value of a filter.
enum ChipField: Int, TemplateField {
    /// The name of the filter, and the value.
    case filter, label
    /// The list without the value.
    case href

    static let kinds = FieldKinds<Self>(urls: [.href])
}
