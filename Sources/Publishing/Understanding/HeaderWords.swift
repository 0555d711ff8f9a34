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
        if !meaning.withheld.isEmpty || meaning.isRelation { return true }
        return !roles(meaning, byPersonsAlone: byPersonsAlone).isEmpty
    }

    /// Whether one of the cells is the heading of names or accounts.
    ///
    /// - Parameter byPersonsAlone: Whether a word for people, such as `Staff`, is one; it may also be a title.
    public static func hasName(_ row: [String], byPersonsAlone: Bool = true) -> Bool {
        let naming: Set<FieldRole> = [.name, .firstName, .lastName, .login]
        return row.contains { heading in
            !naming.isDisjoint(with: roles(ColumnMeaning(heading: heading), byPersonsAlone: byPersonsAlone))
        }
    }

    private static func roles(_ meaning: ColumnMeaning, byPersonsAlone: Bool) -> [FieldRole] {
        HeadingPhrase(meaning).claims.filter { $0.format == nil && (byPersonsAlone || !$0.isWeak) }.map(\.role)
    }
}
