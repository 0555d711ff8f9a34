/// What a column that is withheld tells of a person.
public enum WithheldKind: CaseIterable, Sendable {
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
    /// Returns whether a column called `heading` is withheld.
    public static func matches(heading: String) -> Bool { !meanings(of: heading).isEmpty }

    /// Returns what a column called `heading` is withheld for; empty if it is not.
    public static func kinds(of heading: String) -> Set<WithheldKind> { Set(meanings(of: heading).map(\.kind)) }

    /// Returns whether a column called `heading` names somebody else at work, such as the manager.
    package static func isRelation(heading: String) -> Bool {
        !meanings(of: heading, in: colleagues).isEmpty && !matches(heading: heading)
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

    private static func meanings(of heading: String) -> Set<Meaning> { meanings(of: heading, in: lexicon) }

    private static func meanings(of heading: String, in lexicon: Lexicon) -> Set<Meaning> {
        var found: Set<Meaning> = []
        let tokens = Heading.words(heading)
        let words = meaningful(tokens)
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
        if !normalized.utf8.allSatisfy({ $0 < 0x80 }) {
            for start in normalized.indices {
                found.formUnion(lexicon.anywhere.meanings(of: normalized[start...].utf8))
            }
        }
        return found
    }

    /// A heading with more words is a sentence, whose remainder does not count.
    private static let maxWords = 20
    /// The longest phrase, in words.
    private static let longestPhrase = 4

    /// Returns the words without numbers, and without those that only join others: `phone1`, `E-mail 2: Address`,
    /// `date of birth`.
    private static func meaningful(_ tokens: [String]) -> [String] {
        tokens.compactMap { token in
            let digits: (Character) -> Bool = { $0.isASCII && $0.isNumber }
            let word = token.drop(while: digits)
            let end = word.lastIndex { !digits($0) }.map { word.index(after: $0) } ?? word.startIndex
            let text = String(word[..<end])
            return text.isEmpty || WithheldWords.links.contains(text) ? nil : text
        }
    }

    private static let lexicon = Lexicon(WithheldWords.rows, WithheldWords.products)
    private static let colleagues = Lexicon(WithheldWords.colleagues, [])
}

/// The words of ``WithheldWords``, in normal form, by the way in which they count.
private struct Lexicon: Sendable {
    typealias Meanings = Set<Withheld.Meaning>

    private(set) var whole: [String: Meanings] = [:]
    private(set) var alone: [String: Meanings] = [:]
    private(set) var beginnings = Beginnings()
    /// Reversed.
    private(set) var ends = Beginnings()
    private(set) var anywhere = Beginnings()
    private(set) var parts: [(String, Withheld.Meaning)] = []

    init(_ rows: [WithheldWords.Row], _ products: [WithheldWords.Product]) {
        for row in rows {
            for word in row.words { add(word, Withheld.Meaning(kind: row.kind, language: row.language)) }
        }
        for product in products {
            let meaning = Withheld.Meaning(kind: product.kind, language: product.language)
            for first in product.first {
                for second in product.second {
                    add("\(first) \(second)", meaning)
                    add("\(second) \(first)", meaning)
                }
            }
        }
    }

    private mutating func add(_ pattern: String, _ meaning: Withheld.Meaning) {
        let word = Heading.words(pattern).filter { !WithheldWords.links.contains($0) }.joined()
        switch (pattern.hasPrefix("*"), pattern.hasSuffix("*")) {
        case _ where pattern.hasPrefix("="): alone[word, default: []].insert(meaning)
        case _ where WithheldWords.withoutSpaces.contains(meaning.language):
            anywhere.add(Array(Heading.normalized(pattern).utf8), meaning)
        case (true, true): parts.append((word, meaning))
        case (true, false): ends.add(word.utf8.reversed(), meaning)
        case (false, true): beginnings.add(Array(word.utf8), meaning)
        case (false, false): whole[word, default: []].insert(meaning)
        }
    }

    /// Finds the texts that a text begins with.
    struct Beginnings: Sendable {
        /// Keyed by the first two bytes of each text.
        private var texts: [UInt16: [(text: [UInt8], meaning: Withheld.Meaning)]] = [:]

        mutating func add(_ text: [UInt8], _ meaning: Withheld.Meaning) {
            texts[Self.key(text), default: []].append((text, meaning))
        }

        func meanings(of text: some Collection<UInt8>) -> Meanings {
            guard let candidates = texts[Self.key(text)] else { return [] }
            return Set(candidates.lazy.filter { text.starts(with: $0.text) }.map(\.meaning))
        }

        private static func key(_ text: some Collection<UInt8>) -> UInt16 {
            text.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        }
    }
}
