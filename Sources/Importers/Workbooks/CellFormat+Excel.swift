// The number formats of Excel (ECMA-376 part 1, 18.8.30 and 18.8.31).

extension CellFormat {
    /// The formats that files name by a number alone.
    init(builtIn number: Int) {
        switch number {
        case 1: self.init(code: "0")
        case 2: self.init(code: "0.00")
        case 3, 37, 38: self.init(code: "0")
        case 4, 39, 40: self.init(code: "0.00")
        case 9: self.init(code: "0%")
        case 10: self.init(code: "0.00%")
        case 14, 15, 27...31, 36, 50...58: self = .date(.date)
        case 16: self = .date([.month, .day])
        case 17: self = .date([.year, .month])
        case 18, 20, 32: self = .date([.hour, .minute])
        case 19, 21, 33: self = .date(.time)
        case 22: self = .date(DateParts.date.union([.hour, .minute]))
        // A time or a date, by the language.
        case 34, 35: self = .date(.date)
        case 45, 47: self = .date([.minute, .second])
        case 46: self = .date(DateParts.time.union(.elapsed))
        default: self = .general
        }
    }

    /// The format that `code` describes, such as `dd.mm.yyyy` or `#,##0.00 "€"`.
    init(code: String) {
        let sections = FormatTokens.sections(of: code)
        // ClosedXML writes no code for General.
        guard let first = sections.first, !first.isGeneral, !code.isEmpty else {
            self = .general
            return
        }
        let parts = first.dateParts
        if !parts.isEmpty {
            self = .date(parts)
            return
        }
        if first.tokens == [.text] {
            self = .general
            return
        }
        self = .number(
            NumberSections(
                positive: first.pattern, negative: sections.count > 1 ? sections[1].pattern : nil,
                zero: sections.count > 2 ? sections[2].pattern : nil))
    }
}

/// The tokens of one section of a number format.
private struct FormatTokens {
    enum Token: Equatable {
        case literal(String)
        /// `0`, `#` or `?`.
        case digit(Character)
        case point, comma, percent, fraction, exponent
        /// A run of the same letter of a date, in lower case.
        case letter(Character, count: Int)
        /// `[h]`, `[mm]`, `[s]`.
        case elapsed(Character)
        /// `AM/PM` or `A/P`.
        case half
        case general
        /// `@`
        case text
    }

    var tokens: [Token] = []
    var isGeneral: Bool { tokens.contains(.general) }

    static func sections(of code: String) -> [FormatTokens] {
        var scanner = FormatScanner(code)
        return scanner.sections()
    }

    /// The parts of a date; empty for a section of numbers.
    var dateParts: DateParts {
        var parts: DateParts = []
        let times = tokens.enumerated().compactMap { index, token -> (Character, Int, Bool)? in
            switch token {
            case .letter(let letter, let count): (letter, count, false)
            case .elapsed(let letter): (letter, 1, true)
            default: nil
            }
        }
        for (index, (letter, count, isElapsed)) in times.enumerated() {
            if isElapsed { parts.formUnion(.elapsed) }
            switch letter {
            case "y", "e", "g": parts.formUnion(.year)
            // Three and four are the name of a weekday.
            case "d" where count <= 2: parts.formUnion(.day)
            case "h": parts.formUnion(.hour)
            case "s": parts.formUnion(.second)
            case "m":
                let follows = index > 0 && times[index - 1].0 == "h"
                let precedes = index + 1 < times.count && times[index + 1].0 == "s"
                parts.formUnion(isElapsed || count <= 2 && (follows || precedes) ? .minute : .month)
            default: break
            }
        }
        return parts
    }

