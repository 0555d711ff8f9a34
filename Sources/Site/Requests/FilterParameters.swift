import Base
import People
import Template

/// The filters in a query: `department=Sales&department=Marketing`, or `f.page=3` for a field whose key is the name of
/// another parameter. Users with any of the values of a field are found. The ends of one range of numbers or dates may
/// also be parameters of their own, as forms send them: `joined.from=2020&joined.to=2021`.
struct FilterParameters {
    private let query: QueryItems
    private let directory: Directory

    init(_ query: QueryItems, _ directory: Directory) { (self.query, self.directory) = (query, directory) }

    /// Names of parameters of this site and of the compatible APIs. A filter of such a key has the prefix `f.`.
    static let reserved = Set(
        Parameter.allCases.map(\.rawValue) + [
            "page", "pagesize", "ids", "site", "filter", "name", "inname", "min", "fromdate", "todate",
        ])

    /// The greatest number of values and ranges of one field. Each costs a look-up in the index, and a request line has
    /// room for thousands.
    static let maxValues = 400

    /// Returns the filters in the order in which the directory shows them, with those that only have ranges last. Each
    /// has its values in one order, so that equal filters are equal.
    ///
    /// Empty values are ignored, as forms send them. Throws an ``HTTPError`` for a field that is not a filter, with the
    /// same message for private and missing fields, and for too many values.
    func filters() throws -> [ChosenFilter] {
        var found: [ChosenFilter] = []
        func index(of filter: Filter) -> Int {
            if let index = found.firstIndex(where: { $0.filter == filter }) { return index }
            found.append(ChosenFilter(filter, []))
            return found.count - 1
        }
        var ends: [(filter: Filter, name: String, ends: RangeEnds)] = []
        for item in query.all where !Self.reserved.contains(item.name) {
            let name = item.name
            if let (filter, end) = rangeEnd(name) {
                guard let text = try Self.text(item) else { continue }
                let index = ends.firstIndex { $0.filter == filter } ?? ends.count
                if index == ends.count { ends.append((filter, String(name.dropLast(end.suffix.count)), [:])) }
                let earlier = ends[index].ends.updateValue(text, forKey: end)
                try expect(earlier == nil, .badRequest("\(name): given more than once; it takes one value"))
            } else if let filter = try filter(name), let text = try Self.text(item) {
                try found[index(of: filter)].add(text, of: name, in: directory)
            }
        }
        for (filter, name, ends) in ends {
            try found[index(of: filter)].add(ends, of: name, in: directory)
        }
        let shown = directory.filters.map(\.filter)
        let rank = { (filter: Filter) in (shown.firstIndex(of: filter) ?? shown.count, filter.key) }
        return found.sorted { rank($0.filter) < rank($1.filter) }.map(\.canonical)
    }

    /// Throws an ``HTTPError`` for a parameter that is neither one of `names` nor a filter of the directory, for
    /// programs whose authors want to hear of a misspelled name. Pages ignore such parameters.
    func refuseOthers(than names: Set<Parameter>) throws {
        for name in query.all.map(\.name) {
            let isKnown = Parameter(rawValue: name).map(names.contains) ?? false
            try expect(isKnown || isFilter(name), error(.errorUnknownFilter, unlessNone: .errorUnknown, name))
        }
    }

    /// How many unknown names are looked at: nobody misspells more, and a long request must not cost much.
    private static let maxUnknownNames = 8

    /// Throws an ``HTTPError`` for a parameter whose name is nearly a filter's, for readers: without the filter they
    /// would see everyone. Other unknown names are ignored, and so are those that other sites add to links to count
    /// clicks.
    func refuseMisspelled() throws {
        let unknown = try query.all.lazy.map(\.name).filter { name in
            try !Self.reserved.contains(name) && !Self.isOfTracker(name) && !isFilter(name)
        }
        let names = directory.filters.map(\.filter.parameterName)
        // One edit away, or two if it has eight letters.
        let limit = { (known: String) in known.unicodeScalars.count < 8 ? 1 : 2 }
        for name in unknown.prefix(Self.maxUnknownNames) {
            guard let nearest = names.nearest(to: name, atMost: limit) else { continue }
            var error = error(.errorFilter, unlessNone: .errorNoFilter, name)
            error.misspelled = MisspelledName(name: name, nearest: nearest)
            throw error
        }
    }

