import Base
import People
import Template

/// The bar and the line: title, menu, search, filters, place, order and view.
extension ListPage {
    /// Returns whether there are filters.
    func setForm(_ filters: CountedFilters) -> Bool {
        model.set(frame, .searchesFields, flag: !page.directory.settings.searched.isEmpty)
        setMenu()
        layout.setSorts(frame, .sorts, for: request, of: page.directory)
        setChips()
        setJump()
        layout.setHidden(frame, .hidden, hiddenParameters)
        return setFilters(filters)
    }

    /// The greatest number of directories that the menu lists. More have a page of their own.
    private static let maxDirectoriesInMenu = 6

    private func setMenu() {
        model.setList(frame, .menu, of: LinkField.self, menuItems) { row, item in
            model.set(row, .label, item.label)
            model.write(row, .href, item.write)
        }
    }

    /// The links of the menu: the other directories, how to embed the list, its export, and the keys.
    private var menuItems: [(label: String, write: (ByteBuffer) -> Void)] {
        let (layout, language) = (layout, layout.language)
        var items: [(label: String, write: (ByteBuffer) -> Void)] = []
        if directories.all.count > 1 {
            let others = zip(directories.all, directories.labels).filter { $0.0.id != request.directory.id }
            if others.count < Self.maxDirectoriesInMenu {
                for (directory, label) in others {
                    let linked = directories.linked(directory)
                    items.append((label, { layout.appendHome(of: linked, to: $0) }))
                }
            }
            items.append((language.text(.allDirectories), layout.appendDirectories))
        }
        let linked = request.linked
        for offer in layout.offers(of: request.directory) {
            items.append((language.text(offer.label), { layout.append(offer, of: self.request, to: $0) }))
        }
        items.append((language.text(.keys), { layout.appendKeys(of: linked, to: $0) }))
        return items
    }

    /// Each chip has a link that names everything else that is chosen, so their bytes grow with the square of their
    /// number. Nobody takes a longer selection apart value by value, and the form's boxes are still there.
    private static let maxChips = 20

    private func setChips() {
        model.setList(frame, .chips, of: ChipField.self, chips) { row, chip in
            model.set(row, .filter, chip.filter)
            model.set(row, .label, chip.label)
            model.write(row, .href) { Links(base: links.base, request: chip.request).append(.first, as: .page, to: $0) }
        }
    }

    /// The chosen values, each with the list without it. If there are many, each filter is one chip with the number of
    /// its values.
    private var chips: [(filter: String, label: String, request: PageRequest)] {
        let settings = page.directory.settings
        let isLong = request.chosenCount > Self.maxChips
        var chips: [(filter: String, label: String, request: PageRequest)] = []
        for (index, chosen) in request.filters.enumerated() {
            let name = chosen.filter.label(in: settings, layout.language)
            func add(_ label: String, _ change: (inout ChosenFilter) -> Void) {
                var filters = request.filters
                change(&filters[index])
                let list = request.searching(request.searchText, filters.filter { !$0.texts.isEmpty })
                chips.append((name, label, list))
            }
            if isLong, chosen.texts.count > 1 {
                add("\(name): \(layout.language.text(chosen.texts.count))") { $0 = ChosenFilter($0.filter, []) }
                continue
            }
            for value in chosen.values {
                add(chosen.filter.label(of: value, in: settings, layout.language)) {
                    $0.values.removeAll { $0 == value }
                }
            }
            for range in chosen.ranges {
                add("\(name) \(range.phrase(layout.language))") { $0.ranges.removeAll { $0 == range } }
            }
        }
        return chips
    }

    /// The people in a list from which on a reader would rather type a number than scroll.
    private static let longList = 1000

    /// Sets the form that goes to a number. It keeps the parameters of the page.
    func setJump() {
        guard model.shows(frame, .hasJump) else { return }
        let total = page.numberedTotal(of: request.search)
        guard total >= Self.longList else { return }
        model.set(frame, .hasJump, flag: true)
        model.set(frame, .jumpLimit, decimal: total)
        layout.setHidden(frame, .jumpFields, request.parameters)
    }

    /// The parameters that the form has no control for.
    private var hiddenParameters: [(name: String, value: String)] {
        var whole = PageRequest(of: request.linked, request.language)
        whole.perPage = request.perPage
        return whole.parameters
    }

    private func setFilters(_ filters: CountedFilters) -> Bool {
        guard model.shows(frame, .filterMenus) else { return false }
        let menus = filters.menus(page.directory.settings, layout.language)
        if menus.isEmpty { return false }
        model.set(frame, .hasFilters, flag: true)
        let chosen = request.chosenCount
        if chosen > 0 { model.set(frame, .chosenCount, layout.language.text(chosen)) }
        model.setList(frame, .filterMenus, of: FilterMenuField.self, menus) { row, menu in
            layout.setMenu(row, menu)
            layout.setChoices(row, .options, menu.shown)
            layout.setChoices(row, .folded, menu.folded)
            guard menu.hiddenCount > 0 else { return }
            model.set(row, .hasMore, flag: true)
            // If no value would find anybody, all are folded in, and "more" would be more than none.
            if menu.shown.isEmpty {
                model.set(row, .valueCount, layout.language.text(menu.total))
            } else {
                model.set(row, .more, layout.language.text(menu.hiddenCount))
            }
            if menu.total > FilterMenu.listedCount {
                layout.setValuesLink(row, menu, request, base: layout.configuration.basePath)
            }
        }
        return true
    }
}

extension Layout {
    /// Sets the names of a filter, and the ends of its range.
    func setMenu(_ row: Frame<FilterMenuField>, _ menu: FilterMenu) {
        model.set(row, .name, menu.filter.parameterName)
        model.set(row, .label, menu.label)
        guard let range = menu.range else { return }
        model.set(row, .hasRange, flag: true)
        model.set(row, .isDate, flag: range.isDate)
        model.set(row, .from, range.from)
        model.set(row, .to, range.to)
    }

    /// Sets the link to the page of all values of a filter.
    func setValuesLink(_ row: Frame<FilterMenuField>, _ menu: FilterMenu, _ request: PageRequest, base: String) {
        model.set(row, .valueCount, language.text(menu.total))
        model.write(row, .valuesHref) { buffer in
            menu.filter.appendPath(below: base, to: buffer)
            var query = QueryWriter(buffer)
            Links(base: "", request: request).addParameters(.first, as: .page, to: &query)
        }
    }
}
