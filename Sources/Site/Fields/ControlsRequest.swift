import Base
import People
import Server
import Template

/// A request for the controls of a list on another site: `/fragment/find` with `controls=search,sort`,
/// `filters=KEY,KEY` and the parameters of the list. Every other parameter is an error, so that the author of a page
/// hears about a misspelled name.
struct ControlsRequest: ListResource {
    enum Control: String, CaseIterable, Sendable {
        case search, sort
    }

    /// The list that the controls choose from.
    let list: PageRequest
    let controls: [Control]
    /// In the order of the request.
    let filters: [Filter]

    /// The greatest number of filters, and of the values of each beside those that are chosen.
    static let maxFilters = 6, maxValues = 50
    /// All parameters but the filters of a directory.
    private static let names = Parameter.ofLists.union([.controls])

    init(_ routed: RoutedRequest) throws {
        var list = try routed.list(.fragment)
        try FilterParameters(routed.query, list.directory).refuseOthers(than: Self.names)
        (list.kind, list.start, list.view) = (.page, .first, .list)
        let values = try Parameters(routed.query, [.controls, .filters])
        self.list = list
        controls = try Self.controls(values[.controls] ?? "")
        filters = try Self.filters(values[.filters] ?? "", in: list.directory)
    }

    private static func controls(_ text: String) throws -> [Control] {
        let names = text.split(separator: ",").map(String.init)
        for name in names where Control(rawValue: name) == nil {
            throw HTTPError.wrongChoice("controls", Control.allCases.map(\.rawValue), name, .errorSomeOf)
        }
        return Control.allCases.filter { names.contains($0.rawValue) }
    }

    /// Returns the filters with these keys.
    private static func filters(_ text: String, in directory: Directory) throws -> [Filter] {
        var filters: [Filter] = []
        for key in text.split(separator: ",").map({ String($0).trimmed }) {
            let filter = Filter(key)
            try expect(
                directory.hasFilter(filter),
                .wrongChoice("filters", directory.filters.map(\.filter.key), key, .errorSomeOf))
            if filters.contains(filter) { continue }
            try expect(filters.count < maxFilters, .badRequest(.errorManyFilters, ["limit": "\(maxFilters)"]))
            filters.append(filter)
        }
        return filters
    }

    var hasAbsoluteLinks: Bool { list.embedding?.hasAbsoluteLinks == true }
    var language: LanguageChoice? { list.language }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/fragment/find")
        var query = QueryWriter(buffer)
        if !controls.isEmpty { query.add("controls", controls.map(\.rawValue).joined(separator: ",")) }
        if !filters.isEmpty { query.add("filters", filters.map(\.key).joined(separator: ",")) }
        Links(base: "", request: list).addParameters(.first, as: .page, to: &query)
        if let embedding = list.embedding, !embedding.isFrame { query.add("embed", embedding.rawValue) }
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> PageRequest.LoadedPage {
        var query = list.query
        query.limit = 1
        var found = PageRequest.LoadedPage(page: try reader.page(query, of: directory))
        found.filters = try CountedFilters(filters, limit: Self.maxValues, of: list, in: found.directory, from: reader)
        return found
    }

    /// Fills the fields of `find.mustache`.
    func write(_ found: PageRequest.LoadedPage, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let (layout, model) = (renderer.layout(language), renderer.model)
        let base = task.base(layout.configuration)
        let template = layout.templates.find
        let document = layout.makeDocument(for: template, about: list.linked.updated(to: found.directory))
        let frame = model.makeFrame(ControlsField.self, for: template)
        model.set(frame, .action, base + "/")
        model.set(frame, .total, decimal: found.page.total)
        model.set(frame, .hasSearch, flag: controls.contains(.search))
        model.set(frame, .q, ifAny: list.searchText)
        setFilters(frame, found, layout, base: base)
        if controls.contains(.sort) {
            model.set(frame, .hasSorts, flag: true)
            layout.setSorts(frame, .sorts, for: list, of: found.directory)
        }
        layout.setHidden(frame, .hidden, hidden)
        model.set(frame, .result, result(found, layout.language))
        template.render(frame, within: document, of: model, into: renderer.body)
        fields.append("X-Total-Count", found.page.total)
    }

    /// - Parameter base: the part before the paths of links.
    private func setFilters(
        _ frame: Frame<ControlsField>, _ found: PageRequest.LoadedPage, _ layout: Layout, base: String
    ) {
        let (model, menus) = (layout.model, found.filters.menus(found.directory.settings, layout.language))
        model.setList(frame, .filterMenus, of: FilterMenuField.self, menus) { row, menu in
            layout.setMenu(row, menu)
            model.set(row, .key, menu.filter.key)
            layout.setChoices(row, .options, menu.shown)
            let chosen = list.chosen(of: menu.filter).texts.count
            if chosen > 0 { model.set(row, .chosenCount, layout.language.text(chosen)) }
            if menu.hiddenCount > 0 { layout.setValuesLink(row, menu, list, base: base) }
        }
    }

    /// The parameters of the list that no control shows.
    private var hidden: [(name: String, value: String)] {
        let others = list.filters.filter { !filters.contains($0.filter) }
        var list = list.searching(controls.contains(.search) ? nil : list.searchText, others)
        if controls.contains(.sort) { list.sort = list.defaultSort(of: .page) }
        return list.parameters
    }

    /// `12 of 60 people`, or `60 people` for the whole list.
    private func result(_ found: PageRequest.LoadedPage, _ language: Language) -> String {
        guard list.search != nil else {
            return language.text(.peopleCount, ["count": .number(found.page.total ?? found.directory.total)])
        }
        return language.text(
            .peopleOf,
            ["count": .number(found.directory.total), "found": .text(language.text(matches: found.page.total))])
    }
}

/// `find.mustache`: the controls of a list.
enum ControlsField: Int, TemplateField {
    /// The page of the list.
    case action
    /// The number of people who match; empty if they are not counted.
    case total
    /// Whether there is a search field, and its text.
    case hasSearch, q
    /// The filters, and the orders: lists.
    case filterMenus, hasSorts, sorts
    /// Parameters without a control: a list of name and value.
    case hidden
    /// The number of people in words.
    case result

    static let kinds = FieldKinds<Self>(
        flags: [.hasSearch, .hasSorts], urls: [.action],
        lists: [.filterMenus: FilterMenuField.self, .sorts: OptionField.self, .hidden: HiddenField.self])
}
