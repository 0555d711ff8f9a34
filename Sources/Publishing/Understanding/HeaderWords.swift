import People

/// Recognizes headings before it is known which row of a table is its header.
public enum HeaderWords {
    /// Returns the words of rows that are not people: `totals`, `notes` and so on.
    package static func ofRows(_ list: String) -> [String] { Lexicon.shared.words(list) }

    /// Returns how many of the cells of a row have a meaning as headings.
    public static func explained(_ row: [String]) -> Int { row.count { isExplained($0) } }

    /// Whether a text has a meaning as a heading.
    ///
    /// - Parameter byPersonsAlone: Whether a word for people, such as `Worker`, is one; it may also be somebody's job.
    public static func isExplained(_ heading: String, byPersonsAlone: Bool = true) -> Bool {
        let meaning = ColumnMeaning(heading: heading)
        return !meaning.withheld.isEmpty || meaning.isRelation
            || HeadingPhrase(meaning).claims.contains {
                $0.format == nil && (byPersonsAlone || !$0.isWeak)
            }
    }

    /// Whether one of the cells is the heading of names or accounts.
    ///
    /// - Parameter byPersonsAlone: Whether a word for people, such as `Staff`, is one; it may also be a title.
    public static func hasName(_ row: [String], byPersonsAlone: Bool = true) -> Bool {
        let naming: Set<FieldRole> = [.name, .firstName, .lastName, .login]
        return row.contains { heading in
            HeadingPhrase(ColumnMeaning(heading: heading)).claims.contains {
                naming.contains($0.role) && $0.format == nil && (byPersonsAlone || !$0.isWeak)
            }
        }
    }
}
