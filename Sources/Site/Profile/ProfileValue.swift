import Base
import People

/// A value of a ``ProfileField``, as people read it.
struct ProfileValue: Equatable {
    var text: String
    /// An http or https URL to link to.
    var href: String?
    /// The day or time in `text`, for HTML's `datetime`.
    var dateTime: String?

    init(_ text: String, href: String? = nil, dateTime: String? = nil) {
        self.text = text
        self.href = href
        self.dateTime = dateTime
    }

    /// Returns the texts for a value; none if it means nothing to a reader.
    static func all(of value: JSON.LentValue, as kind: FieldCatalog.Kind, _ language: Language) -> [ProfileValue] {
        switch kind {
        case .technical, .biography, .markup: []
        case .flag: value.bool == true ? [ProfileValue(language.text(.yes))] : []
        case .percentage: value.int64.map { [ProfileValue("\($0)%")] } ?? plain(value, language)
        case .change:
            value.int64.map { [ProfileValue(($0 > 0 ? "+" : "") + language.text(Int($0)))] } ?? plain(value, language)
        case .figure: number(value).map { [ProfileValue(language.text(Int($0)))] } ?? plain(value, language)
        case .count: value.kind == .array ? [ProfileValue(language.text(count(of: value)))] : plain(value, language)
        case .date: date(value, language).map { [$0] } ?? plain(value, language)
        case .website: (value.string?.text).flatMap(website).map { [$0] } ?? plain(value, language)
        case .twitter: (value.string?.text).flatMap(twitter).map { [$0] } ?? plain(value, language)
        case .plain: plain(value, language)
        }
    }

    private static func plain(_ value: JSON.LentValue, _ language: Language) -> [ProfileValue] {
        guard value.kind == .array else { return scalar(value, language).map { [$0] } ?? [] }
        var elements: [ProfileValue] = []
        try? JSON.forEachElement(of: value.raw) { if let element = scalar($0, language) { elements.append(element) } }
        // Words share one line. Each link has its own.
        if elements.isEmpty || elements.contains(where: { $0.href != nil }) { return elements }
        return [ProfileValue(elements.map(\.text).joined(separator: language.text(.listSeparator)))]
    }

    private static func scalar(_ value: JSON.LentValue, _ language: Language) -> ProfileValue? {
        guard let text = text(value, language), !text.isEmpty else { return nil }
        guard value.kind == .string else { return ProfileValue(text) }
        return date(value, language) ?? (text.isWebURL ? website(text) : nil) ?? ProfileValue(text)
    }

    /// Returns a value in words, with the members of objects.
    private static func text(_ value: JSON.LentValue, _ language: Language) -> String? {
        switch value.kind {
        case .null: return nil
        case .string: return value.string?.text
        case .bool: return language.text(value.bool == true ? .yes : .no)
        case .number:
            // A smaller number may be a year.
            if let number = value.int64, number.magnitude >= 10_000 { return language.text(Int(number)) }
            return String(value.raw)
        case .array:
            var parts: [String] = []
            try? JSON.forEachElement(of: value.raw) { if let part = text($0, language) { parts.append(part) } }
            return parts.joined(separator: language.text(.listSeparator))
        case .object: return objectText(value, language)
        }
    }

    /// Returns `3 gold, 7 silver`, or `street: High Street`; for a location with the URL of an API, its name.
    private static func objectText(_ object: JSON.LentValue, _ language: Language) -> String {
        var parts: [(rank: Int, text: String)] = []
        try? JSON.forEachMember(of: object.raw) { key, value in
            let key = key.text
            guard key != "url", !key.hasSuffix("_url"), let text = text(value, language), !text.isEmpty else { return }
            let number = value.int64.map { language.text(Int($0)) }
            parts.append((medals.firstIndex(of: key) ?? 3, number.map { "\($0) \(key)" } ?? "\(key): \(text)"))
            if key == "name" { parts[parts.count - 1].text = text }
        }
        return parts.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.text).joined(separator: language.text(.listSeparator))
    }

    private static let medals = ["gold", "silver", "bronze"]

    /// Returns a whole number, which is a string in tables.
    private static func number(_ value: JSON.LentValue) -> Int64? {
        value.int64 ?? (value.string?.text).flatMap { Int64($0) }
    }

    private static func count(of array: JSON.LentValue) -> Int {
        var count = 0
        try? JSON.forEachElement(of: array.raw) { _ in count += 1 }
        return count
    }
}

// MARK: - Links

extension ProfileValue {
    /// Returns a link to a website, with or without its scheme: GitHub keeps the text as typed.
    private static func website(_ text: String) -> ProfileValue? {
        guard case .link(let url, let shown) = LinkStyle.web.read(text), url.isWebURL else { return nil }
        return ProfileValue(shown, href: url)
    }

    private static func twitter(_ text: String) -> ProfileValue? {
        let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
        // Names there have at most 15 characters.
        guard (1...15).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 26 || $0 == 95 })
        else { return nil }
        return ProfileValue("@\(name)", href: "https://x.com/\(name)")
    }
}
