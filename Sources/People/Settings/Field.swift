/// A named property of people, such as their department: its source and its presentation.
///
/// ```swift
/// Field(key: "department", source: FieldTemplate("Abteilung"), label: .text("Department"))
/// ```
public struct Field: Equatable, Sendable {
    /// The name in URLs, JSON and options: at most 40 bytes, unique in a directory. The key of a ``FieldRole``, or made
    /// from the heading.
    public let key: String
    /// The column or template that the value is read from.
    public var source: FieldTemplate
    public var type: FieldType
    /// The order of day, month and year in a date (`dmy`, `mdy`, `ymd`), or the notation of a number (`1.234,5`, or
    /// `plain` for years and the like); `nil` for ISO dates and numbers without separators.
    public var format: String?
    /// The text between the elements of a list in a table's cell; `nil` for lists that are JSON arrays.
    public var separator: String?
    public var label: FieldLabel
    /// The meaning that Rollcall knows, if any.
    public let role: FieldRole?

    /// The column of Stack Exchange's records with the type of an account.
    package static let stackExchangeType = "user_type"

    /// - Parameter role: `nil` for the one that is called `key`.
    public init(
        key: String, source: FieldTemplate, type: FieldType = .text, format: String? = nil, separator: String? = nil,
        label: FieldLabel, role: FieldRole? = nil
    ) {
        self.key = key
        self.source = source
        self.type = type
        self.format = format
        self.separator = separator
        self.label = label
        self.role = role ?? FieldRole(rawValue: key)
    }

    /// Whether the values are numbers that name something, such as years: pages do not group their digits.
    public var isPlainNumber: Bool { type == .number && format == FieldFormat.plain }
}

public enum FieldType: String, CaseIterable, Sendable {
    case text, list, number, date, link, boolean
}

/// The label of a field: one text for all languages, or one for each language.
public enum FieldLabel: Equatable, Sendable {
    case text(String)
    /// A text of Rollcall in English, which pages translate.
    case builtIn(String)
    /// By language tag (`de`).
    case byLanguage([String: String])

    /// Returns the label in the first of `languages` that has one, or else in any language.
    public func text(in languages: [String]) -> String {
        switch self {
        case .text(let text), .builtIn(let text): text
        case .byLanguage(let labels):
            languages.lazy.compactMap { labels[$0] }.first ?? labels.min { $0.key < $1.key }?.value ?? ""
        }
    }

    package var texts: [String] {
        switch self {
        case .text(let text), .builtIn(let text): [text]
        case .byLanguage(let labels): Array(labels.values)
        }
    }

    /// The label as Rollcall's own: only settings for known services and the demo infer labels.
    package var asBuiltIn: FieldLabel { if case .text(let text) = self { .builtIn(text) } else { self } }

    /// Makes a label from a heading. An identifier (`job_title`, `jobTitle`) becomes words.
    package init(heading: String) {
        let isName =
            heading.utf8.first.map { $0 &- 97 < 26 } == true
            && heading.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
        guard isName else {
            self = .text(String(heading.prefix(SettingsLimits.labelCharacters)))
            return
        }
        let words = Heading.words(heading).joined(separator: " ")
        self = .text(String((words.prefix(1).uppercased() + words.dropFirst()).prefix(SettingsLimits.labelCharacters)))
    }
}