    var pattern: NumberPattern {
        var pattern = NumberPattern()
        var isAfterPoint = false
        var commas = 0
        for token in tokens {
            switch token {
            case .literal(let text):
                if pattern.hasDigits { pattern.suffix += text } else { pattern.prefix += text }
            case .digit(let character):
                pattern.hasDigits = true
                commas = 0
                if isAfterPoint {
                    pattern.maxDecimals += 1
                    if character == "0" { pattern.decimals = pattern.maxDecimals }
                } else if character == "0" || pattern.integers > 0 {
                    pattern.integers += 1
                }
            case .point: isAfterPoint = true
            case .comma: commas += 1
            case .percent:
                pattern.power += 2
                if pattern.hasDigits { pattern.suffix += "%" } else { pattern.prefix += "%" }
            case .fraction, .exponent, .general: (pattern.isGeneral, pattern.hasDigits) = (true, true)
            case .letter, .elapsed, .half, .text: break
            }
        }
        // The spaces of a fraction or an exponent align it.
        if pattern.isGeneral { pattern.suffix = pattern.suffix == " " ? "" : pattern.suffix }
        // A comma behind the last digit divides by a thousand; one between digits only groups.
        pattern.power -= 3 * commas
        return pattern
    }
}

/// Splits a number format into sections and tokens.
private struct FormatScanner {
    private let characters: [Character]
    private var index = 0

    init(_ code: String) { characters = Array(code) }

    mutating func sections() -> [FormatTokens] {
        var sections = [FormatTokens()]
        while index < characters.count {
            if characters[index] == ";" {
                sections.append(FormatTokens())
                index += 1
            } else if let token = token() {
                sections[sections.count - 1].tokens.append(token)
            }
        }
        return sections
    }

    private mutating func token() -> FormatTokens.Token? {
        let character = characters[index]
        index += 1
        switch character {
        case "\"": return .literal(text(until: "\""))
        case "\\": return next().map { .literal(String($0)) }
        // The width of a character, and a character that fills the cell.
        case "_", "*":
            _ = next()
            return nil
        case "[": return bracket(text(until: "]"))
        case "0", "#", "?": return .digit(character)
        case ".": return .point
        case ",": return .comma
        case "%": return .percent
        case "/": return isBetweenDigits ? .fraction : .literal("/")
        case "@": return .text
        default: break
        }
        if takes("general", from: index - 1) { return .general }
        if takes("am/pm", from: index - 1) || takes("a/p", from: index - 1) { return .half }
        let letter = Character(character.lowercased())
        if letter == "e", index < characters.count, "+-".contains(characters[index]) {
            index += 1
            return .exponent
        }
        guard "ymdhsge".contains(letter) else { return .literal(String(character)) }
        let start = index - 1
        while index < characters.count, characters[index].lowercased() == String(letter) { index += 1 }
        return .letter(letter, count: index - start)
    }

    /// Whether the slash that was just read follows a digit of a fraction.
    private var isBetweenDigits: Bool {
        guard index >= 2 else { return false }
        return "0#?".contains(characters[index - 2])
    }

    private mutating func next() -> Character? {
        guard index < characters.count else { return nil }
        index += 1
        return characters[index - 1]
    }

    private mutating func text(until end: Character) -> String {
        let start = index
        while index < characters.count, characters[index] != end { index += 1 }
        defer { index = min(index + 1, characters.count) }
        return String(characters[start..<index])
    }

    /// A colour, a condition, a language, a sign of a currency (`$€-407`) or a sum of hours.
    private func bracket(_ text: String) -> FormatTokens.Token? {
        let lower = text.lowercased()
        if let letter = lower.first, "hms".contains(letter), lower.allSatisfy({ $0 == letter }) {
            return .elapsed(letter)
        }
        guard text.hasPrefix("$") else { return nil }
        let sign = text.dropFirst().prefix { $0 != "-" }
        return sign.isEmpty ? nil : .literal(String(sign))
    }

    private mutating func takes(_ word: String, from start: Int) -> Bool {
        let end = start + word.count
        guard end <= characters.count, String(characters[start..<end]).lowercased() == word else { return false }
        index = end
        return true
    }
}
