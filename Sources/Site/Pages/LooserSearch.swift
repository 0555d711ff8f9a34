import Directories
import Mustache

/// A search without some of its filters, for a page that has no matches because of them.
struct LooserSearch {
    let request: PageRequest
    /// The filters that are left out.
    let dropped: [FieldFilter]
    /// `nil` if there are more matches than are counted.
    let total: Int?

    /// Returns the searches that find users where `request` finds none: without one filter each, or else without any.
    ///
    /// Only a page without matches costs these searches, each for one user. `read` asks the store.
    static func all(
        for request: PageRequest, with page: Page, read: (UserQuery) throws -> Page
    ) throws -> [LooserSearch] {
        let filters = request.filters
        guard page.users.rows.isEmpty, !page.hasPrevious, !page.hasNext, !filters.isEmpty,
            // Without words and filters, the search is the whole directory.
            request.searchText != nil || filters.count > 1
        else { return [] }
        let withoutOne = try filters.compactMap { try LooserSearch(request, without: [$0], read) }
        guard withoutOne.isEmpty, filters.count > 1, request.searchText != nil else { return withoutOne }
        return try LooserSearch(request, without: filters, read).map { [$0] } ?? []
    }

    /// `nil` if this search has no matches either.
    private init?(
        _ request: PageRequest, without dropped: [FieldFilter], _ read: (UserQuery) throws -> Page
    ) throws {
        var looser = request
        looser.search = request.search?.filtered { !dropped.contains($0) }
        looser.start = .first
        var query = looser.query
        query.limit = 1
        let page = try read(query)
        if page.users.rows.isEmpty { return nil }
        self.request = looser
        self.dropped = dropped
        total = page.total
    }
}

extension ListPage {
    func setLooserSearches(_ searches: [LooserSearch]) {
        model.set(frame, .filters, request.filters.map(phrase).joined(separator: ", "))
        let rows = model.makeList(frame, .looserSearches, of: OfferField.self, count: searches.count)
        for (row, search) in zip(rows, searches) {
            let count = search.total.map { $0 == 1 ? "1 person" : "\($0.grouped) people" }
            let dropped = search.dropped.map(phrase).joined(separator: ", ")
            model.set(row, .label, "Show \(count ?? "more than 10,000 people") without \(dropped)")
            model.write(row, .href) {
                Links(base: links.base, request: search.request).append(.first, as: .page, to: $0)
            }
        }
    }

    /// `Gender: Male`
    private func phrase(_ filter: FieldFilter) -> String {
        let plan = page.directory.plan
        return "\(filter.facet.label(in: plan)): \(filter.phrase(in: plan))"
    }
}
