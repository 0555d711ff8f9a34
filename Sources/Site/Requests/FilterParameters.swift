import Base
import People
import Server

/// The filters in a query: `department=Sales&department=Marketing`, or `f.page=3` for a field whose key is the name of
/// another parameter. Users with any of the values of a field are found. The ends of one range of numbers or dates may
/// also be parameters of their own, as forms send them: `joined.from=2020&joined.to=2021`.
struct FilterParameters {
    /// In the order in which the directory shows its filters, with those that only have ranges last. Each has its
    /// values in one order, so that equal filters are equal.
    let filters: [FieldFilter]

    /// Names of parameters of this site and of the compatible APIs.
    static let reserved: Set<String> = [
        "since", "before", "at", "letter", "per_page", "q", "sort", "order", "directory", "view", "fields", "lang",
        "theme", "layout", "proof", "embed", "facets_of", "columns", "max", "size", "page", "pagesize", "id", "ids",
        "site", "filter", "name", "find", "inname", "min", "fromdate", "todate", "seen",
        "seen_total",
    ]

    /// The greatest number of values and ranges of one field. Each costs a look-up in the index, and a request line has
    /// room for thousands.
    static let maxValues = 400

    /// Empty values are ignored, as forms send them. Throws an ``HTTPError`` for a field that is not a filter, with the
    /// same message for private and missing fields, and for too many values.
    init(_ query: QueryItems, _ directory: Directory) throws {
        var found: [FieldFilter] = []
        var ends: [(facet: Facet, name: String, ends: RangeEnds)] = []
        for item in query.all where !Self.reserved.contains(item.name) {
            let name = item.name
            if let (facet, end) = Self.rangeEnd(name, in: directory) {
                guard let text = try Self.text(item) else { continue }
                let index = ends.firstIndex { $0.facet == facet } ?? ends.count
                if index == ends.count { ends.append((facet, String(name.dropLast(end.suffix.count)), [:])) }
                if ends[index].ends.updateValue(text, forKey: end) != nil {
                    throw HTTPError.badRequest("\(name): given more than once; it takes one value")
                }
            } else if let facet = try Self.facet(name, in: directory), let text = try Self.text(item) {
                let index = found.firstIndex { $0.facet == facet } ?? found.count
                if index == found.count { found.append(FieldFilter(facet, [])) }
                try found[index].add(text, of: name, in: directory)
            }
        }
        for (facet, name, ends) in ends {
            let index = found.firstIndex { $0.facet == facet } ?? found.count
            if index == found.count { found.append(FieldFilter(facet, [])) }
            try found[index].add(ends, of: name, in: directory)
        }
        let shown = directory.facets.map(\.facet)
        filters = found.enumerated().sorted { left, right in
            (shown.firstIndex(of: left.element.facet) ?? shown.count, left.element.facet.key)
                < (shown.firstIndex(of: right.element.facet) ?? shown.count, right.element.facet.key)
        }.map(\.element.canonical)
    }

    /// Returns the filter that a parameter names, or `nil` if the parameter is not a filter.
    private static func facet(_ name: String, in directory: Directory) throws -> Facet? {
        let isPrefixed = name.hasPrefix("f.")
        let facet = Facet(isPrefixed ? String(name.dropFirst(2)) : name)
        if directory.facets.contains(where: { $0.facet == facet }) || directory.plan.hasRanges(facet) { return facet }
        let isField = directory.plan.fields.contains { $0.key == facet.key && $0.visibility == .public }
        guard isPrefixed || isField else { return nil }
        let names = directory.facets.map(\.facet.parameterName)
        if names.isEmpty { throw HTTPError.badRequest(.errorNoFilter, ["name": name.excerpt]) }
        throw HTTPError.badRequest(
            .errorFilter, ["name": name.excerpt, "choices": names.joined(separator: ", ")])
    }

    /// Returns the range and the end that a parameter names (`joined.from`), or `nil` for any other parameter.
    private static func rangeEnd(_ name: String, in directory: Directory) -> (Facet, RangeEnd)? {
        guard let end = RangeEnd.allCases.first(where: { name.hasSuffix($0.suffix) }) else { return nil }
        let key = name.dropLast(end.suffix.count)
        let facet = Facet(String(key.hasPrefix("f.") ? key.dropFirst(2) : key))
        return directory.plan.hasRanges(facet) ? (facet, end) : nil
    }

    /// Returns the text of a value, or `nil` if it is empty.
    private static func text(_ item: QueryItems.Item) throws -> String? {
        guard let text = item.value else { throw HTTPError.badRequest(.errorNotText, ["name": item.name]) }
        guard text.utf8.count <= SearchText.maxBytes else {
            throw HTTPError.badRequest(
                .errorTooLong,
                ["name": item.name, "limit": "\(SearchText.maxBytes)", "found": "\(text.utf8.count)"])
        }
        return text.isEmpty ? nil : text
    }
}

