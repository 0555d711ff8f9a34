import Base
import Mustache
import People
import Server

/// The bar and the line: title, menu, search, filters, place, order and view.
extension ListPage {
    /// Returns whether there are filters.
    func setForm(_ filters: CountedFilters) -> Bool {
        model.set(frame, .searchesFields, flag: !page.directory.plan.searched.isEmpty)
        setMenu()
        setSorts()
        setChips()
        setJump()
        setHidden()
        return setFilters(filters)
    }

    private func setSorts() {
        guard model.shows(frame, .sorts) else { return }
        let sorts = SortMenu(
            page.directory, sort: request.sort, unless: request.defaultSort(of: .page), layout.language)
        layout.setOptions(frame, .sorts, sorts.choices) { ($0.value, $0.label, $0.sort == request.sort) }
    }

    /// The greatest number of directories that the menu lists. More have a page of their own.
    private static let maxDirectoriesInMenu = 6

    /// Sets the links of the menu: the other directories, how to embed the list, its export, and the keys.
    private func setMenu() {
        guard model.shows(frame, .menu) else { return }
        let language = layout.language
        var items: [(label: String, write: (ByteBuffer) -> Void)] = []
        if directories.all.count > 1 {
            let others = zip(directories.all, directories.labels).filter { $0.0.id != request.directory.id }
            if others.count < Self.maxDirectoriesInMenu {
                for (directory, label) in others {
                    let isDefault = directory.id == directories.shown.id
                    items.append((label, { layout.appendHome(of: isDefault ? nil : directory, to: $0) }))
                }
            }
            items.append((language.text(.allDirectories), layout.appendDirectories))
        }
        let directory = request.isDefaultDirectory ? nil : request.directory
        if layout.configuration.isEmbeddable {
            items.append(
                (
                    language.text(.embedThisList),
                    { layout.append("/embed", of: directory, layout.linkLanguage, to: $0) }
                ))
        }
        if layout.configuration.hasExports {
            if request.directory.total <= layout.configuration.maxExcel {
                items.append((language.text(.downloadExcel), { appendExport("/export.xlsx", to: $0) }))
            }
            items.append(
                (language.text(.downloadCSV), { appendExport("/export.csv", isForSpreadsheets: true, to: $0) }))
        }
        items.append(
            (
                language.text(.keys),
                { layout.appendKeys(of: request.directory, isDefault: request.isDefaultDirectory, to: $0) }
            ))
        let rows = model.makeList(frame, .menu, of: LinkField.self, count: items.count)
        for (row, item) in zip(rows, items) {
            model.set(row, .label, item.label)
            model.write(row, .href) { item.write($0) }
        }
    }

    private func appendExport(_ path: StaticString, isForSpreadsheets: Bool = false, to buffer: ByteBuffer) {
        var list = request
        (list.view, list.theme, list.perPage, list.language) = (.list, .auto, nil, nil)
        buffer.append(utf8: layout.configuration.basePath)
        buffer.append(path)
        var query = QueryWriter(buffer)
        Links(base: "", request: list).addParameters(.first, as: .page, to: &query)
        if isForSpreadsheets { query.add("spreadsheet", 1) }
    }

    /// Each chip has a link that names everything else that is chosen, so their bytes grow with the square of their
    /// number. Nobody takes a longer selection apart value by value, and the form's boxes are still there.
    private static let maxChips = 20

