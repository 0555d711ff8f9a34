import Assets
import Base
import ICU
import JSON
import Mustache

/// A language of the interface: its messages, and how it writes numbers and days. People's own data and the publisher's
/// own texts are never translated.
final class Language: Sendable {
    let code: LanguageCode
    /// The messages for templates.
    let catalogue: Catalogue
    /// The messages for code, by ``MessageKey``.
    private let texts: [MessageText]
    let numbers: NumberFormat
    let days: DayFormat
    private let plurals: PluralRules
    /// The messages of the list's scripts, and of the element's script, as JSON objects; empty in English, which the
    /// scripts contain.
    let listWords: String
    let elementWords: String
    /// The templates with these messages.
    let templates: Templates

    /// Reads the catalogues of `code`, and compiles the templates. A message that they do not have is the one of
    /// `english`. Throws a `TemplateError` or a ``CatalogueError`` if one of them is broken.
    init(_ code: LanguageCode, _ assets: Assets, or english: Language?) throws {
        self.code = code
        catalogue = try Catalogue(assets.catalogues(code.rawValue), code, or: english?.catalogue)
        let texts = MessageKey.allCases.map { [catalogue] in MessageText(catalogue["\($0)"]) }
        self.texts = texts
        let text = { (key: MessageKey) in texts[key.rawValue].text { _ in nil } }
        listWords = code == .en ? "" : Self.words(of: .list, text)
        elementWords = code == .en ? "" : Self.words(of: .element, text)
        let data = LocaleData(code.locale)
        numbers = NumberFormat(data)
        days = DayFormat(data)
        plurals = PluralRules(code.rawValue)
        templates = try Templates(assets, catalogue)
    }
}

// MARK: - Texts

extension Language {
    /// A value that a message inserts.
    enum Argument {
        case text(String)
        /// A number, which also chooses among the forms of a message.
        case number(Int)
    }

    /// Returns the message `key` as text, for people and not yet escaped. `arguments` are the values that it inserts.
    func text(_ key: MessageKey, _ arguments: KeyValuePairs<StaticString, Argument> = [:]) -> String {
        texts[key.rawValue].text(arguments, in: self)
    }

    /// Returns the message `key` with texts by the names of values.
    func text(_ key: MessageKey, inserting values: [String: String]) -> String {
        texts[key.rawValue].text { values[$0] }
    }

    /// Returns the number as people read it.
    func text(_ number: Int) -> String { numbers.text(number) }

    func text(_ argument: Argument) -> String {
        switch argument {
        case .text(let text): text
        case .number(let number): self.text(number)
        }
    }

    func category(of number: Int) -> PluralCategory {
        PluralCategory(keyword: plurals.keyword(of: number)) ?? .other
    }
}

extension Language.Argument: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }
}

extension Model {
    /// Sets a number field, which chooses among the forms of messages.
    func set<F: TemplateField>(_ frame: Frame<F>, _ field: F, number: Int, _ language: Language) {
        write(frame, field, language.category(of: number)) { language.numbers.append(Int64(number), to: $0) }
    }
}

extension Language {
    /// The scripts that get messages in `data-words`: those of the list, or that of the element, which has no page.
    enum Script {
        case list, element
    }

    /// Returns the messages of a script as a JSON object.
    static func words(of script: Script, _ text: (MessageKey) -> String) -> String {
        let buffer = ByteBuffer(capacity: 1024)
        for (name, key) in sharedKeys + (script == .list ? listKeys : elementKeys) {
            buffer.append(buffer.count == 0 ? "{" : ",")
            buffer.append(jsonString: name)
            buffer.append(":")
            buffer.append(jsonString: text(key))
        }
        buffer.append("}")
        return String(buffer)
    }

    /// The names by which scripts know their messages.
    private static let sharedKeys: [(name: String, key: MessageKey)] = [
        ("more", .scriptMore), ("of", .scriptOf), ("offline", .scriptOffline), ("unreachable", .scriptUnreachable),
        ("busy", .scriptBusy), ("problem", .scriptProblem), ("refused", .scriptRefused),
    ]

    private static let listKeys: [(name: String, key: MessageKey)] = [
        ("earlier", .scriptEarlier), ("findAll", .find), ("above", .scriptListedAbove), ("none", .scriptNoSuchValue),
        ("position", .scriptPosition),
    ]

    private static let elementKeys: [(name: String, key: MessageKey)] = [
        ("loading", .scriptLoadingMore), ("again", .tryAgain), ("people", .people), ("rest", .scriptRest),
        ("all", .showEveryone), ("full", .fullPage), ("close", .close),
    ]
}
