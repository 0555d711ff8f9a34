import Directories
import Fields

/// A filter as the form shows it: the values that most people have, and those that are chosen.
struct FilterMenu {
    struct Choice {
        /// The value or the range as a parameter.
        var text: String
        var label: String
        var isChosen: Bool
        /// The number of people with the value among those whom everything else leaves; `nil` if that is not counted.
        var count: Int?
    }

    let facet: Facet
    /// The name for people.
    let label: String
    /// The most frequent values and the chosen ones, and the values that the form folds in.
    var shown: [Choice]
    var folded: [Choice]
    /// The number of all values, and of those that are not shown.
    let total, hiddenCount: Int

    /// The numbers of values that the form shows, and lists.
    static let shownCount = 6, listedCount = 12

    /// The filters that have several values or are chosen. `count` is asked for the numbers of people with the values
    /// of filters; without a search, those in the whole directory are known.
    static func all(
        for request: PageRequest, in directory: Directory,
        count: (_ filters: [FieldFilter], _ search: Search) throws -> [[Int]?]
    ) rethrows -> [FilterMenu] {
        let plan = directory.plan
        var menus = directory.facets.compactMap { counts -> FilterMenu? in
            let chosen = request.filters.first { $0.facet == counts.facet }
            return counts.values.count > 1 || chosen != nil ? FilterMenu(counts, chosen, plan) : nil
        }
        let known = Set(menus.map(\.facet))
        menus += request.filters.filter { !known.contains($0.facet) }.map { filter in
            FilterMenu(FacetCounts(filter.facet, []), filter, plan)
        }
        guard let search = request.search else { return menus }
        let counts = try count(menus.map(\.counted), search)
        for (index, counts) in zip(menus.indices, counts) { menus[index].set(counts) }
        return menus
    }

    private init(_ counts: FacetCounts, _ filter: FieldFilter?, _ plan: FieldPlan) {
        facet = counts.facet
        label = counts.facet.label(in: plan)
        total = counts.values.count
        let listed = counts.values.prefix(Self.listedCount)
        let chosen = filter?.values ?? []
        let missing = chosen.filter { value in !listed.contains { $0.value == value } }
        let choices = FilterMenu.choices(
            listed
                + missing.map { value in
                    counts.values.first { $0.value == value } ?? FacetCounts.Value(value: value, count: 0)
                }, of: counts.facet, chosen: chosen, plan)
        let ranges = (filter?.ranges ?? []).map { Choice(text: $0.text, label: $0.phrase, isChosen: true) }
        let (first, rest) = (choices.prefix(Self.shownCount), choices.dropFirst(Self.shownCount))
        shown = first + rest.filter(\.isChosen) + ranges
        folded = rest.filter { !$0.isChosen }
        let unknown = missing.count { value in !counts.values.contains { $0.value == value } }
        hiddenCount = total - (shown.count - ranges.count - unknown)
    }

    /// The values with the numbers of people in the whole directory.
    static func choices(
        _ values: some Sequence<FacetCounts.Value>, of facet: Facet, chosen: [String], _ plan: FieldPlan
    ) -> [Choice] {
        values.map { value in
            Choice(
                text: value.value, label: facet.label(of: value.value, in: plan),
                isChosen: chosen.contains(value.value), count: value.count)
        }
    }

    /// The values whose numbers are shown.
    private var counted: FieldFilter {
        FieldFilter(facet, (shown + folded).filter { $0.count != nil }.map(\.text))
    }

    /// Sets the numbers of the values in ``counted``.
    private mutating func set(_ counts: [Int]?) {
        var counts = (counts ?? []).makeIterator()
        for index in shown.indices where shown[index].count != nil { shown[index].count = counts.next() }
        for index in folded.indices where folded[index].count != nil { folded[index].count = counts.next() }
    }
}
