import People

/// The kind of fact that a withheld column tells about a person.
public enum WithheldKind: String, CaseIterable, Sendable {
    case mail, phone, messenger, home
    /// Numbers and codes of persons, such as personnel numbers.
    case number
    case pay, leave, birth, health, family
    /// Gender, religion, nationality and the like.
    case origin
    /// Papers and their numbers, and signatures.
    case papers
    /// Passwords, tokens and keys: withheld whatever the column's values and source are.
    case secret
    /// How an account stands, and the numbers and names by which programs know it.
    case account
    case remark
    /// How the owner of an address book sorts it.
    case label
    /// Another person at work. The column is not withheld, but what is not a name in it is.
    case colleague
}

/// Decides by a heading whether its column is not stored unless the publisher names it.
public enum Withheld {
    public static func matches(heading: String) -> Bool { !kinds(of: heading).isEmpty }

    /// Returns what a column called `heading` is withheld for; empty if it is not.
    public static func kinds(of heading: String) -> Set<WithheldKind> {
        // When somebody will leave is between the two sides of a contract.
        let ends: Set<WithheldKind> = LeaverWords.ends.contains(LeaverWords.phrase(heading)) ? [.leave] : []
        return ends.union(meanings(of: heading).map(\.kind))
    }

    /// Returns whether a column called `heading`, which is withheld for `kinds`, names somebody else at work, such as
    /// the manager.
    package static func isRelation(heading: String, kinds: Set<WithheldKind>? = nil) -> Bool {
        (kinds ?? self.kinds(of: heading)).isEmpty && !meanings(of: heading, in: Lexicon.shared.colleagues).isEmpty
    }

    /// Returns whether a column called `heading` has numbers of persons or accounts.
    package static func isAccount(heading: String) -> Bool {
        !kinds(of: heading).isDisjoint(with: [.number, .account])
            || [.id, .login].contains(FieldRole.of(headings: [heading])[0])
    }

    /// Returns the languages in which a part of `heading` is withheld.
    static func languages(of heading: String) -> Set<String> { Set(meanings(of: heading).map(\.language)) }

    struct Meaning: Hashable {
        var kind: WithheldKind
        var language: String
    }

    private static func meanings(
        of heading: String, in lexicon: WithheldLexicon = Lexicon.shared.withheld
    ) -> Set<Meaning> {
        var found: Set<Meaning> = []
        let tokens = Heading.words(heading)
        let words = HeadingPhrase.meaningful(tokens)
        // `Komórka organizacyjna` is a department, and no mobile phone.
        if Lexicon.shared.isPhrase(words) { return [] }
        for token in tokens { found.formUnion(lexicon.whole[token] ?? []) }
        for start in words.indices.prefix(maxWords) {
            var phrase = ""
            for word in words[start...].prefix(longestPhrase) {
                phrase += word
                found.formUnion(lexicon.whole[phrase] ?? [])
            }
            found.formUnion(lexicon.beginnings.meanings(of: phrase.utf8))
            found.formUnion(lexicon.ends.meanings(of: words[start].utf8.reversed()))
            for (part, meaning) in lexicon.parts where words[start].contains(part) { found.insert(meaning) }
        }
        found.formUnion(lexicon.alone[words.joined()] ?? [])
        let normalized = Heading.normalized(heading)
        // `부서명` is not `서명`.
        if !normalized.utf8.allSatisfy({ $0 < 0x80 }), !HeadingPhrase.isOfRoles(normalized) {
            for start in normalized.indices {
                found.formUnion(lexicon.anywhere.meanings(of: normalized[start...].utf8))
            }
        }
        return found
    }

    /// A heading with more words is a sentence, whose remainder does not count.
    private static let maxWords = 20
    private static let longestPhrase = 4
}
