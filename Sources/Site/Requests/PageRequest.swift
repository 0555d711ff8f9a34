import Base
import People

/// The checked parameters of a page of users: of `/`, `/fragment`, `/people.json` and `/api/v3/users`.
struct PageRequest: Sendable {
    enum Kind: Sendable {
        case page, fragment
        /// JSON like GitHub's, and JSON for front ends.
        case json, people
        /// The people of an export, which is no page and has no links.
        case export

        var isJSON: Bool { self == .json || self == .people }
    }
    enum View: String, CaseIterable, Sendable {
        case list, grid, photos
        /// Faces alone, for embeds.
        case wall

        /// The views of a page that is not embedded.
        static let ofPages = allCases.filter { $0 != .wall }

        /// The size of pictures. They take 48 CSS px in lists, 160 or more in grids, and 224 or more in photos, which
        /// have a larger one for screens of double density.
        var pictureSize: PictureSize {
            switch self {
            case .list, .wall: .small
            case .grid, .photos: .medium
            }
        }
    }
    /// The colours of a page: those that the reader's system prefers, or always the light or the dark ones.
    enum Theme: String, CaseIterable, Sendable {
        case auto, light, dark
    }

    var kind: Kind
    let linked: LinkedDirectory
    var directory: Directory { linked.directory }
    /// The search text as typed, or `nil` if it contains no words.
    var searchText: String?
    var search: Search?
    var filters: [ChosenFilter] { search?.filters ?? [] }
    /// What is chosen of a filter; no value and no range if people are not filtered by it.
    func chosen(of filter: Filter) -> ChosenFilter {
        filters.first { $0.filter == filter } ?? ChosenFilter(filter, [])
    }
    /// The number of values and ranges that are chosen.
    var chosenCount: Int { filters.reduce(0) { $0 + $1.texts.count } }
    var sort = Sort()
    /// The fields that JSON contains besides GitHub's members, as indexes of the settings'; `nil` without `fields`.
    var fieldIndexes: [Int]?
    var start = UserQuery.Start.first
    /// `nil` if the request names no number, or names a fragment's default.
    var perPage: Int?
    var view = View.list
    var theme = Theme.auto
    /// How the page is embedded in another page; `nil` if it is not.
    var embedding: Embedding?
    /// Whether JSON for front ends has the filters, with the numbers of people who have their values.
    var countsFilters = false
    /// The language of a page or fragment, and of the labels for front ends.
    var language: LanguageChoice?

    var limit: Int { perPage ?? (kind == .fragment ? fragmentLimit : Self.pageLimit) }
    /// A wall shows many faces at once.
    var fragmentLimit: Int { view == .wall ? Self.pageLimit : Self.fragmentLimit }
    static let fragmentLimit = 10
    static let pageLimit = 30

    /// The order of a response of this kind if its URL names none.
    func defaultSort(of kind: Kind) -> Sort {
        switch kind {
        case .json: Sort()
        case .export: directory.defaultSort
        case .page, .fragment, .people:
            searchText == nil ? directory.defaultSort : Sort(.relevance(then: directory.defaultSort))
        }
    }

    var query: UserQuery {
        UserQuery(directory: directory.id, search: search, sort: sort, start: start, limit: limit)
    }

    /// The whole list of a directory, in its own order.
    init(of linked: LinkedDirectory, _ language: LanguageChoice? = nil) {
        self.language = language
        kind = .page
        self.linked = linked
        sort = linked.directory.defaultSort
    }

    /// Whether this is not the whole list of the directory in its own order, as rows.
    var hasSelection: Bool { search != nil || sort != directory.defaultSort || view != .list }

    /// The same people in the same order, whatever page, view and embedding the request names.
    var selection: PageRequest {
        var list = self
        (list.start, list.perPage, list.view, list.embedding) = (.first, nil, .list, nil)
        return list
    }

