// The number formats of Excel (ECMA-376 part 1, 18.8.30 and 18.8.31).

extension CellFormat {
    /// The formats that files name by a number alone.
    init(builtIn number: Int) { self.init(code: Self.builtInCodes[number] ?? "") }

    /// The signs of currencies depend on the language of the program, and are left out; dates are in one order.
    private static let builtInCodes: [Int: String] = {
        let codes: [(String, [Int])] = [
            ("0", [1]), ("0.00", [2]), ("#,##0", [3]), ("#,##0.00", [4]), ("0%", [9]), ("0.00%", [10]), ("@", [49]),
            ("#,##0;(#,##0)", [5, 6, 37, 38]), ("#,##0.00;(#,##0.00)", [7, 8, 39, 40]),
            ("#,##0;(#,##0);\"-\";@", [41, 42]), ("#,##0.00;(#,##0.00);\"-\"??;@", [43, 44]),
            // 34 and 35 are times or dates, by the language.
            ("yyyy-mm-dd", [14, 15, 34, 35, 36] + Array(27...31) + Array(50...58)), ("mm-dd", [16]), ("yyyy-mm", [17]),
            ("h:mm", [18, 20, 32]), ("h:mm:ss", [19, 21, 33]), ("yyyy-mm-dd h:mm", [22]), ("mm:ss", [45, 47]),
            ("[h]:mm:ss", [46]),
        ]
        let numbered = codes.flatMap { code, numbers in numbers.map { ($0, code) } }
        return Dictionary(uniqueKeysWithValues: numbered)
    }()

    /// The format that `code` describes, such as `dd.mm.yyyy` or `#,##0.00 "€"`.
    init(code: String) {
        // ClosedXML writes no code for General.
        var scanner = FormatScanner(code.isEmpty ? "General" : code)
        var numbers = scanner.sections()
        var text = TextPattern()
        let last = min(numbers.count - 1, 3)
        if last == 3 || numbers[last].tokens.contains(.text) {
            text = numbers[last].pattern(around: .text)
            numbers.removeSubrange(last...)
        }
        let sections = numbers.enumerated().map { index, section in
            FormatSection(
                condition: section.condition ?? Self.condition(ofSection: index, of: numbers.count),
                content: section.content)
        }
        // A section for texts alone is one for numbers, too.
        self.init(sections.isEmpty ? [FormatSection(content: .general(text))] : sections, text: text)
    }

    private static func condition(ofSection index: Int, of count: Int) -> FormatSection.Condition? {
        switch (index, count) {
        case (0, 2): FormatSection.Condition(relation: .atLeast, value: 0)
        case (0, 3): FormatSection.Condition(relation: .more, value: 0)
        case (1, 3): FormatSection.Condition(relation: .less, value: 0)
        default: nil
        }
    }
}

/// Splits a number format into sections and tokens.
private struct FormatScanner {
    private let code: String
    private var rest: Substring

    init(_ code: String) { (self.code, rest) = (code, code[...]) }

    mutating func sections() -> [FormatTokens] {
        var sections = [FormatTokens()]
        while !rest.isEmpty {
            if takes(";") {
                sections.append(FormatTokens())
            } else if takes("[") {
                bracket(text(until: "]"), in: &sections[sections.count - 1])
            } else if let token = token() {
                sections[sections.count - 1].tokens.append(token)
            }
        }
        return sections
    }

    /// The words of a code. Clocks show 24 hours.
    private static let words: [(word: String, token: FormatToken?)] = [
        ("general", .general), ("am/pm", nil), ("a/p", nil), ("e+", .unreadable), ("e-", .unreadable),
    ]

    private mutating func token() -> FormatToken? {
        for (word, token) in Self.words where takes(word) { return token }
        let before = code[..<rest.startIndex].last
        let character = rest.removeFirst()
        switch character {
        case "\"": return .literal(text(until: "\""))
        case "\\": return rest.popFirst().map { .literal(String($0)) }
        // The width of a character, and a character that fills the cell.
        case "_", "*":
            _ = rest.popFirst()
            return nil
        case "0", "#", "?": return .digit(isZeroShown: character == "0")
        case ".": return .point
        case ",": return .comma
        case "%": return .percent
        case "/": return before.map("0#?".contains) == true ? .unreadable : .literal("/")
        case "@": return .text
        default:
            let letter = character.lowercased()
            guard "ymdhsge".contains(letter) else { return .literal(String(character)) }
            let run = rest.prefix { $0.lowercased() == letter }
            rest.removeFirst(run.count)
            return .letter(character, count: 1 + run.count)
        }
    }

    private mutating func text(until end: Character) -> String {
        let text = rest.prefix { $0 != end }
        rest = rest.dropFirst(text.count + 1)
        return String(text)
    }

    /// Reads a colour, a condition, a language, a sign of a currency (`$€-407`) or a sum of hours.
    private func bracket(_ text: String, in section: inout FormatTokens) {
        let lower = text.lowercased()
        if let letter = lower.first, "hms".contains(letter), lower.allSatisfy({ $0 == letter }) {
            section.tokens.append(.elapsed(letter))
        } else if text.hasPrefix("$") {
            let sign = text.dropFirst().prefix { $0 != "-" }
            if !sign.isEmpty { section.tokens.append(.literal(String(sign))) }
        } else {
            section.condition = FormatSection.Condition(text) ?? section.condition
        }
    }

    /// Takes a word in any case, if it comes next.
    private mutating func takes(_ word: String) -> Bool {
        guard rest.prefix(word.count).lowercased() == word else { return false }
        rest.removeFirst(word.count)
        return true
    }
}
