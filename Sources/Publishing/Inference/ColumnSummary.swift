import Base
import People

/// The common properties of a column's values.
struct ColumnSummary {
    let heading: String
    let role: FieldRole?
    private(set) var count = 0
    /// The number of people with each value of the column's type, up to ``maxValues`` values.
    private(set) var holders: [String: Int] = [:]
    /// Whether there are more values than ``maxValues``, or one of them is too long for a filter.
    private(set) var hasTooManyValues = false
    private(set) var type = FieldType.text
    private(set) var format: String?
    private(set) var separator: String?
    /// Whether the values are account names of a service, such as `@anna` in a column called GitHub.
    private var isServiceLink = false
    /// Whether a value is a JSON object.
    private(set) var hasObjects = false
    /// Whether the values are dates and none of them decides the format.
    private(set) var hasAmbiguousDates = false
    /// The number of texts that were looked at more closely, from the first to the last.
    private var sampled = 0
    /// The number of these that are an e-mail address, a phone number or an IBAN.
    private(set) var contacts = 0
    /// The number of these that are a code by which programs or offices know somebody, or a secret.
    private(set) var codes = 0
    let meaning: ColumnMeaning
    /// The publisher's field that reads the column.
    let own: FieldSettings?
    /// The key of the column's field; `nil` for a column without a field.
    var key: String?
    /// Whether the column is not shown in its sheet, one of many that its source adds, or the numbers of its rows.
    private let isUnwanted: Bool

    static let maxValues = 50
    static let maxValueBytes = 100
    private static let sample = 1_000

    /// - Parameters:
    ///   - own: The publisher's field that reads the column. Its type counts, not the one that the values suggest.
    ///   - language: The language of the headings, which decides between two notations of numbers.
    init(
        _ column: SurveyedColumn, meaning: ColumnMeaning, role: FieldRole?, own: FieldSettings?, language: String
    ) {
        heading = column.heading
        self.meaning = meaning
        self.own = own
        isUnwanted = column.isHiddenInSheet || own == nil && (column.isOther || column.isRowNumbers)
        self.role = role
        count = column.values.count
        var texts: [String] = []
        var lists: [[String]] = []
        for value in column.values {
            switch value {
            case .text(let text): texts.append(text)
            case .list(let list): lists.append(list)
            case .object: hasObjects = true
            }
        }
        if hasObjects { return }
        let sample = stride(from: 0, to: texts.count, by: max(1, texts.count / Self.sample)).map { texts[$0] }
        sampled = sample.count
        contacts = sample.count { PersonalValue.isContact($0) }
        codes = sample.count { PersonalValue.isCode($0) }
        if let chosen = own?.type {
            type = chosen
            (format, separator) = (own?.format, own?.split)
            if format == nil { inferFormat(of: texts, language) }
        } else if !lists.isEmpty {
            type = .list
        } else if !texts.isEmpty {
            inferType(of: texts, language)
        }
        countHolders(of: lists, texts)
    }

    /// Whether a column of `type` becomes a filter by default: it has few values, each of several people. A member of
    /// a list, such as `socials/0/name`, is something else for each of them.
    var isFilter: Bool {
        guard type == .text || type == .list, !hasObjects, !hasTooManyValues, !heading.contains(/\/\d+\//) else {
            return false
        }
        let total = holders.values.reduce(0, +)
        return holders.count >= 2 && total * 2 >= holders.count * 3
    }

    /// Whether the column is not stored unless the publisher names it.
    var isWithheld: Bool {
        if isUnwanted || meaning.isAccount && own == nil { return true }
        if sampled > 0, contacts * 2 >= sampled, !isServiceLink { return true }
        // An address such as `ann@intranet` may also be read as a link.
        if [.email, .phone].contains(role) { return true }
        let kinds = meaning.withheld
        if kinds.contains(.secret) { return true }
        // A column of links or photos is not withheld: `Web address`.
        if type == .link || [.photo, .website].contains(role) { return false }
        return !kinds.isEmpty || sampled > 0 && codes * 2 >= sampled
    }

    private mutating func countHolders(of lists: [[String]], _ texts: [String]) {
        for list in lists { for value in Set(list) { countHolder(of: value) } }
        guard type == .list, let separator else {
            for text in texts { countHolder(of: text) }
            return
        }
        // Splitting texts costs more than counting them.
        for text in texts where !hasTooManyValues {
            for value in Set(Self.parts(of: text, separator)) { countHolder(of: value) }
        }
    }

    private mutating func countHolder(of value: String) {
        if hasTooManyValues { return }
        if let count = holders[value] {
            holders[value] = count + 1
        } else if value.utf8.count > Self.maxValueBytes || holders.count == Self.maxValues {
            hasTooManyValues = true
        } else {
            holders[value] = 1
        }
    }
}

// MARK: - Types

extension ColumnSummary {
    /// The roles of names, ids and contacts, which decide the type.
    static let rolesWithType: Set<FieldRole> = [
        .id, .login, .name, .firstName, .lastName, .reading, .photo, .website, .email, .phone, .hidden, .noindex,
    ]

    /// Infers the notation of numbers, dates and lists whose type the publisher has chosen.
    private mutating func inferFormat(of texts: [String], _ language: String) {
        switch type {
        case .number: format = numberFormat(of: texts, language)?.format
        case .date: format = dateFormat(of: texts)?.format
        case .list: separator = separator ?? listSeparator(in: texts)
        case .text, .link, .boolean: break
        }
    }

