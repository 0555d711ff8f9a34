import Base
import ICU

/// The rules for texts in settings and in options of commands.
public struct SettingsRule: Sendable {
    /// The texts that the rule permits, for error messages.
    public let expected: String
    public let holds: @Sendable (String) -> Bool
}

public enum SettingsRules {
    /// The tag (BCP 47) of a language whose order ICU knows, or `und`.
    public static let isLanguage = SettingsRule(
        expected: "a language such as de, pt-BR or und; known are \(Collation.languages.joined(separator: ", "))"
    ) { text in
        let language = text.prefix { $0 != "-" }.lowercased()
        let isKnown = Collation.languages.isEmpty || Collation.languages.contains(language) || language == "und"
        return isKnown && isLanguageTag.holds(text)
    }

    /// A language tag (BCP 47), or `und`.
    static let isLanguageTag = SettingsRule(expected: "a language such as de, pt-BR or und") { text in
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return text.utf8.count <= 35 && (2...8).contains(parts[0].utf8.count)
            && parts[0].utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 }
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 }
            }
    }

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
            && text.unicodeScalars.allSatisfy {
                $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil
                    || $0.properties.generalCategory == .nonspacingMark
            }
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

    static func check(
        _ text: String, _ value: SettingsValue, _ rule: SettingsRule
    ) throws(SettingsError) -> String {
        guard !value.isStrict || rule.holds(text) else { throw value.unexpected(rule.expected) }
        return text
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

/// The formats of dates and numbers.
public enum FieldFormat {
    /// The order of day, month and year.
    public static let dates = ["dmy", "mdy", "ymd"]
    public static let numbers = ["1.234,5", "1,234.5", "1 234,5"]
    /// Numbers that name something, such as years and member numbers: without separators, and never grouped.
    public static let plain = "plain"

    /// Returns the formats that a field of `type` can have; all of them if the type is not known.
    static func names(of type: FieldType?) -> [String] {
        switch type {
        case .date: dates
        case .number: numbers + [plain]
        case nil: dates + numbers + [plain]
        case .text, .list, .link, .boolean: []
        }
    }
}
