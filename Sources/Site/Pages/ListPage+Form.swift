import Bytes
import Directories
import HTTP
import Mustache

/// The form: search, directory, filters, order and view.
extension ListPage {
    func setForm(_ menus: [FilterMenu]) {
        layout.setHome(frame, .action)
        if let searchText = request.searchText { model.set(frame, .q, searchText) }
        model.set(frame, .hasSeveralDirectories, flag: directories.all.count > 1)
        layout.setDirectories(frame, .directories, directories, chosen: request.directory)
        setOrders()
        layout.setOptions(frame, .views, PageRequest.View.allCases) { ($0.rawValue, $0.label, $0 == request.view) }
        setFilters(menus)
        // Without the script, too, choosing another directory drops the values chosen for this one.
        let owner = !menus.isEmpty && directories.all.count > 1 ? page.directory.slug.text : nil
        setJump()
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

    /// The people in a list from which on a reader would rather type a number than scroll.
    private static let longList = 1000

    /// Sets the form that goes to a number. It keeps the parameters of the page.
    func setJump() {
        let limit = UserQuery.numberedMatches
        let total = request.search == nil ? page.total ?? 0 : min(page.total ?? limit, limit)
        guard total >= Self.longList else { return }
        model.set(frame, .hasJump, flag: true)
        model.set(frame, .jumpLimit, decimal: total)
        let link = ByteBuffer(capacity: 256)
        links.appendFirst(.page, to: link)
        let parameters = link.bytes.queryItems
        let rows = model.makeList(frame, .jumpFields, of: HiddenField.self, count: parameters.count)
        for (row, parameter) in zip(rows, parameters) {
            model.set(row, .name, parameter.name)
            model.set(row, .value, parameter.value)
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

    private func setFilters(_ menus: [FilterMenu]) {
        if menus.isEmpty { return }
        model.set(frame, .hasFacets, flag: true)
        let chosen = request.filters.reduce(0) { $0 + $1.texts.count }
        if chosen > 0 { model.set(frame, .chosenCount, decimal: chosen) }
        let rows = model.makeList(frame, .facets, of: FacetField.self, count: menus.count)
        for (row, menu) in zip(rows, menus) {
            model.set(row, .name, menu.facet.parameterName)
            model.set(row, .label, menu.label)
            layout.setChoices(row, .options, menu.shown)
            layout.setChoices(row, .folded, menu.folded)
            guard menu.hiddenCount > 0 else { continue }
            model.set(row, .hasMore, flag: true)
            model.set(row, .more, decimal: menu.hiddenCount)
            if menu.total > FilterMenu.listedCount { setValuesLink(row, menu) }
        }
    }

    private func setValuesLink(_ row: Frame<FacetField>, _ menu: FilterMenu) {
        model.set(row, .valueCount, decimal: menu.total)
        model.write(row, .valuesHref) { buffer in
            buffer.append(utf8: layout.configuration.basePath)
            buffer.append("/fields/")
            buffer.append(percentEncoding: menu.facet.key)
            var query = QueryWriter(buffer)
            var list = request
            list.start = .first
            for (name, value) in list.parameters { query.add(name, value) }
        }
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
        case .relevance: "Relevance"
        }
    }
}

extension Sort.Direction {
    var label: String { self == .ascending ? "Ascending" : "Descending" }
}

extension PageRequest.View {
    var label: String { self == .list ? "List" : "Grid" }
}

extension UnsafeRawBufferPointer {
    /// The decoded parameters of a URL of this site.
    fileprivate var queryItems: [(name: String, value: String)] {
        guard let start = firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let scratch = ByteBuffer(capacity: 256)
        var items: [(String, String)] = []
        forEachQueryItem(in: UnsafeRawBufferPointer(rebasing: self[(start + 1)...])) { name, value in
            guard let name = scratch.decodedText(name, plusIsSpace: true),
                let value = scratch.decodedText(value, plusIsSpace: true)
            else { return }
            items.append((name, value))
        }
        return items
    }
}
