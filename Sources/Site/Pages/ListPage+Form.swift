import Bytes
import Directories
import Mustache

/// The form: search, directory, order, view and facets.
extension ListPage {
    func setForm() {
        layout.setHome(frame, .action)
        if let searchText = request.searchText { model.set(frame, .q, searchText) }
        model.set(frame, .hasSeveralDirectories, flag: directories.all.count > 1)
        layout.setDirectories(frame, .directories, directories, chosen: request.directory)
        setOrders()
        layout.setOptions(frame, .views, PageRequest.View.allCases) { ($0.rawValue, $0.label, $0 == request.view) }
        let hasFacets = setFacets()
        // Without the script, too, choosing another directory drops the values chosen for this one.
        let owner = hasFacets && directories.all.count > 1 ? page.directory.slug.text : nil
        setHidden([("per_page", request.perPage.map(String.init)), ("facets_of", owner)])
    }

    /// Sets one menu of the directory's orders, or, without settings, one of the orders that every directory has and
    /// one of the directions.
    private func setOrders() {
        guard page.directory.plan.isEmpty else {
            let menu = SortMenu(page.directory, sort: request.sort, unless: request.defaultSort(of: .page))
            return layout.setOptions(frame, .sorts, menu.choices) { ($0.value, $0.label, $0.sort == request.sort) }
        }
        model.set(frame, .hasOrders, flag: true)
        // The default has no value, so that a search that begins on this page is in the order by relevance.
        let standard = request.defaultSort(of: .page).key
        let keys = (Sort.Key.common.contains(standard) ? [] : [standard]) + Sort.Key.common
        layout.setOptions(frame, .sorts, keys) { ($0 == standard ? "" : $0.name, $0.label, $0 == request.sort.key) }
        layout.setOptions(frame, .orders, Sort.Direction.allCases) {
            ($0.rawValue, $0.label, $0 == request.sort.direction)
        }
    }

    private func setHidden(_ fields: [(name: String, value: String?)]) {
        let fields = fields.filter { $0.value != nil }
        let rows = model.makeList(frame, .hidden, of: HiddenField.self, count: fields.count)
        for (row, field) in zip(rows, fields) {
            model.set(row, .name, field.name)
            model.set(row, .value, field.value ?? "")
        }
    }

    /// The values that a reader takes in at a glance.
    private static let longMenu = 8

    /// Sets the facets that have several values, or a chosen one. Returns whether there are any.
    ///
    /// The store counts the users with a value in the whole directory. Those counts are shown only if nothing else
    /// narrows the list: other counts would take a search for each value. A long menu has none, and is in the order of
    /// the alphabet, in which a reader finds a value; the bytes of a first visit are limited, too.
    private func setFacets() -> Bool {
        let plan = page.directory.plan
        let shown = page.directory.facets.compactMap { counts in
            let chosen = request.filters.first { $0.facet == counts.facet }?.values.first
            return counts.values.count > 1 || chosen != nil ? (counts, chosen) : nil
        }
        if shown.isEmpty { return false }
        let rows = model.makeList(frame, .facets, of: FacetField.self, count: shown.count)
        for (row, (counts, chosen)) in zip(rows, shown) {
            model.set(row, .name, counts.facet.parameterName)
            model.set(row, .label, counts.facet.label(in: plan))
            var values = counts.values
            if let chosen, !values.contains(where: { $0.value == chosen }) {
                values.append(.init(value: chosen, count: 0))
            }
            let isLong = values.count > Self.longMenu
            if isLong { values.sort { $0.value.folded < $1.value.folded } }
            let isAlone = request.searchText == nil && request.filters.allSatisfy { $0.facet == counts.facet }
            let options = values.map { value in
                let label = counts.facet.label(of: value.value, in: plan)
                let count = isAlone && !isLong ? " (\(value.count.grouped))" : ""
                return (value.value, label + count, value.value == chosen)
            }
            layout.setOptions(row, .options, [("", "Any", chosen == nil)] + options) { $0 }
        }
        return true
    }
}

extension Sort.Key {
    var label: String {
        switch self {
        case .id: "ID"
        case .login: "Login"
        case .name: "Name"
        case .reputation: "Reputation"
        case .field(let order): order.key
        case .relevance: "SearchMatch"
        }
    }
}

extension Sort.Direction {
    var label: String { self == .ascending ? "Ascending" : "Descending" }
}

extension PageRequest.View {
    var label: String { self == .list ? "List" : "Grid" }
}
