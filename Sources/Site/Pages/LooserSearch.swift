import People
import Template

/// A search without some of its filters or words, for a page that has no matches because of them.
struct LooserSearch {
    let request: PageRequest
    /// The filters that are left out; empty if a word is.
    let dropped: [ChosenFilter]
    /// `nil` if there are more matches than are counted.
    let total: Int?

    /// More words cost more searches.
    private static let maxWords = 4

    /// Returns the searches that find users where `request` finds none, those that find most first: without one filter
    /// each, or else without any, or else without one word each.
    ///
    /// Only a page without matches costs these searches, each for one user.
    static func all(for request: PageRequest, from reader: SiteReader) throws -> [LooserSearch] {
        let filters = request.filters
        func without(_ dropped: [ChosenFilter]) throws -> LooserSearch? {
            let looser = request.searching(request.searchText, filters.filter { !dropped.contains($0) })
            return try LooserSearch(looser, without: dropped, from: reader)
        }
        // Without words and filters, the search is the whole directory.
        if !filters.isEmpty, request.searchText != nil || filters.count > 1 {
            let withoutOne = try filters.compactMap { try without([$0]) }
            if !withoutOne.isEmpty { return sorted(withoutOne) }
            let withoutAny = filters.count > 1 && request.searchText != nil
            if withoutAny, let search = try without(filters) { return [search] }
        }
        let words = (request.searchText ?? "").split(whereSeparator: \.isWhitespace)
        guard filters.isEmpty, (2...maxWords).contains(words.count) else { return [] }
        return sorted(
            try words.indices.compactMap { index in
                let rest = words.enumerated().filter { $0.offset != index }.map { String($0.element) }
                let looser = request.searching(rest.joined(separator: " "), [])
                return try LooserSearch(looser, without: [], from: reader)
            })
    }

    private static func sorted(_ searches: [LooserSearch]) -> [LooserSearch] {
        searches.sorted { $0.total ?? .max > $1.total ?? .max }
    }

    /// `nil` if this search has no matches either.
    private init?(_ request: PageRequest, without dropped: [ChosenFilter], from reader: SiteReader) throws {
        var query = request.query
        query.limit = 1
        let page: Page
        // This search may cost more than one request may.
        do {
            page = try reader.page(query, of: request.directory)
        } catch let error as HTTPError where error.status == .badRequest {
            return nil
        }
        if page.users.rows.isEmpty { return nil }
        self.request = request
        self.dropped = dropped
        total = page.total
    }
}

extension PageRequest {
    /// Returns the names that a search without matches may mean: none if a search without filters finds somebody.
    func suggestions(beside looser: [LooserSearch], from reader: SiteReader) throws -> [String] {
        let words = search?.filtered { _ in false }
        guard let words, looser.allSatisfy({ $0.dropped.isEmpty }) else { return [] }
        // A search takes no longer text, so the link would fail.
        let found = try reader.suggestions(for: words, of: directory, limit: 3)
        return found.map(\.name).filter { $0.utf8.count <= Search.maxBytes }
    }
}

extension ListPage {
    /// Sets the filters that leave nobody, and links to the searches that find somebody.
    func setLooserSearches(_ searches: [LooserSearch]) {
        // Where no search without filters finds anybody, the words are the cause.
        if !searches.isEmpty || request.searchText == nil {
            model.set(
                frame, .filters, request.filters.map(phrase).joined(separator: layout.language.text(.listSeparator)))
        }
        model.setList(frame, .looserSearches, of: LinkField.self, searches) { row, search in
            model.set(row, .label, label(of: search))
            model.write(row, .href) {
                Links(base: links.base, request: search.request).append(.first, as: .page, to: $0)
            }
        }
    }

    private func label(of search: LooserSearch) -> String {
        let (language, settings) = (layout.language, page.directory.settings)
        let matches =
            search.total.map { language.text(.matchCount, ["count": .number($0)]) }
            ?? language.text(.moreMatches, ["limit": .number(UserQuery.numberedMatches)])
        if search.dropped.isEmpty {
            let query = search.request.searchText ?? ""
            return language.text(.searchFor, ["query": .text(query), "matches": .text(matches)])
        }
        if search.dropped.count == request.filters.count, search.dropped.count > 1 {
            return language.text(.removeAllFilters, ["matches": .text(matches)])
        }
        let filters = search.dropped.map { $0.title(in: settings, language) }
            .joined(separator: language.text(.listSeparator))
        return language.text(.removeFilters, ["filters": .text(filters), "matches": .text(matches)])
    }

    /// Sets links to searches for names, which have no filters.
    func setSuggestions(_ names: [String]) {
        model.set(frame, .hasSuggestions, flag: !names.isEmpty)
        model.setList(frame, .suggestions, of: SuggestionField.self, names.indices) { row, index in
            let isLast = index == names.count - 1
            model.set(row, .separator, index == 0 ? "" : layout.language.text(isLast ? .orSeparator : .listSeparator))
            model.set(row, .label, names[index])
            var request = request.searching(names[index], [])
            request.sort = request.defaultSort(of: .page)
            model.write(row, .href) { Links(base: links.base, request: request).append(.first, as: .page, to: $0) }
        }
    }

    /// `Gender: Male`
    private func phrase(_ chosen: ChosenFilter) -> String {
        let settings = page.directory.settings
        return "\(chosen.filter.label(in: settings, layout.language)): \(chosen.phrase(in: settings, layout.language))"
    }
}

/// A link to the search for a name.
enum SuggestionField: Int, TemplateField {
    /// The text before the link: empty, a comma or `or`, with spaces.
    case separator
    case href, label

    static let kinds = FieldKinds<Self>(urls: [.href])
}
