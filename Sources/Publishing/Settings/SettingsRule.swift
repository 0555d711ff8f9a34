import Base
import People

/// The rules for texts in settings and in options of commands.
public struct SettingsRule: Sendable {
    /// The texts that the rule permits, for error messages.
    public let expected: String
    public let holds: @Sendable (String) -> Bool
}

extension SettingsRule {
    /// The tag (BCP 47) of a language whose order ICU knows, or `und`.
    public static let isLanguage = SettingsRule(
        expected: "a language such as de, pt-BR or und whose order ICU knows"
    ) { text in
        let language = text.prefix { $0 != "-" }.lowercased()
        let isKnown = Collation.languages.isEmpty || Collation.languages.contains(language) || language == "und"
        return isKnown && isLanguageTag.holds(text)
    }

    /// A language tag (BCP 47), or `und`.
    static let isLanguageTag = SettingsRule(expected: "a language such as de, pt-BR or und") { text in
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return text.utf8.count <= 35 && (2...8).contains(parts[0].utf8.count)
            && parts[0].utf8.allSatisfy(\.isLetter)
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isLetter || $0.isDigit }
            }
    }

    static let isLanguageOfLabels = SettingsRule(
        expected: "labels by language, such as {\"de\": \"Abteilung\"}", holds: isLanguageTag.holds)

    public static let isColour = SettingsRule(expected: "a colour such as #0a7d5a or #fff") { text in
        Colour(text) != nil
    }

    /// A length of CSS. A radius of more than half of the smallest button, 22 px, changes nothing any more.
    public static let isRadius = SettingsRule(expected: "0, or a length of at most 2rem or 32px such as .75rem") {
        text in
        if text == "0" { return true }
        guard let match = text.wholeMatch(of: /([0-9]{0,2}(?:\.[0-9]{1,3})?)(px|rem)/),
            let number = Double(match.1.hasPrefix(".") ? "0\(match.1)" : String(match.1))
        else { return false }
        return number <= (match.2 == "px" ? 32 : 2)
    }

    /// Names of fonts, separated by commas: identifiers of CSS, or any other names in quotes. No name can end the
    /// declaration or contain an escape.
    public static let isFont = SettingsRule(
        expected: "names of fonts of at most 200 bytes such as Georgia, \"Noto Serif\", serif"
    ) { text in
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        return text.utf8.count <= 200
            && names.allSatisfy { name in
                name.wholeMatch(of: /"[\p{L}\p{N}\p{M} ._+&-]+"|'[\p{L}\p{N}\p{M} ._+&-]+'/) != nil
                    || name.wholeMatch(of: /-?[\p{L}_][\p{L}\p{N}\p{M}_-]*(?: -?[\p{L}_][\p{L}\p{N}\p{M}_-]*)*/) != nil
            }
    }

    public static let isLink = SettingsRule(expected: "an http, https or mailto URL") { text in
        if text.isWebURL { return true }
        guard text.lowercased().hasPrefix("mailto:") else { return false }
        let address = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
        return address.count == 2
            && address.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            }
    }

    public static let isKey = SettingsRule(
        expected: "a key of at most \(SettingsLimits.keyBytes) bytes: lower-case letters, digits, - and _; not one of "
            + reservedKeys.joined(separator: ", ")
    ) { text in
        (1...SettingsLimits.keyBytes).contains(text.utf8.count) && !reservedKeys.contains(text)
            && text == text.lowercased()
            && text.unicodeScalars.allSatisfy { "_-".unicodeScalars.contains($0) || FieldKey.has($0) }
    }

    public static let isTemplate = SettingsRule(
        expected: "a column, or a template such as {First name} {Last name}"
    ) { text in
        FieldTemplate.isValid(text)
    }

    public static let isSeparator = SettingsRule(expected: "a separator of at most 8 bytes, such as \";\"") { text in
        (1...8).contains(text.utf8.count)
    }

    /// The names of orders that are not fields.
    static let reservedKeys = ["place", "surname", "relevance"]

    /// Throws an error unless the rule permits `text`.
    func check(_ text: String, for option: String) throws(RollcallError) {
        guard holds(text) else { throw RollcallError("\(option): expected \(expected), found \"\(text)\"") }
    }

    static let isLabel = SettingsRule(expected: "at most \(SettingsLimits.labelCharacters) characters") { text in
        text.count <= SettingsLimits.labelCharacters && text.printable == text
    }

    /// An introduction: a text of several lines that reads as it is written.
    public static let isIntro = SettingsRule(
        expected:
            "a text of at most \(SettingsLimits.introBytes) bytes, without zero bytes and without characters that "
            + "change the direction of text (U+202A to U+202E, U+2066 to U+2069)"
    ) { text in
        text.utf8.count <= SettingsLimits.introBytes && !text.isDeceptive
    }
}

extension FieldFormat {
    /// The order and the capitals of whole names.
    public static let names = NameForm.allCases.map(\.rawValue)

    /// Returns the formats that a field of `type` can have; all of them if the type is not known.
    static func names(of type: FieldType?) -> [String] {
        switch type {
        case .date: dates
        case .number: numbers + [plain]
        case nil: dates + numbers + [plain] + names
        case .text: names
        case .list, .link, .boolean: []
        }
    }
}

extension DirectorySettings {
    /// The columns that identify people; empty if ids or logins do.
    public var key: [String] { own.key ?? inferred.key ?? [] }

    /// Whether people are known by their names, and the publisher has not said so.
    public var knowsByName: Bool { own.key == nil && inferred.key != nil && inferred.apart != nil }

    public var apart: [String] { inferred.apart ?? [] }

    public var leaveOut: [LeaveOutRule] { (own.leaveOut ?? inferred.leaveOut ?? []).map(LeaveOutRule.init) }

    /// Whether other columns than those of `settings` identify people.
    public func hasOtherKey(than settings: DirectorySettings) -> Bool {
        let names = { (settings: DirectorySettings) in settings.key.map { $0.folded } }
        return names(self) != names(settings)
    }

    /// Checks that a file with `columns` has the columns that the publisher names. Case does not matter.
    public func check(columns: [String]) throws(RollcallError) {
        for column in own.key ?? [] { _ = try columns.column(column, for: "key") }
        for field in own.fields where field.show != .never {
            guard let from = field.from else { continue }
            for column in FieldTemplate(from).columns { _ = try columns.column(column, for: "field \"\(field.key)\"") }
        }
    }
}

extension [String] {
    /// Returns the texts, which are those of `member`. Throws an error if one of them comes twice.
    func distinct(in member: String) throws(RollcallError) -> [String] {
        if let double = indices.first(where: { self[..<$0].contains(self[$0]) }) {
            throw RollcallError("\(member): expected \"\(self[double])\" once, found it twice")
        }
        return self
    }

    /// Returns those that are not among `columns`, in whatever case.
    package func lacking(in columns: [String]) -> [String] {
        let names = Set(columns.map { $0.folded })
        return filter { !names.contains($0.folded) }
    }

    /// Returns the element that equals `name`, if possible in the same case; `nil` without one.
    package func column(_ name: String) -> String? {
        let folded = name.folded
        return first { $0 == name } ?? first { $0.folded == folded }
    }

    /// Returns the element that equals `name`, ignoring case.
    package func column(_ name: String, for use: String) throws(RollcallError) -> String {
        if let column = column(name) { return column }
        let question = Suggestion.question(name, in: self)
        let columns = isEmpty ? "no columns of the file are known" : "the columns are \(joined(separator: ", "))"
        throw RollcallError("\(use): expected a column of the file, found \"\(name)\"\(question); \(columns)")
    }
}
