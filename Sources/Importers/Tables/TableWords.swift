import Publishing

/// The words of rows that are not people, folded as ``TableWords/folded(_:)`` says. The lexicon has them by language. A
/// word stands for all rows of its kind: whole headings or sentences of one program do not belong there.
enum TableWords {
    /// The words in the place of a name, before the sum, number or average of the rows above.
    static let totals = words("totals")

    /// Those of them that no name begins with.
    static let sums = words("sums")

    /// The whole texts in the place of a name that say that nobody has the post.
    static let vacancies = words("vacancies")

    /// The first words of notes above and below tables.
    static let notes = words("notes")

    /// The words for people, behind their number: `2 employees`.
    static let people = words("people")

    /// The words of a row under the header that says what its columns may have.
    static let limits = words("limits")

    /// The words for a part of an organization: a row that has nothing but such a phrase begins a section.
    static let units = words("units")

    private static func words(_ list: String) -> Set<String> {
        Set(HeaderWords.ofRows(list).map(folded))
    }

    /// Returns the words of a text without case, accents and marks, joined by single spaces.
    static func folded(_ text: String) -> String {
        var folded = ""
        var needsSpace = false
        for scalar in text.precomposedStringWithCompatibilityMapping.lowercased().decomposedStringWithCanonicalMapping
            .unicodeScalars
        {
            switch scalar.properties.generalCategory {
            case .nonspacingMark: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
                if needsSpace, !folded.isEmpty { folded.append(" ") }
                needsSpace = false
                if scalar == "ß" { folded += "ss" } else { folded.unicodeScalars.append(scalar) }
            default: needsSpace = true
            }
        }
        return folded.precomposedStringWithCanonicalMapping
    }

    /// Whether a text is one of `words`, or begins with one.
    static func begins(_ folded: String, with words: Set<String>) -> Bool {
        let ends = folded.indices.filter { folded[$0] == " " } + [folded.endIndex]
        return ends.contains { words.contains(String(folded[..<$0])) }
    }
}