    /// The names that mailings and advertisements add to links.
    private static let trackers: Set<String> = [
        "_ga", "_gl", "_hsenc", "_hsmi", "dclid", "fbclid", "gad_source", "gbraid", "gclid", "gclsrc", "igsh", "igshid",
        "li_fat_id", "mc_cid", "mc_eid", "msclkid", "ref", "s_cid", "si", "srsltid", "ttclid", "twclid", "wbraid",
        "yclid",
    ]

    private static func isOfTracker(_ name: String) -> Bool {
        trackers.contains(name) || ["utm_", "hsa_", "mtm_", "pk_"].contains { name.hasPrefix($0) }
    }

    /// Returns the error for a parameter that names no filter. It names the filters of the directory, or has the
    /// message `none` if there are none.
    private func error(_ key: MessageKey, unlessNone none: MessageKey, _ name: String) -> HTTPError {
        let choices = directory.filters.map(\.filter.parameterName)
        if choices.isEmpty { return .badRequest(none, ["name": name.excerpt]) }
        return .badRequest(key, ["name": name.excerpt, "choices": choices.joined(separator: ", ")])
    }

    private func isFilter(_ name: String) throws -> Bool {
        try !Self.reserved.contains(name) && (rangeEnd(name) != nil || filter(name) != nil)
    }

    /// Returns the filter that a parameter names, or `nil` if the parameter is not a filter.
    private func filter(_ name: String) throws -> Filter? {
        let filter = Filter(parameter: name)
        if directory.hasFilter(filter) { return filter }
        // Clients ask every directory for types of accounts: one without that filter ignores it.
        let isField = directory.settings.fields.contains { $0.key == filter.key && $0.role != .type }
        try expect(filter.key == name && !isField, error(.errorFilter, unlessNone: .errorNoFilter, name))
        return nil
    }

    /// Returns the range and the end that a parameter names (`joined.from`), or `nil` for any other parameter.
    private func rangeEnd(_ name: String) -> (Filter, RangeEnd)? {
        guard let end = RangeEnd.allCases.first(where: { name.hasSuffix($0.suffix) }) else { return nil }
        let filter = Filter(parameter: name.dropLast(end.suffix.count))
        return directory.settings.hasRanges(filter) ? (filter, end) : nil
    }

    /// Returns the text of a value, or `nil` if it is empty.
    private static func text(_ item: QueryItems.Item) throws -> String? {
        let text = try QueryItems.text(of: item)
        return text.isEmpty ? nil : try Search.checked(text, of: item.name)
    }
}

/// An end of a range that is a parameter of its own.
enum RangeEnd: String, CaseIterable {
    case from, to

    /// The end of its parameter's name, which follows the name of the filter's parameter.
    var suffix: String { "." + rawValue }
}

typealias RangeEnds = [RangeEnd: String]

extension ChosenFilter {
    /// Adds the range between two ends. One of them may be missing. The later end may come first.
    fileprivate mutating func add(_ ends: RangeEnds, of name: String, in directory: Directory) throws {
        let (first, last) = (ends[.from] ?? "", ends[.to] ?? "")
        let texts = [first + ".." + last, last + ".." + first]
        try add(firstRangeOf: texts, of: ends.keys.map { name + $0.suffix }.sorted(), in: directory.settings)
        try checkCount(name)
    }

    /// Adds a value or a range: a value as it is spelled in the directory, or else, for a number or a date, a range, or
    /// else a text that no user has.
    fileprivate mutating func add(_ text: String, of name: String, in directory: Directory) throws {
        let known = directory.filters.first { $0.filter == filter }?.value(text, isLoose: true)
        if known == nil, directory.settings.hasRanges(filter) {
            try add(firstRangeOf: [text], of: [name], in: directory.settings)
        } else {
            values.append(known?.value ?? text)
        }
        try checkCount(name)
    }

