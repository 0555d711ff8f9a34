import Base
import Template

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
    /// `english`. Throws an error if one of them is broken.
    init(_ code: LanguageCode, _ assets: Assets, or english: Language?) throws {
        self.code = code
        catalogue = try Catalogue(assets.catalogues(code.rawValue), code, or: english?.catalogue)
        let texts = MessageKey.allCases.map { [catalogue] in MessageText(catalogue["\($0)"]) }
        self.texts = texts
        let text = { (key: MessageKey) in texts[key.rawValue].text { _ in nil } }
        listWords = code == .en ? "" : Self.words(Self.listKeys, text)
        elementWords = code == .en ? "" : Self.words(Self.elementKeys, text)
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
        PluralCategory.byKeyword[plurals.keyword(of: number)] ?? .other
    }
}

extension Model {
    func set<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ text: Bytes) {
        write(frame, field) { $0.append(text) }
    }

    /// Sets a number field, which chooses among the forms of messages.
    func set<F: TemplateField>(_ frame: Frame<F>, _ field: F, number: Int, _ language: Language) {
        write(frame, field, language.category(of: number)) { language.numbers.append(Int64(number), to: $0) }
    }
}

extension Language {
    /// Returns the messages of a script as a JSON object for `data-words`.
    private static func words(_ keys: [(name: String, key: MessageKey)], _ text: (MessageKey) -> String) -> String {
        String(writing: { buffer in
            var object = ObjectWriter(buffer)
            for (name, key) in sharedKeys + keys {
                object.start(escaping: name)
                buffer.append(jsonString: text(key))
            }
            object.close()
        })
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

/// A message for code: text with the names of values in double braces. Only templates may use sections.
struct MessageText: Sendable {
    private enum Part {
        case literal(String)
        case value(String)
    }

    private let other: [Part]
    private let forms: [PluralCategory: [Part]]

    init(_ message: Message?) {
        switch message {
        case .text(let text)?: (other, forms) = (Self.parts(of: text), [:])
        case .forms(let forms)?:
            other = Self.parts(of: forms.other)
            self.forms = Dictionary(uniqueKeysWithValues: forms.categories.map { ($0, Self.parts(of: forms[$0])) })
        case nil: (other, forms) = ([], [:])
        }
    }

    /// Inserts `arguments`. The first number among them chooses the form.
    func text(_ arguments: KeyValuePairs<StaticString, Language.Argument>, in language: Language) -> String {
        var parts = other
        if !forms.isEmpty {
            let number = arguments.lazy.compactMap { if case .number(let number) = $0.value { number } else { nil } }
            if let form = number.first.flatMap({ forms[language.category(of: $0)] }) { parts = form }
        }
        return Self.text(parts) { name in
            arguments.first { name.isEqual(to: $0.key) }.map { language.text($0.value) }
        }
    }

    /// Inserts values that are texts.
    func text(_ value: (_ name: String) -> String?) -> String { Self.text(other, value) }

    private static func text(_ parts: [Part], _ value: (_ name: String) -> String?) -> String {
        var whole = ""
        for part in parts {
            switch part {
            case .literal(let text): whole += text
            case .value(let name):
                let text = value(name)
                assert(text != nil, "a message inserts \(name), which was not given")
                whole += text ?? ""
            }
        }
        return whole
    }

    private static func parts(of bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            if start.lowerBound > rest.startIndex { parts.append(.literal(String(rest[..<start.lowerBound]))) }
            parts.append(.value(String(rest[start.upperBound..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        return parts
    }
}

extension String {
    fileprivate func isEqual(to text: StaticString) -> Bool {
        withUTF8Bytes { $0.equals(text) }
    }
}

/// Writes numbers as people of one language read them: `1,234.5`, `1.234,5`, `1 234,5`.
struct NumberFormat: Sendable {
    private let grouping: [UInt8]
    private let decimal: String
    private let minimumGrouping: Int

    init(_ data: LocaleData) {
        grouping = Array(data.grouping.utf8)
        decimal = data.decimal
        minimumGrouping = data.minimumGrouping
    }

    func append(_ number: Int64, to buffer: ByteBuffer) {
        let magnitude = number.magnitude
        // 1,000, or 10,000 where four digits form no group.
        let isGrouped = magnitude >= (minimumGrouping > 1 ? 10_000 : 1000)
        if number < 0 { buffer.append("-") }
        isGrouped ? append(groups: magnitude, to: buffer) : buffer.append(decimal: magnitude)
    }

    func text(_ number: Int) -> String {
        String(writing: { append(Int64(number), to: $0) })
    }

    /// The number with as few decimals as it needs.
    func text(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "\(number)" }
        let whole = number.rounded(.towardZero)
        let sign = number < 0 && whole == 0 ? "-" : ""
        let text = sign + text(Int(whole))
        if whole == number { return text }
        // The shortest digits that are this number again.
        let digits = "\(number.magnitude)".split(separator: ".")
        return digits.count == 2 && !digits[1].contains("e") ? "\(text)\(decimal)\(digits[1])" : "\(number)"
    }

    private func append(groups number: UInt64, to buffer: ByteBuffer) {
        guard number >= 1000 else { return buffer.append(decimal: number) }
        append(groups: number / 1000, to: buffer)
        buffer.append(grouping)
        let rest = Int(number % 1000)
        buffer.append(UInt8(truncatingIfNeeded: 48 + rest / 100))
        buffer.append(twoDigits: rest)
    }
}

extension Catalogue {
    /// Reads `files`. Later files replace messages of earlier ones. A message that none of them has is the one
    /// of `english`. Throws an error such as `languages/ko.json: message "find" has no form "other"`.
    init(_ files: [Assets.CatalogueFile], _ code: LanguageCode, or english: Catalogue?) throws {
        var messages = english?.messages ?? [:]
        for file in files {
            do {
                try JSON.forEachMember(of: file.bytes.span) { key, value in
                    messages[key.text] = try Message(key.text, value, in: file.name)
                }
            } catch let error as JSONError {
                throw RollcallError("\(file.name): expected a JSON object of texts; \(error)")
            }
        }
        self.init(fileName: "languages/\(code.rawValue).json", messages)
    }
}

extension Message {
    fileprivate init(_ key: String, _ value: JSON.LentValue, in file: String) throws {
        if let text = value.string?.text {
            self = .text(Array(text.utf8))
            return
        }
        try expect(value.kind == .object, "\(file): message \"\(key)\" is neither a text nor an object of forms")
        var forms: [PluralCategory: [UInt8]] = [:]
        try JSON.forEachMember(of: value.raw) { name, value in
            guard let category = PluralCategory.byKeyword[name.text], let text = value.string?.text else {
                throw RollcallError("\(file): message \"\(key)\" has \"\(name.text)\", which is no form of a plural")
            }
            forms[category] = Array(text.utf8)
        }
        let other = try required(forms.removeValue(forKey: .other), "\(file): message \"\(key)\" has no form \"other\"")
        self = .forms(PluralForms(other: other, forms))
    }
}

extension PluralCategory {
    /// The categories by their keywords in CLDR.
    static let byKeyword = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}
