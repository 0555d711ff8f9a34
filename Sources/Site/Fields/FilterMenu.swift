import Base
import Foundation
import People

/// A filter as the form shows it: the values that most people have, and those that are chosen.
struct FilterMenu {
    struct Choice {
        /// The value or the range as a parameter.
        var text: String
        var label: String
        var isChosen: Bool
        /// The number of people with the value among those that match everything else; `nil` if that is not counted.
        var count: Int?
    }

    /// The two fields of a number or a date: what they contain, as HTML takes it.
    struct Range: Equatable {
        let isDate: Bool
        var from = "", to = ""
    }

    let facet: Facet
    /// The name for people.
    let label: String
    /// `nil` for a filter whose values are listed. A filter with a range lists only values that are chosen beside it.
    let range: Range?
    /// The most frequent values that somebody has, and the chosen ones; and the values that the form folds in.
    var shown: [Choice]
    var folded: [Choice]
    /// The number of all values, and of those that are not shown.
    let total, hiddenCount: Int

    /// The numbers of values that the form shows, and lists; and of those that it counts in a search, to find the ones
    /// that most people have.
    static let shownCount = 6, listedCount = 12, countedCount = 60

    /// The values that a search counts: the most frequent ones, and those that are chosen.
    fileprivate static func counted(
        _ counts: FacetCounts, _ filter: FieldFilter?, _ plan: FieldPlan
    ) -> [FacetCounts.Value] {
        let values = plan.hasRanges(counts.facet) ? [] : counts.values.prefix(countedCount)
        let listed = Set(values.map(\.value))
        let missing = (filter?.values ?? []).filter { !listed.contains($0) }
        return values + missing.map { counts.value($0) ?? FacetCounts.Value(value: $0, count: 0) }
    }

    /// - Parameter found: the numbers of people with the values that are counted, among those that a search finds;
    ///   `.some(nil)` if these are too many to count, and `nil` without a search.
    fileprivate init(
        _ counts: FacetCounts, _ filter: FieldFilter?, _ plan: FieldPlan, _ language: Language,
        among found: [Int]?? = nil
    ) {
        facet = counts.facet
        label = counts.facet.label(in: plan, language)
        total = counts.values.count
        let hasRange = plan.hasRanges(facet)
        let ranges = filter?.ranges ?? []
        // Several ranges, or one beside other values, are checkboxes: two fields cannot say them.
        let isOneRange = hasRange && ranges.count == 1 && filter?.values.isEmpty == true
        range = hasRange ? Range(isOneRange ? ranges.first : nil, of: facet, plan) : nil
        let chosen = filter?.values ?? []
        var choices = Self.choices(Self.counted(counts, filter, plan), of: facet, chosen: chosen, plan, language)
        if let found {
            for index in choices.indices { choices[index].count = found?[index] }
            // The sort is stable: equal values stay in the order of the whole directory.
            if found != nil { choices.sort { $0.count ?? 0 > $1.count ?? 0 } }
        }
        // A value that would find nobody is folded in with the rest.
        let (useful, useless) = (
            choices.filter { $0.isChosen || $0.count != 0 }, choices.filter { !$0.isChosen && $0.count == 0 }
        )
        let (first, rest) = (useful.prefix(Self.shownCount), useful.dropFirst(Self.shownCount))
        shown = first + rest.filter(\.isChosen)
        folded = Array((rest.filter { !$0.isChosen } + useless).prefix(Self.listedCount - first.count))
        let unknown = chosen.count { counts.value($0)?.value != $0 }
        hiddenCount = hasRange ? 0 : total - (shown.count - unknown)
        if !isOneRange { shown += ranges.map { Choice(text: $0.text, label: $0.phrase(language), isChosen: true) } }
    }

    /// The values with the numbers of people in the whole directory.
    static func choices(
        _ values: some Sequence<FacetCounts.Value>, of facet: Facet, chosen: [String], _ plan: FieldPlan,
        _ language: Language
    ) -> [Choice] {
        let chosen = Set(chosen)
        return values.map { value in
            Choice(
                text: value.value, label: facet.label(of: value.value, in: plan, language),
                isChosen: chosen.contains(value.value), count: value.count)
        }
    }
}

/// The filters that the form shows, with the numbers of people that a search leaves for their values.
struct CountedFilters {
    /// No filters: a list in a frame has no form.
    static let none = CountedFilters(all: [], found: nil)

    /// The filters that have several values or are chosen.
    private let all: [(counts: FacetCounts, filter: FieldFilter?)]
    /// Those of a search; `nil` without one: then the numbers in the whole directory are known.
    private let found: [[Int]?]?

    private init(all: [(counts: FacetCounts, filter: FieldFilter?)], found: [[Int]?]?) {
        self.all = all
        self.found = found
    }

    /// - Parameter count: returns the numbers of people with the values of filters, among those that a search finds.
    init(
        of request: PageRequest, in directory: Directory,
        count: (_ filters: [FieldFilter], _ search: Search) throws -> [[Int]?]
    ) rethrows {
        let plan = directory.plan
        var all = directory.facets.compactMap { counts -> (counts: FacetCounts, filter: FieldFilter?)? in
            let chosen = request.filters.first { $0.facet == counts.facet }
            return counts.values.count > 1 || chosen != nil ? (counts, chosen) : nil
        }
        let known = Set(all.map(\.counts.facet))
        all += request.filters.filter { !known.contains($0.facet) }.map { (FacetCounts($0.facet, []), $0) }
        self.all = all
        guard let search = request.search else {
            found = nil
            return
        }
        let counted = all.map { counts, filter in
            FieldFilter(counts.facet, FilterMenu.counted(counts, filter, plan).map(\.value))
        }
        found = try count(counted, search)
    }

    func menus(_ plan: FieldPlan, _ language: Language) -> [FilterMenu] {
        all.enumerated().map { index, filter in
            FilterMenu(filter.counts, filter.filter, plan, language, among: found.map { $0[index] })
        }
    }
}

extension FilterMenu.Range {
    fileprivate init(_ range: ValueRange?, of facet: Facet, _ plan: FieldPlan) {
        isDate = plan.fields.contains { $0.key == facet.key && $0.type == .date }
        guard let range else { return }
        let ends = range.text.components(separatedBy: "..")
        (from, to) = (ends[0], ends.last ?? "")
        if isDate {
            // A year or a month stands for all its days.
            if !from.isEmpty { from = CivilTime(secondsSince1970: Int(range.numbers.lowerBound) * 86_400).isoDay }
            if !to.isEmpty { to = CivilTime(secondsSince1970: Int(range.numbers.upperBound) * 86_400).isoDay }
        }
    }
}