    /// Sets the chosen values, each with a link to the list without it. If there are many, each filter is one chip
    /// with the number of its values.
    private func setChips() {
        guard model.shows(frame, .chips), !request.filters.isEmpty else { return }
        let plan = page.directory.plan
        let isLong = request.filters.reduce(0) { $0 + $1.texts.count } > Self.maxChips
        var chips: [(filter: String, label: String, request: PageRequest)] = []
        for (index, filter) in request.filters.enumerated() {
            let name = filter.facet.label(in: plan, layout.language)
            func add(_ label: String, _ change: (inout FieldFilter) -> Void) {
                var filters = request.filters
                change(&filters[index])
                var list = request
                list.start = .first
                list.search = Search(request.searchText ?? "", filters: filters.filter { !$0.texts.isEmpty })
                chips.append((name, label, list))
            }
            if isLong, filter.texts.count > 1 {
                add("\(name): \(layout.language.text(filter.texts.count))") { $0 = FieldFilter($0.facet, []) }
                continue
            }
            for value in filter.values {
                add(filter.facet.label(of: value, in: plan, layout.language)) { $0.values.removeAll { $0 == value } }
            }
            for range in filter.ranges {
                add("\(name) \(range.phrase(layout.language))") { $0.ranges.removeAll { $0 == range } }
            }
        }
        let rows = model.makeList(frame, .chips, of: ChipField.self, count: chips.count)
        for (row, chip) in zip(rows, chips) {
            model.set(row, .filter, chip.filter)
            model.set(row, .label, chip.label)
            model.write(row, .href) { Links(base: links.base, request: chip.request).append(.first, as: .page, to: $0) }
        }
    }

    /// The people in a list from which on a reader would rather type a number than scroll.
    private static let longList = 1000

    /// Sets the form that goes to a number. It keeps the parameters of the page.
    func setJump() {
        guard model.shows(frame, .hasJump) else { return }
        let limit = UserQuery.numberedMatches
        let total = request.search == nil ? page.total ?? 0 : min(page.total ?? limit, limit)
        guard total >= Self.longList else { return }
        model.set(frame, .hasJump, flag: true)
        model.set(frame, .jumpLimit, decimal: total)
        layout.setHidden(frame, .jumpFields, links.firstParameters)
    }

    private func setHidden() {
        guard model.shows(frame, .hidden) else { return }
        let fields: [(name: String, value: String?)] = [
            ("per_page", request.perPage.map(String.init)),
            ("directory", request.isDefaultDirectory ? nil : request.directory.slug.text),
            ("lang", request.language?.parameter?.rawValue),
        ]
        layout.setHidden(frame, .hidden, fields.compactMap { name, value in value.map { (name, $0) } })
    }

    private func setFilters(_ filters: CountedFilters) -> Bool {
        guard model.shows(frame, .facets) else { return false }
        let menus = filters.menus(page.directory.plan, layout.language)
        if menus.isEmpty { return false }
        model.set(frame, .hasFacets, flag: true)
        let chosen = request.filters.reduce(0) { $0 + $1.texts.count }
        if chosen > 0 { model.set(frame, .chosenCount, layout.language.text(chosen)) }
        let rows = model.makeList(frame, .facets, of: FacetField.self, count: menus.count)
        for (row, menu) in zip(rows, menus) {
            model.set(row, .name, menu.facet.parameterName)
            model.set(row, .label, menu.label)
            layout.setChoices(row, .options, menu.shown)
            layout.setChoices(row, .folded, menu.folded)
            if let range = menu.range {
                model.set(row, .hasRange, flag: true)
                model.set(row, .isDate, flag: range.isDate)
                model.set(row, .from, range.from)
                model.set(row, .to, range.to)
            }
            guard menu.hiddenCount > 0 else { continue }
            model.set(row, .hasMore, flag: true)
            model.set(row, .more, layout.language.text(menu.hiddenCount))
            if menu.total > FilterMenu.listedCount { setValuesLink(row, menu) }
        }
        return true
    }

    private func setValuesLink(_ row: Frame<FacetField>, _ menu: FilterMenu) {
        model.set(row, .valueCount, layout.language.text(menu.total))
        model.write(row, .valuesHref) { buffer in
            buffer.append(utf8: layout.configuration.basePath)
            buffer.append("/fields/")
            buffer.append(percentEncoding: menu.facet.key)
            var query = QueryWriter(buffer)
            Links(base: "", request: request).addParameters(.first, as: .page, to: &query)
        }
    }
}
