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

    let filter: Filter
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

    /// - Parameters:
    ///   - choices: the values that are counted.
    ///   - folds: whether those that most people have are shown first, and others folded in, as in the form; else they
    ///     are in the order of the whole directory, so that none moves while the reader chooses.
    fileprivate init(
        _ counts: FilterCounts, _ chosen: ChosenFilter, _ choices: [Choice], _ settings: ShownSettings,
        _ language: Language, folds: Bool
    ) {
        filter = counts.filter
        label = counts.filter.label(in: settings, language)
        total = counts.values.count
        let hasRange = settings.hasRanges(filter)
        let ranges = chosen.ranges
        // Several ranges, or one beside other values, are checkboxes: two fields cannot say them.
        let isOneRange = hasRange && ranges.count == 1 && chosen.values.isEmpty
        range = hasRange ? Range(isOneRange ? ranges.first : nil, of: filter, settings) : nil
        (shown, folded) = folds ? Self.folded(choices.mostFirst) : (choices, [])
        let unknown = chosen.values.count { counts.value($0)?.value != $0 }
        hiddenCount = hasRange ? 0 : total - (shown.count - unknown)
        if !isOneRange { shown += ranges.map { Choice(text: $0.text, label: $0.phrase(language), isChosen: true) } }
    }

    /// Returns the values that the form shows and those that it folds in: a value that would find nobody with the rest.
    private static func folded(_ choices: [Choice]) -> (shown: [Choice], folded: [Choice]) {
        let isUseful = { (choice: Choice) in choice.isChosen || choice.count != 0 }
        let useful = choices.filter(isUseful)
        let (first, rest) = (useful.prefix(shownCount), useful.dropFirst(shownCount))
        let others = rest.filter { !$0.isChosen } + choices.filter { !isUseful($0) }
        return (first + rest.filter(\.isChosen), Array(others.prefix(listedCount - first.count)))
    }

    /// The values with the numbers of people in the whole directory.
    static func choices(
        _ values: some Sequence<FilterCounts.Value>, of filter: Filter, chosen: [String], _ settings: ShownSettings,
        _ language: Language
    ) -> [Choice] {
        let chosen = Set(chosen)
        return values.map { value in
            Choice(
                text: value.value, label: filter.label(of: value.value, in: settings, language),
                isChosen: chosen.contains(value.value), count: value.count)
        }
    }
}

extension [FilterMenu.Choice] {
    /// Returns the same with these numbers of people; `nil` if they are too many to count.
    func counted(_ numbers: [Int]?) -> Self {
        var choices = self
        for index in indices { choices[index].count = numbers?[index] }
        return choices
    }

    /// Those that most people have first. The sort is stable: others stay in the order of the whole directory.
    var mostFirst: Self { sorted { $0.count ?? 0 > $1.count ?? 0 } }
}

/// The filters that the form shows, with the numbers of people that a search leaves for their values. A list in a frame
/// has no form, and none of them.
struct CountedFilters {
    private typealias Counted = (counts: FilterCounts, chosen: ChosenFilter)

    /// The filters that have several values or are chosen.
    private var all: [Counted] = []
    /// Those of a search; `nil` without one: then the numbers in the whole directory are known.
    private var found: [[Int]?]?
    /// See ``FilterMenu``.
    private var limit: Int?

    init() {}

    /// The filters that the form shows. With a search, the people who have their values are counted.
    init(of request: PageRequest, in directory: Directory, from reader: SiteReader) throws {
        let chosen = request.filters.map(\.filter)
        let shown = directory.filters.filter { $0.values.count > 1 || chosen.contains($0.filter) }.map(\.filter)
        let filters = shown + chosen.filter { !shown.contains($0) }
        try self.init(filters, limit: nil, of: request, in: directory, from: reader)
    }

    /// These filters, with at most `limit` values each and those that are chosen.
    init(
        _ filters: [Filter], limit: Int?, of request: PageRequest, in directory: Directory, from reader: SiteReader
    ) throws {
        all = filters.map { (directory.counts(of: $0), request.chosen(of: $0)) }
        self.limit = limit
        guard let search = request.search, !all.isEmpty else { return }
        let counted = all.indices.map { index in
            ChosenFilter(all[index].counts.filter, values(index, directory.settings).map(\.value))
        }
        found = try reader.counts(of: counted, among: search, in: directory)
    }

    /// The values of each filter that most people have, and those that are chosen, at most `limit` of each; `nil` if
    /// they are too many to count. A filter of ranges has no values to choose from.
    func values(
        limit: Int, _ settings: ShownSettings, _ language: Language
    ) -> [(filter: Filter, values: [FilterMenu.Choice])]? {
        var all: [(filter: Filter, values: [FilterMenu.Choice])] = []
        for (index, counts) in self.all.map(\.counts).enumerated() {
            if let found, found[index] == nil { return nil }
            var choices = choices(index, settings, language).mostFirst
            var left = max(0, limit - choices.count(where: \.isChosen))
            choices = choices.filter { choice in
                if choice.isChosen { return true }
                left -= 1
                return left >= 0
            }
            all.append((counts.filter, Array(choices.prefix(limit))))
        }
        return all
    }

    func menus(_ settings: ShownSettings, _ language: Language) -> [FilterMenu] {
        all.enumerated().map { index, each in
            let choices = choices(index, settings, language)
            return FilterMenu(each.counts, each.chosen, choices, settings, language, folds: limit == nil)
        }
    }

    /// The values of a filter that are counted, with their numbers of people.
    private func choices(_ index: Int, _ settings: ShownSettings, _ language: Language) -> [FilterMenu.Choice] {
        let (counts, chosen) = all[index]
        let choices = FilterMenu.choices(
            values(index, settings), of: counts.filter, chosen: chosen.values, settings, language)
        return found.map { choices.counted($0[index]) } ?? choices
    }

    /// The values of a filter that are counted: the most frequent ones, and those that are chosen.
    private func values(_ index: Int, _ settings: ShownSettings) -> [FilterCounts.Value] {
        let (counts, chosen) = all[index]
        let values = settings.hasRanges(counts.filter) ? [] : counts.values.prefix(limit ?? FilterMenu.countedCount)
        let listed = Set(values.map(\.value))
        let missing = chosen.values.filter { !listed.contains($0) }
        return values + missing.map { counts.value($0) ?? FilterCounts.Value(value: $0, count: 0) }
    }
}

extension FilterMenu.Range {
    fileprivate init(_ range: ValueRange?, of filter: Filter, _ settings: ShownSettings) {
        isDate = settings.fields.contains { $0.key == filter.key && $0.type == .date }
        guard let range else { return }
        let ends = range.text.components(separatedBy: "..")
        (from, to) = (ends[0], ends.last ?? "")
        if isDate {
            // A year or a month stands for all its days.
            if !from.isEmpty { from = CivilTime(daysSince1970: Int(range.numbers.lowerBound)).isoDay }
            if !to.isEmpty { to = CivilTime(daysSince1970: Int(range.numbers.upperBound)).isoDay }
        }
    }
}
