import Base
import Foundation
import People

/// The meanings of words in headings, by language: the content of `lexicon.json`, parsed once.
///
/// Its lists are separated by commas. `roles` has the phrases of each role, the best ones first: `=word` counts only as
/// the whole heading. The languages `ldap` and `vcard` stand for formats: their words count only beside one of
/// `formats`. `words` has what may stand beside such a phrase without changing its meaning, and `taking` what takes it
/// away. `withheld` has the words of what readers should not see: see ``WithheldLexicon``; `leavers` those of
/// ``LeaverWords``; `rows` those of rows of tables that are not people.
struct Lexicon: Sendable {
    static let shared = Lexicon()

    /// The groups of words beside the phrases of roles.
    enum WordClass: String, CaseIterable {
        /// Says which of somebody's names it is: full, legal, preferred.
        case full
        /// Says whose: of the employee, the member, the participant.
        case person
        /// Says that it is the name or description of a thing.
        case label
        /// Says at work, of the company, at present.
        case work
        /// Says nothing: articles, and the words of questions and hints.
        case plain
        /// Says in which form: URL, path, file.
        case link
        /// Says that it is about somebody or something else.
        case taking
        /// Parts between first and last name that a heading of whole names may list.
        case middle
        /// A column of particles between first and last name: `van der`.
        case infix
        /// Names an object around the members of a record, and says nothing of them.
        case container
        /// Says that an address is not the first choice.
        case secondary
    }

    /// A phrase that gives a column a role.
    struct Head: Sendable {
        var role: FieldRole
        var words: [String]
        /// Its place among the phrases of its role, from 0 on.
        var rank: Int
        var languages: Languages
        /// Whether it counts only as the whole heading.
        var isAlone: Bool
        /// The name of the format beside whose marks alone it counts.
        var format: String?
    }

    /// A set of languages, as bits in the order of ``Lexicon/languages``.
    typealias Languages = UInt32

    /// In the order of preference if a file's headings fit several.
    private(set) var languages: [String] = []
    private(set) var withoutSpaces: Set<String> = []
    /// Words that mean nothing between others.
    private(set) var links: Set<String> = []
    /// The words by which a format is recognized.
    private(set) var formats: [String: Set<String>] = [:]
    /// By their first words.
    private(set) var heads: [String: [Head]] = [:]
    private(set) var classes: [String: [WordClass: Languages]] = [:]
    /// All words of the phrases of each role.
    private(set) var roleWords: [FieldRole: Set<String>] = [:]
    /// The words into which a joined word may be divided.
    private(set) var pieces: [String: Languages] = [:]
    private(set) var withheld = WithheldLexicon()
    private(set) var colleagues = WithheldLexicon()
    private var lists: [String: [String]] = [:]

    private init() {
        guard let data = Data(base64Encoded: embeddedLexicon) else { return }
        data.withUnsafeBytes { text in try? JSON.forEachMember(of: text) { key, value in try? read(key.text, value) } }
    }

    func languages(_ mask: Languages) -> [String] {
        languages.indices.filter { mask & 1 << $0 != 0 }.map { languages[$0] }
    }

    func mask(_ language: String) -> Languages {
        languages.firstIndex(of: language).map { 1 << Languages($0) } ?? 0
    }

    /// Whether several words are a phrase that gives a role.
    func isPhrase(_ words: [String]) -> Bool {
        guard words.count > 1, let first = words.first else { return false }
        return heads[first]?.contains { $0.words == words && !$0.isAlone && $0.role != .login } ?? false
    }

    /// Returns the words of leavers or of rows that say `meaning`.
    func words(_ meaning: String) -> [String] { lists[meaning] ?? [] }

    func has(_ word: String, _ wordClass: WordClass) -> Bool { classes[word]?[wordClass] != nil }

    func has(_ word: String, _ wordClasses: [WordClass]) -> Bool {
        classes[word]?.keys.contains(where: wordClasses.contains) == true
    }

    /// Whether `word` is in a phrase of one of `roles`.
    func has(_ word: String, in roles: [FieldRole]) -> Bool {
        roles.contains { roleWords[$0]?.contains(word) == true }
    }

    // MARK: Reading

    /// The members are in an order in which each needs only earlier ones.
    private mutating func read(_ key: String, _ value: JSONValue) throws {
        switch key {
        case "languages": languages = try Self.texts(value)
        case "without_spaces": withoutSpaces = Set(try Self.texts(value))
        case "links": links = Set(try Self.texts(value))
        case "formats": try JSON.forEachMember(of: value.raw) { formats[$0.text] = Set(Self.list($1)) }
        case "roles":
            try Self.forEachList(value) { role, language, list in add(role, language, list) }
        case "words":
            try Self.forEachList(value) { name, language, list in add(words: name, language, list) }
        case "withheld":
            try Self.forEachList(value) { kind, language, list in
                guard let kind = WithheldKind(rawValue: kind) else { return }
                let meaning = Withheld.Meaning(kind: kind, language: language)
                let isDense = withoutSpaces.contains(language)
                for word in list {
                    if kind == .colleague {
                        colleagues.add(word, meaning, links: links, isDense: isDense)
                    } else {
                        withheld.add(word, meaning, links: links, isDense: isDense)
                    }
                }
            }
        case "leavers", "rows": try Self.forEachList(value) { name, _, list in lists[name, default: []] += list }
        case "products": try JSON.forEachElement(of: value.raw) { try add(product: $0) }
        default: break
        }
    }