/// An end of a range that is a parameter of its own.
enum RangeEnd: String, CaseIterable {
    case from, to

    /// The end of its parameter's name, which follows the name of the filter's parameter.
    var suffix: String { "." + rawValue }
}

typealias RangeEnds = [RangeEnd: String]

extension FieldFilter {
    /// Adds the range between two ends. One of them may be missing. The later end may come first.
    fileprivate mutating func add(_ ends: RangeEnds, of name: String, in directory: Directory) throws {
        let (first, last) = (ends[.from] ?? "", ends[.to] ?? "")
        let texts = [first + ".." + last] + (first.isEmpty || last.isEmpty ? [] : [last + ".." + first])
        let facet = facet
        guard let range = texts.lazy.compactMap({ ValueRange($0, of: facet, in: directory.plan) }).first else {
            let names = ends.keys.map { name + $0.suffix }.sorted().joined(separator: ", ")
            let expected = ValueRange.expectation(of: facet, in: directory.plan)
            throw HTTPError.badRequest("\(names): expected \(expected), found “\(texts[0].excerpt)”")
        }
        try add(range, of: name)
    }

    /// Adds a value or a range: a value as it is spelled in the directory, or else, for a number or a date, a range, or
    /// else a text that no user has.
    fileprivate mutating func add(_ text: String, of name: String, in directory: Directory) throws {
        let known = directory.facets.first { $0.facet == facet }?.value(text, isLoose: true)
        if known == nil, directory.plan.hasRanges(facet) {
            guard let range = ValueRange(text, of: facet, in: directory.plan) else {
                let expected = ValueRange.expectation(of: facet, in: directory.plan)
                throw HTTPError.badRequest("\(name): expected \(expected), found “\(text.excerpt)”")
            }
            return try add(range, of: name)
        }
        values.append(known?.value ?? text)
        try checkCount(name)
    }

    private mutating func add(_ range: ValueRange, of name: String) throws {
        ranges.append(range)
        try checkCount(name)
    }

    private func checkCount(_ name: String) throws {
        let limit = FilterParameters.maxValues
        guard values.count + ranges.count > limit else { return }
        throw HTTPError.badRequest(.errorTooMany, ["name": name, "limit": "\(limit)"])
    }

    /// The same filter with each value once, in the order of their texts, and with the ranges that overlap joined.
    fileprivate var canonical: FieldFilter {
        FieldFilter(facet, Set(values).sorted(), ranges: ranges.joined)
    }

    /// The values and ranges for people: `Sales or Marketing`.
    func phrase(in plan: FieldPlan, _ language: Language) -> String {
        let texts = values.map { facet.label(of: $0, in: plan, language) } + ranges.map { $0.phrase(language) }
        return texts.joined(separator: language.text(.orSeparator))
    }

    /// The filter without its name, for titles: `Sales or Marketing`, but `Joined 2020 to 2021`.
    func title(in plan: FieldPlan, _ language: Language) -> String {
        let phrase = phrase(in: plan, language)
        return ranges.isEmpty ? phrase : "\(facet.label(in: plan, language)) \(phrase)"
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

extension Facet {
    /// The name of the parameter in links and forms.
    var parameterName: String { FilterParameters.reserved.contains(key) ? "f." + key : key }

    /// The name for people.
    func label(in plan: FieldPlan, _ language: Language) -> String {
        if let field = plan.fields.first(where: { $0.key == key }) { return plan.label(of: field, language) }
        return switch self {
        case .type, .userType: language.text(.roleType)
        case .status: language.text(.fieldStatus)
        case .species: language.text(.fieldSpecies)
        case .gender: language.text(.fieldGender)
        case Facet(FieldRole.reputation.rawValue): Sort.Key.reputation.label(in: plan, language)
        default: key
        }
    }

    /// A value for people: `Yes` for a boolean's `true`, words for the types of accounts, and a capital letter for
    /// values of the services.
    func label(of value: String, in plan: FieldPlan, _ language: Language) -> String {
        if key == FieldRole.type.rawValue { return language.text(accountType: value) }
        guard let field = plan.fields.first(where: { $0.key == key }) else {
            return Facet.ofShapes.contains(self) ? value.prefix(1).uppercased() + value.dropFirst() : value
        }
        guard field.type == .boolean else { return value }
        return value == "true" ? language.text(.yes) : value == "false" ? language.text(.no) : value
    }
}
