/// A token of a number format: of a code of Excel, or an element of OpenDocument.
enum FormatToken: Equatable {
    case literal(String)
    /// The place of a digit: `0`; or `#` and `?`, which are nothing instead of a zero that nobody needs.
    case digit(isZeroShown: Bool)
    case point, comma, percent
    /// A fraction or an exponent, which would not be read as a number.
    case unreadable
    /// A run of the same letter of a date.
    case letter(Character, count: Int)
    /// `[h]`, `[mm]`, `[s]`.
    case elapsed(Character)
    /// Parts of a date that OpenDocument names.
    case parts(DateParts)
    case general
    /// `@`
    case text

    var isDigit: Bool { if case .digit = self { true } else { false } }

    /// The text that the token shows beside a number.
    var literal: String {
        switch self {
        case .literal(let text): text
        case .letter(let letter, let count): String(repeating: String(letter), count: count)
        case .percent: "%"
        default: ""
        }
    }
}

/// The tokens of one section of a number format.
struct FormatTokens {
    var tokens: [FormatToken] = []
    var condition: FormatSection.Condition?

    /// The texts before and behind a token.
    func pattern(around token: FormatToken) -> TextPattern {
        let place = tokens.firstIndex(of: token) ?? tokens.endIndex
        return TextPattern(
            before: Self.literals(tokens[..<place]), after: Self.literals(tokens[place...].dropFirst()),
            showsText: place < tokens.endIndex)
    }

    private static func literals(_ tokens: ArraySlice<FormatToken>) -> String { tokens.map(\.literal).joined() }

    var content: FormatSection.Content {
        for token in [FormatToken.general, .text] where tokens.contains(token) {
            return .general(pattern(around: token))
        }
        let parts = dateParts
        if !parts.isEmpty { return .date(parts) }
        return tokens.contains(.unreadable) ? .general(TextPattern()) : .number(pattern)
    }

    /// The parts of a date; empty for a section of numbers.
    private var dateParts: DateParts {
        var parts: DateParts = []
        var times: [(letter: Character, count: Int, isElapsed: Bool)] = []
        var isAfterSeconds = false
        for token in tokens {
            switch token {
            case .letter(let letter, let count): times.append((Character(letter.lowercased()), count, false))
            case .elapsed(let letter): times.append((letter, 1, true))
            case .parts(let named): parts.formUnion(named)
            // Parts of a second; a letter beside other digits is one of a unit, such as kg.
            case .point where times.last?.letter == "s": isAfterSeconds = true
            case .digit where !isAfterSeconds: return []
            default: break
            }
        }
        for (index, (letter, count, isElapsed)) in times.enumerated() {
            if isElapsed { parts.formUnion(.elapsed) }
            switch letter {
            case "y", "e": parts.formUnion(.year)
            case "d": parts.formUnion(count <= 2 ? .day : .weekday)
            case "h": parts.formUnion(.hour)
            case "s": parts.formUnion(.second)
            case "m":
                let follows = index > 0 && times[index - 1].letter == "h"
                let precedes = index + 1 < times.count && times[index + 1].letter == "s"
                parts.formUnion(isElapsed || count <= 2 && (follows || precedes) ? .minute : .month)
            default: break
            }
        }
        return parts
    }

    private var pattern: NumberPattern {
        var pattern = NumberPattern()
        var (hasPoint, hasZero, commas) = (false, false, 0)
        for token in tokens {
            switch token {
            case .digit(let isZeroShown):
                hasZero = isZeroShown || hasZero && !hasPoint
                pattern.tokens.append(.digit(isZeroShown: hasZero))
                commas = 0
            case .point:
                (hasPoint, hasZero) = (true, false)
                pattern.tokens.append(.point)
            case .comma: commas += 1
            default:
                if token == .percent { pattern.power += 2 }
                pattern.tokens.append(token)
            }
        }
        // A comma behind the last digit divides by a thousand; one between digits only groups.
        pattern.power -= 3 * commas
        return pattern
    }
}