    private static func texts(_ value: JSONValue) throws -> [String] {
        var texts: [String] = []
        try JSON.forEachElement(of: value.raw) { texts.append($0.string?.text ?? "") }
        return texts
    }

    private static func list(_ value: JSONValue) -> [String] {
        (value.string?.text ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    private static func forEachList(_ value: JSONValue, _ body: (String, String, [String]) -> Void) throws {
        try JSON.forEachMember(of: value.raw) { name, lists in
            try JSON.forEachMember(of: lists.raw) { language, list in body(name.text, language.text, Self.list(list)) }
        }
    }

    private mutating func add(_ name: String, _ language: String, _ list: [String]) {
        guard let role = FieldRole(rawValue: name) else { return }
        for (rank, phrase) in list.enumerated() {
            let words = Heading.words(phrase).filter { !links.contains($0) }
            guard let first = words.first else { continue }
            let format = formats[language] == nil ? nil : language
            let isAlone = phrase.hasPrefix("=")
            let mask = mask(language)
            var known = heads[first] ?? []
            if let index = known.firstIndex(where: {
                $0.role == role && $0.words == words && $0.format == format && $0.isAlone == isAlone
            }) {
                known[index].languages |= mask
                known[index].rank = min(known[index].rank, rank)
            } else {
                known.append(
                    Head(role: role, words: words, rank: rank, languages: mask, isAlone: isAlone, format: format))
            }
            heads[first] = known
            roleWords[role, default: []].formUnion(words)
            if format == nil, !isAlone { for word in words { pieces[word, default: 0] |= mask } }
        }
    }

    private mutating func add(words name: String, _ language: String, _ list: [String]) {
        guard let wordClass = WordClass(rawValue: name) else { return }
        for word in list.flatMap(Heading.words) {
            classes[word, default: [:]][wordClass, default: 0] |= mask(language)
            if wordClass != .plain && wordClass != .container || withoutSpaces.contains(language) {
                pieces[word, default: 0] |= mask(language)
            }
        }
    }

    private mutating func add(product: JSONValue) throws {
        var (kind, language): (WithheldKind?, String) = (nil, "")
        var (first, second): ([String], [String]) = ([], [])
        try JSON.forEachMember(of: product.raw) { key, value in
            switch key.text {
            case "kind": kind = value.string.flatMap { WithheldKind(rawValue: $0.text) }
            case "language": language = value.string?.text ?? ""
            case "first": first = Self.list(value)
            default: second = Self.list(value)
            }
        }
        guard let kind else { return }
        let meaning = Withheld.Meaning(kind: kind, language: language)
        let isDense = withoutSpaces.contains(language)
        // The keys of the parts: there are thousands of products, and each import reads them.
        let keys = { [links] (list: [String]) in list.map { WithheldLexicon.key($0, links: links, isDense: isDense) } }
        let seconds = keys(second)
        for one in keys(first) {
            for other in seconds {
                withheld.add(key: one + other, meaning, isDense: isDense)
                withheld.add(key: other + one, meaning, isDense: isDense)
            }
        }
    }
}

/// The words by which headings are known as those of columns that are not stored unless the publisher names them.
///
/// A word also counts inside a longer heading, whatever stands between its parts: `birth date` is in `BIRTH_DATE (new)`
/// and in `birthdate`. `word*` stands for all words that begin so, `*word` for those that end so, `*word*` for those
/// that contain it, and `=word` for a heading of this word alone. In languages without spaces, a word counts anywhere.
struct WithheldLexicon: Sendable {
    typealias Meanings = Set<Withheld.Meaning>

    private(set) var whole: [String: Meanings] = [:]
    private(set) var alone: [String: Meanings] = [:]
    private(set) var beginnings = Beginnings()
    /// Reversed.
    private(set) var ends = Beginnings()
    private(set) var anywhere = Beginnings()
    private(set) var parts: [(String, Withheld.Meaning)] = []

    /// Adds a word.
    ///
    /// - Parameters:
    ///   - links: The words that mean nothing between others.
    ///   - isDense: Whether the language has no spaces between words.
    mutating func add(_ pattern: String, _ meaning: Withheld.Meaning, links: Set<String>, isDense: Bool) {
        let key = Self.key(pattern, links: links, isDense: isDense && !pattern.hasPrefix("="))
        switch (pattern.hasPrefix("*"), pattern.hasSuffix("*")) {
        case _ where pattern.hasPrefix("="): alone[key, default: []].insert(meaning)
        case (true, true) where !isDense: parts.append((key, meaning))
        case (true, false) where !isDense: ends.add(key.utf8.reversed(), meaning)
        case (false, true) where !isDense: beginnings.add(Array(key.utf8), meaning)
        default: add(key: key, meaning, isDense: isDense)
        }
    }

    /// Adds a word by its ``key(_:links:isDense:)``.
    mutating func add(key: String, _ meaning: Withheld.Meaning, isDense: Bool) {
        if isDense { anywhere.add(Array(key.utf8), meaning) } else { whole[key, default: []].insert(meaning) }
    }

    /// Returns a word as headings are compared with it: in one, without what means nothing.
    static func key(_ pattern: String, links: Set<String>, isDense: Bool) -> String {
        isDense ? Heading.normalized(pattern) : Heading.words(pattern).filter { !links.contains($0) }.joined()
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
