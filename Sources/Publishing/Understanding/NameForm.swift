import People

/// How a source writes whole names, and so how they become names as they are shown. The raw value is the `format` of
/// the field `name` in settings.
public enum NameForm: String, CaseIterable, Sendable {
    /// `Keller, Anna`
    case lastCommaFirst = "last, first"
    /// `KELLER, Anna` and `KELLER, ANNA`
    case capitalsCommaFirst = "LAST, first"
    /// `Keller Anna`
    case lastFirst = "last first"
    /// `KELLER Anna` and `KELLER ANNA`
    case capitalsFirst = "LAST first"
    /// `Anna KELLER` and `ANNA KELLER`
    case capitals = "first LAST"

    init?(isLastFirst: Bool, _ shape: ColumnShape) {
        let isCapital = shape.capitals * 3 >= 2
        switch (isCapital, shape.commas >= 0.5) {
        case (true, true): self = .capitalsCommaFirst
        case (false, true): self = .lastCommaFirst
        case (true, false): self = isLastFirst || shape.capitalsFirst * 3 >= 2 ? .capitalsFirst : .capitals
        case (false, false):
            if !isLastFirst { return nil }
            self = .lastFirst
        }
    }

    /// Returns the name as it is shown: `Anna Keller`, `Dr. Anna Keller`.
    public func shown(_ name: String) -> String {
        switch self {
        case .lastCommaFirst: return Self.turnedAtComma(name)
        case .capitalsCommaFirst: return Self.withoutCapitals(Self.turnedAtComma(name))
        case .capitals: return Self.withoutCapitals(name)
        case .lastFirst, .capitalsFirst:
            let words = name.split(separator: " ").map(String.init)
            if name.contains(",") { return Self.withoutCapitals(Self.turnedAtComma(name)) }
            let capitals = words.prefix { Self.isCapital($0[...]) }.count
            // Two words, or the last name is in capitals and the first name is not.
            let count = words.count == 2 ? 1 : self == .capitalsFirst && capitals < words.count ? capitals : 0
            guard count > 0, words.allSatisfy({ $0.unicodeScalars.contains { $0.properties.isCased } }) else {
                return Self.withoutCapitals(name)
            }
            let turned = (words[count...] + words[..<count]).joined(separator: " ")
            return self == .capitalsFirst ? Self.withoutCapitals(turned) : turned
        }
    }

    /// Titles may stand on either side: `Keller, Dr. Anna`, `Dr. Keller, Anna`. What follows a second comma stays
    /// behind: `King, Martin, Jr.`
    private static func turnedAtComma(_ name: String) -> String {
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty, !isSuffix(parts[1]) else { return name }
        var last = parts[0].split(separator: " ").map(String.init)
        let titles = last.prefix { isTitle($0) }
        last.removeFirst(titles.count)
        if last.isEmpty { return name }
        let rest = parts[2...].filter { !$0.isEmpty }.map { ", " + $0 }.joined()
        return (Array(titles) + [parts[1]] + last).joined(separator: " ") + rest
    }

    private static func isSuffix(_ text: String) -> Bool {
        ["jr", "sr", "ii", "iii", "iv", "phd", "md", "msc", "ba", "ma", "mba", "esq", "cpa", "rn"].contains(
            text.lowercased().filter { $0 != "." })
    }

    private static func isTitle(_ word: String) -> Bool {
        word.hasSuffix(".") && word.count >= 2 && word != word.uppercased() || word == "Dr" || word == "Prof"
    }

    /// Whether a word of two letters or more is in capitals.
    static func isCapital(_ word: Substring) -> Bool {
        let letters = word.unicodeScalars.count { $0.properties.isCased }
        return letters >= 2 && !word.contains(".") && word == word.uppercased() && !numerals.contains(String(word))
    }

    private static let numerals: Set<String> = ["II", "III", "IV", "JR", "SR", "PHD", "MD"]

    private static func withoutCapitals(_ name: String) -> String {
        name.split(separator: " ").map { word in
            guard isCapital(word) else { return String(word) }
            var small = ""
            var isAfterLetter = false
            for character in word {
                small += isAfterLetter ? character.lowercased() : String(character)
                isAfterLetter = character.isLetter
            }
            return small
        }.joined(separator: " ")
    }
}
