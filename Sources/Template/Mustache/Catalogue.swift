/// The texts of one language by key, which `{{@key}}` inserts.
///
/// A text is itself a template, without partials and other messages: it is compiled where its tag is, so it may insert
/// the fields that are visible there, in the order that the language asks for. It is trusted like a template.
public struct Catalogue: Sendable {
    /// The name of the file, for error messages.
    public let fileName: String
    public let messages: [String: Message]

    public init(fileName: String = "no catalogue", _ messages: [String: Message] = [:]) {
        self.fileName = fileName
        self.messages = messages
    }

    public subscript(key: String) -> Message? { messages[key] }
}

/// A text of a ``Catalogue``.
public enum Message: Equatable, Sendable {
    case text([UInt8])
    /// One text for each category of numbers that the language has.
    case forms(PluralForms)
}

/// The texts of a message for the categories of one language.
public struct PluralForms: Equatable, Sendable {
    /// The text for all categories without one of their own.
    public let other: [UInt8]
    private let forms: [PluralCategory: [UInt8]]

    public init(other: [UInt8], _ forms: [PluralCategory: [UInt8]]) {
        self.other = other
        self.forms = forms
    }

    public subscript(category: PluralCategory) -> [UInt8] { forms[category] ?? other }

    /// The categories that have a text of their own besides `other`.
    public var categories: [PluralCategory] { PluralCategory.allCases.filter { forms[$0] != nil } }

    /// The texts as a JSON object in an attribute, for a script that knows the number.
    var asJSON: [UInt8] {
        let members = (categories + [.other]).map { category in
            "\"\(category)\":\"\(String(decoding: self[category], as: UTF8.self).replacing("\"", with: "\\\""))\""
        }
        return Array("{\(members.joined(separator: ","))}".replacing("\"", with: "&quot;").utf8)
    }

    /// Each text with the categories that it is for.
    var choices: [(categories: PluralCategories, text: [UInt8])] {
        let own = categories
        let rest = PluralCategory.allCases.filter { !own.contains($0) }
        return own.map { (PluralCategories([$0]), self[$0]) } + [(PluralCategories(rest), other)]
    }
}

/// A category of numbers in the grammar of a language (CLDR, "Language Plural Rules").
public enum PluralCategory: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case zero, one, two, few, many, other
}

/// A set of categories.
struct PluralCategories: Equatable, Sendable {
    private let bits: UInt8

    init(_ categories: [PluralCategory]) { bits = categories.reduce(0) { $0 | 1 << $1.rawValue } }

    func contains(_ category: PluralCategory) -> Bool { bits & 1 << category.rawValue != 0 }
}