    private mutating func add(firstRangeOf texts: [String], of names: [String], in settings: ShownSettings) throws {
        let (filter, names) = (filter, names.joined(separator: ", "))
        let range = try required(
            texts.lazy.compactMap { ValueRange($0, of: filter, in: settings) }.first,
            .badRequest(
                "\(names): expected \(ValueRange.expectation(of: filter, in: settings)), found “\(texts[0].excerpt)”"))
        ranges.append(range)
    }

    private func checkCount(_ name: String) throws {
        let limit = FilterParameters.maxValues
        try expect(
            values.count + ranges.count <= limit, .badRequest(.errorTooMany, ["name": name, "limit": "\(limit)"]))
    }

    /// The same filter with each value once, in the order of their texts, and with the ranges that overlap joined.
    fileprivate var canonical: ChosenFilter {
        ChosenFilter(filter, Set(values).sorted(), ranges: ranges.joined)
    }

    /// The values and ranges for people: `Sales or Marketing`.
    func phrase(in settings: ShownSettings, _ language: Language) -> String {
        let texts = values.map { filter.label(of: $0, in: settings, language) } + ranges.map { $0.phrase(language) }
        return texts.joined(separator: language.text(.orSeparator))
    }

    /// The filter without its name, for titles: `Sales or Marketing`, but `Joined 2020 to 2021`.
    func title(in settings: ShownSettings, _ language: Language) -> String {
        let phrase = phrase(in: settings, language)
        return ranges.isEmpty ? phrase : "\(filter.label(in: settings, language)) \(phrase)"
    }
}

extension ValueRange {
    /// The range for people: `2020 to 2021`.
    func phrase(_ language: Language) -> String {
        guard let dots = text.firstRange(of: "..") else { return text }
        let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
        if first.isEmpty { return language.text(.rangeUpTo, ["last": .text(String(last))]) }
        if last.isEmpty { return language.text(.rangeSince, ["first": .text(String(first))]) }
        return language.text(.rangeBetween, ["first": .text(String(first)), "last": .text(String(last))])
    }
}

extension Directory {
    /// The values of a filter; none of one that only has ranges.
    func counts(of filter: Filter) -> FilterCounts {
        filters.first { $0.filter == filter } ?? FilterCounts(filter, [])
    }

    /// Whether people can be filtered so. Numbers and dates without listed values are filters, too.
    func hasFilter(_ filter: Filter) -> Bool {
        filters.contains { $0.filter == filter } || settings.hasRanges(filter)
    }
}

extension Filter {
    /// The name of the parameter in links and forms.
    var parameterName: String { FilterParameters.reserved.contains(key) ? "f." + key : key }

    /// Appends the path of the page of its values.
    func appendPath(below base: String, to buffer: ByteBuffer) {
        buffer.append(utf8: base)
        buffer.append("/fields/")
        buffer.append(percentEncoding: key)
    }

    /// The filter of a parameter, whose name may have the prefix or not.
    fileprivate init(parameter name: some StringProtocol) {
        self.init(String(name.hasPrefix("f.") ? name.dropFirst(2) : name[...]))
    }

    func label(in settings: ShownSettings, _ language: Language) -> String {
        settings.fields.first { $0.key == key }.map { settings.label(of: $0, language) } ?? key
    }

    /// A value for people: `Yes` for a boolean's `true`, and words for the types of accounts.
    func label(of value: String, in settings: ShownSettings, _ language: Language) -> String {
        if key == FieldRole.type.rawValue { return language.text(accountType: value) }
        switch (settings.fields.first { $0.key == key }?.type, value) {
        case (.boolean, "true"): return language.text(.yes)
        case (.boolean, "false"): return language.text(.no)
        default: return value
        }
    }
}
