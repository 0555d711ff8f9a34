import People
import Template

extension Layout {
    /// Sets a menu of the orders of a directory in words: `Name A–Z`, `Most commits`, `Newest`. A choice has the value
    /// of `sort`, which is empty for the order of a page without `sort`.
    func setSorts<F: TemplateField>(_ frame: Frame<F>, _ field: F, for list: PageRequest, of directory: Directory) {
        setOptions(frame, field, sorts(for: list, of: directory)) { sort in
            let value = sort == list.defaultSort(of: .page) ? "" : sort.parameter
            return (value, sort.label(in: directory.settings, language), sort == list.sort)
        }
    }

    private func sorts(for list: PageRequest, of directory: Directory) -> [Sort] {
        let settings = directory.settings
        let orders = settings.sorts.compactMap { Sort.Key($0, of: settings) }.flatMap(\.menu)
        var sorts: [Sort] = []
        // The order of the request is always among them.
        for sort in [list.defaultSort(of: .page), directory.defaultSort] + orders + [list.sort]
        where !sorts.contains(sort) {
            sorts.append(sort)
        }
        return sorts
    }
}

extension Sort.Key {
    /// The useful orders by this key. Texts from Z to A are not among them, except names.
    fileprivate var menu: [Sort] {
        switch self {
        case .name: [Sort(self), Sort(self, .descending)]
        case .field(let order) where order.field != nil && order.kind == .number:
            [Sort(self, .descending), Sort(self)]
        case .id, .login, .field, .relevance: [Sort(self)]
        }
    }

    func label(in settings: ShownSettings, _ language: Language) -> String {
        switch self {
        case .id: language.text(.orderID)
        case .login: language.text(.roleLogin)
        case .name: language.text(.name)
        case .relevance: language.text(.orderRelevance)
        case .field(let order):
            field(in: settings).map { settings.label(of: $0, language) }
                ?? language.text(order.key == "place" ? .orderListed : .roleLastName)
        }
    }

    /// The name in a sentence: the names of fields keep their capitals, but for what a service counts.
    func words(in settings: ShownSettings, _ language: Language) -> String {
        let label = label(in: settings, language)
        if let field = field(in: settings), field.role != .reputation { return label }
        // German nouns begin with a capital letter.
        return language.code == .de ? label : label.lowercased()
    }

    /// Whether this is the order by id, which may be Rollcall's own, or that of the file.
    var isAsListed: Bool { self == .id || name == "place" }

    /// The field that people are sorted by, if this is an order by one.
    fileprivate func field(in settings: ShownSettings) -> Field? {
        guard case .field(let order) = self else { return nil }
        return order.field.map { settings.fields[$0] }
    }
}

extension Sort {
    /// The value of `sort` that says key and direction.
    var parameter: String { (direction == .descending ? "-" : "") + key.name }

    fileprivate func label(in settings: ShownSettings, _ language: Language) -> String {
        let field = key.field(in: settings)
        let messages: (ascending: MessageKey, descending: MessageKey) =
            switch (key, field?.role, field?.type) {
            case (.relevance, _, _): (.orderBestMatch, .orderBestMatch)
            case _ where key.isAsListed: (.orderListed, .orderListedReversed)
            case (_, .joined, _): (.orderLongestHere, .orderNewest)
            case (_, .reputation, _): (.orderLeast, .orderMost)
            case (_, _, .number): (.orderLowest, .orderHighest)
            case (_, _, .date): (.orderOldestFirst, .orderNewestFirst)
            default: (.orderForward, .orderBackward)
            }
        let label = field?.role == .reputation ? key.words(in: settings, language) : key.label(in: settings, language)
        return language.text(
            direction == .descending ? messages.descending : messages.ascending, ["label": .text(label)])
    }
}
