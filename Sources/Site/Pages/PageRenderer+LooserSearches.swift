import Directories
import Mustache

/// A search without some of its filters.
struct LooserSearch {
    let request: PageRequest
    /// The filters it leaves out.
    let dropped: [FacetChoice]
    /// `nil` past what is counted.
    let total: Int?

    init(_ request: PageRequest, without dropped: [FacetChoice], total: Int?) {
        self.request = request
        self.dropped = dropped
        self.total = total
    }
}

/// Suggestions for a search that finds nobody because of its filters.
extension PageRenderer {
    /// The searches that find somebody where `request` finds nobody: without one of its filters each, or else without any.
    ///
    /// Only a page without matches costs these searches, each for one person.
    func looserSearches(_ page: Page, _ request: PageRequest) throws -> [LooserSearch] {
        let facets = request.facets
        guard request.kind == .page, page.users.rows.isEmpty, !page.hasPrevious, !page.hasNext, !facets.isEmpty,
            // Without words and any filter, the search is the whole directory.
            request.searchText != nil || facets.count > 1
        else { return [] }
        let withoutOne = try facets.compactMap { try looserSearch(request, without: [$0]) }
        guard withoutOne.isEmpty, facets.count > 1, request.searchText != nil else { return withoutOne }
        return try looserSearch(request, without: facets).map { [$0] } ?? []
    }

    private func looserSearch(_ request: PageRequest, without dropped: [FacetChoice]) throws -> LooserSearch? {
        var looser = request
        looser.search = Search(request.searchText ?? "", facets: request.facets.filter { !dropped.contains($0) })
        looser.start = .first
        var query = looser.query
        query.limit = 1
        let page = try read(query, of: request.directory)
        return page.users.rows.isEmpty ? nil : LooserSearch(looser, without: dropped, total: page.total)
    }

    func setLooserSearches(
        _ frame: Frame<PageField>, _ searches: [LooserSearch], _ request: PageRequest, _ links: Links
    ) {
        model.set(frame, .filters, request.facets.map(\.phrase).joined(separator: ", "))
        let rows = model.makeList(frame, .looserSearches, of: OfferField.self, count: searches.count)
        for (row, search) in zip(rows, searches) {
            let count = search.total.map { $0 == 1 ? "1 person" : "\($0.grouped) people" }
            let dropped = search.dropped.map(\.phrase).joined(separator: ", ")
            model.set(row, .label, "Show \(count ?? "more than 10,000 people") without \(dropped)")
            model.write(row, .href) {
                Links(base: links.base, request: search.request).append(.first, as: .page, to: $0)
            }
        }
    }
}

extension FacetChoice {
    /// `Gender: Male`
    fileprivate var phrase: String { "\(facet.label): \(value)" }
}