    private mutating func inferType(of texts: [String], _ language: String) {
        if let role, Self.rolesWithType.contains(role) {
            type = role.type
        } else if isServiceLink(texts) {
            (type, isServiceLink) = (.link, true)
        } else if texts.allSatisfy(isLink) {
            type = .link
        } else if let notation = numberFormat(of: texts, language) {
            (type, format) = (.number, notation.format)
        } else if let order = dateFormat(of: texts) {
            (type, format) = (.date, order.format)
        } else if let separator = listSeparator(in: texts) {
            (type, self.separator) = (.list, separator)
        }
    }

    /// Whether the texts are account names of the service in the heading. The letter X alone is not enough.
    private func isServiceLink(_ texts: [String]) -> Bool {
        let style = LinkStyle(heading: heading)
        guard style.isService, texts.allSatisfy({ $0.withBytes { style.read($0) != .text } }) else { return false }
        return Heading.normalized(heading) != "x" || texts.contains { $0.hasPrefix("@") || $0.contains("/") }
    }

    /// Returns the notation of the numbers: `.some(nil)` without separators, `.some("plain")` if they name something.
    private func numberFormat(of texts: [String], _ language: String) -> (format: String?, Void)? {
        guard let notation = FieldNumber.format(of: texts, language) else { return nil }
        guard notation.format == nil, role != .reputation else { return notation }
        let isName = Heading.isOfIdentifiers(heading) || texts.allSatisfy(FieldNumber.isYear)
        return (isName ? FieldFormat.plain : nil, ())
    }

    private func isLink(_ text: String) -> Bool { text.withBytes { LinkStyle.isEvident($0) } }

    /// Returns the format of the dates: `.some(nil)` if they begin with the year; `nil` if the texts are not dates, or
    /// are dates that fit two formats.
    private mutating func dateFormat(of texts: [String]) -> (format: String?, Void)? {
        let isRead = { (format: String?) in
            texts.allSatisfy { text in text.withBytes { FieldDate.read($0, format) != nil } }
        }
        if isRead(nil) { return (nil, ()) }
        // Dates with full stops have the day first everywhere; with other separators the values must decide.
        let others = texts.filter { text in text.withBytes { FieldDate.Numbers($0)?.isYearFirst != true } }
        let hasStops = others.allSatisfy { text in
            text.withBytes { FieldDate.Numbers($0)?.separator == UInt8(ascii: ".") }
        }
        if hasStops { return isRead("dmy") ? ("dmy", ()) : nil }
        let orders = ["dmy", "mdy"].filter(isRead)
        hasAmbiguousDates = orders.count == 2
        return orders.count == 1 ? (orders[0], ()) : nil
    }

    /// Returns the separator of lists: a tenth of the cells contain it, and parts recur in other cells. A comma is a
    /// separator only in columns of skills, languages and tags, where parts need not recur.
    private func listSeparator(in texts: [String]) -> String? {
        let isListOfWords =
            role == .skills || role == .languages || ["tags", "tag"].contains(Heading.normalized(heading))
        if role == .about { return nil }
        for separator in (isListOfWords ? [";", "|", ","] : [";", "|"]) as [Unicode.Scalar] {
            let separated = texts.count { $0.utf8.contains(UInt8(ascii: separator)) }
            guard separated > 0, separated * 10 >= texts.count else { continue }
            let separator = String(separator)
            if isListOfWords { return separator }
            var seen: Set<String> = []
            for text in texts {
                let parts = Set(Self.parts(of: text, separator))
                if !seen.isDisjoint(with: parts) { return separator }
                seen.formUnion(parts)
            }
        }
        return nil
    }

    private static func parts(of text: String, _ separator: String) -> [String] {
        text.split(separator: separator).map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

extension FieldNumber {
    /// Returns the notation of the numbers: `.some(nil)` for plain ones; `nil` if the texts are not numbers. A leading
    /// zero or plus makes them text, and so do more digits than a number can hold.
    static func format(of texts: [String], _ language: String) -> (format: String?, Void)? {
        guard !texts.contains(where: isCode) else { return nil }
        if texts.allSatisfy({ $0.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") } }) {
            return texts.allSatisfy { isRead($0, nil) } ? (nil, ()) : nil
        }
        return notations(language).first { format in texts.allSatisfy { isRead($0, format) } }.map { ($0, ()) }
    }

    /// Whether `text` is a year that somebody may have been born or hired in.
    static func isYear(_ text: String) -> Bool { text.utf8.count == 4 && Int(text).map((1900...2099).contains) == true }

    /// Whether a text of digits is a code rather than a number, such as `007`, `+49` or a card number.
    private static func isCode(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        if digits.first == UInt8(ascii: "+") { return true }
        if digits.first == UInt8(ascii: "0"), let second = digits.dropFirst().first, second.isDigit { return true }
        return text.utf8.count(where: \.isDigit) > 15
    }

    private static func isRead(_ text: String, _ format: String?) -> Bool {
        text.withBytes { read($0, format) != nil }
    }

    /// The notations in the order in which a language prefers them.
    private static func notations(_ language: String) -> [String?] {
        switch language {
        case "de", "es": ["1.234,5", "1 234,5", nil, "1,234.5"]
        case "fr": ["1 234,5", "1.234,5", nil, "1,234.5"]
        default: [nil, "1,234.5", "1.234,5", "1 234,5"]
        }
    }
}