    /// The list of another search, from its beginning on.
    /// - Parameter text: contains a word, or is `nil`.
    func searching(_ text: String?, _ filters: [ChosenFilter]) -> PageRequest {
        var list = self
        let words = text == searchText ? search?.words : nil
        (list.searchText, list.start) = (text, .first)
        list.search = Search(words: words ?? SearchWords(text ?? ""), filters: filters)
        return list
    }

    /// Reads the query of a request. Throws an ``HTTPError`` that names the parameter and the values it takes.
    init(_ kind: Kind, query: QueryItems, directories: DirectoryList, client: ClientContext) throws {
        let parameters = try Parameters(query)
        self.kind = kind
        linked = try directories.find(parameters[.directory])
        let directory = linked.directory
        let filters = FilterParameters(query, directory)
        if kind == .people { try filters.refuseOthers(than: Self.namesForFrontEnds) }
        if kind == .page { try filters.refuseMisspelled() }
        (search, searchText) = try parameters.search(.q, filters.filters())
        sort = try parameters.sort(of: directory, unless: defaultSort(of: kind), hasWords: searchText != nil)
        switch kind {
        case .page, .fragment:
            if kind == .page { theme = try parameters.choice(.theme) ?? .auto }
            embedding = try parameters.choice(.embed, of: kind == .page ? [.frame, .fittedFrame] : Embedding.allCases)
            language = LanguageChoice(try parameters.choice(.lang), directory, client)
        case .people:
            language = LanguageChoice.ofData(try parameters.choice(.lang), directory, client)
            countsFilters = try parameters.isOne(.filters)
        case .json: fieldIndexes = try parameters.fields(of: directory)
        case .export: break
        }
        let isOwnPage = kind == .page && embedding == nil
        view = try parameters.choice(.view, of: isOwnPage ? View.ofPages : View.allCases) ?? .list
        perPage = try parameters.number(.perPage, in: 1...100, isCapped: true)
        // Links to fragments always name a number, so naming the default makes no other fragment.
        if kind == .fragment, perPage == fragmentLimit { perPage = nil }
        start = try parameters.start(sort.key, isSearch: search != nil, language: directory.settings.language)
    }

    /// The parameters that choose people and their order, besides the filters of the directory.
    static let namesOfSelection: Set<Parameter> = [.q, .sort, .order, .directory]
    /// The parameters of `/people.json`, besides the filters.
    private static let namesForFrontEnds = namesOfSelection.union([
        .since, .before, .at, .letter, .perPage, .lang, .filters,
    ])
}

extension Sort {
    /// Returns what links and titles name: the key and the direction that one does not expect where `standard` is the
    /// order that needs no name.
    func difference(from standard: Sort) -> (key: Key?, direction: Direction?) {
        let isKnown = key == standard.key
        let expected = isKnown ? standard.direction : .ascending
        return (isKnown ? nil : key, direction == expected ? nil : direction)
    }
}

/// How a page or a fragment is embedded in another page: the values of `embed`.
enum Embedding: String, CaseIterable, Sendable {
    /// `/` in an `<iframe>` that scrolls: without header, form and footer. Its fragments have the parameter, too.
    case frame = "1"
    /// `/` in an `<iframe>` that is as tall as the list. More users come only on a click, or the reader would never
    /// reach the end of either page.
    case fittedFrame = "fit"
    /// A fragment in a page of another origin: all links are absolute.
    case html
    /// A fragment with the markup that these libraries need to load the next one.
    case htmx, turbo, unpoly

    /// Whether this is a document in a frame, or a part of one.
    var isFrame: Bool { self == .frame || self == .fittedFrame }
    /// Relative links would be wrong in a document of another origin.
    var hasAbsoluteLinks: Bool { !isFrame }

    /// Whether links to responses of this kind have the parameter, too. In a fragment on another site, links to pages
    /// lead to this site without it.
    func isCarried(to kind: PageRequest.Kind) -> Bool { kind == .fragment || (kind == .page && isFrame) }
}
