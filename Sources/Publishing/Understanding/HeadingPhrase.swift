import People

/// A heading as a phrase of words, and the roles that it claims for its column.
struct HeadingPhrase: Sendable {
    /// A role that the heading suggests.
    struct Claim: Equatable, Sendable {
        var role: FieldRole
        /// How well the phrase fits. Among columns that claim a role, the highest one has it.
        var score: Int
        var languages: Lexicon.Languages = 0
        /// For whole names: whether the heading names the last name first.
        var isLastFirst = false
        /// Whether the column has the role only if its values look so, because the heading has other words, too.
        var isWeak = false
        /// The format beside whose marks alone the claim counts.
        var format: String?

        /// Whether the phrase is one of the first that the lexicon has for the role, and nothing stands beside it.
        var isUsual: Bool { score > 870 }
    }

    let words: [String]
    /// The best ones first.
    let claims: [Claim]

    private static let lexicon = Lexicon.shared

    /// Reads a heading of which it is known what it is withheld for, and whether it names somebody else.
    init(_ meaning: ColumnMeaning) {
        let heading = Self.withoutObjects(meaning.heading)
        words = Self.words(of: heading)
        var claims = Self.contacts(words, meaning.withheld)
        for claim in Self.heads(words, heading) where claim.format != nil || Self.fits(claim, meaning) {
            if let index = claims.firstIndex(where: { $0.role == claim.role && $0.format == claim.format }) {
                if claims[index].score < claim.score { claims[index] = claim }
            } else {
                claims.append(claim)
            }
        }
        self.claims = claims.sorted { $0.score > $1.score }
    }

    /// Whether the claim of a heading that also says something private, or names somebody else, counts.
    private static func fits(_ claim: Claim, _ meaning: ColumnMeaning) -> Bool {
        if meaning.isRelation { return false }
        return meaning.withheld.isEmpty || claim.role == .id
            || claim.role == .login && meaning.withheld.isSubset(of: [.account, .number])
    }

    // MARK: Words

    /// Returns what the path of a member says of its values: `profile.firstName` is a `firstName`, and `name.first` a
    /// `first name`. Other headings stay as they are.
    private static func withoutObjects(_ heading: String) -> String {
        let parts = heading.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
        guard parts.count > 1, !parts.contains(where: { $0.isEmpty || $0.contains(" ") }) else { return heading }
        var path = parts.drop { lexicon.has(Heading.normalized(String($0)), .container) }
        if path.isEmpty { path = parts.suffix(1) }
        if path.count > 1, path.first?.lowercased() == "name" { path.append(path.removeFirst()) }
        return path.count == parts.count && path.first == parts.first ? heading : path.joined(separator: " ")
    }

    /// Returns the words that may mean something: without numbers, formats such as `(DD.MM.YYYY)`, and words that only
    /// join others. A joined word, such as `Mitarbeitername`, becomes those that it has.
    static func words(of heading: String) -> [String] {
        meaningful(Heading.words(heading)).filter { !isFormat($0) }.flatMap { divided($0) ?? [$0] }
    }

    /// Returns the words without numbers, and without those that only join others: `phone1`, `E-mail 2: Address`,
    /// `date of birth`.
    static func meaningful(_ tokens: [String]) -> [String] {
        tokens.map(withoutDigits).filter { !$0.isEmpty && !lexicon.links.contains($0) }
    }

    /// Returns a word without the digits on either side: `phone1` is `phone`.
    private static func withoutDigits(_ token: String) -> String {
        let digits: (Character) -> Bool = { $0.isASCII && $0.isNumber }
        let word = token.drop(while: digits)
        let end = word.lastIndex { !digits($0) }.map { word.index(after: $0) } ?? word.startIndex
        return String(word[..<end])
    }

    /// Whether a word is one of the letters of a date or time, each of them twice or more: `dd`, `jjjj`, `yyyymmdd`.
    private static func isFormat(_ word: String) -> Bool {
        if word == "utc" { return true }
        let letters = Array(word.utf8)
        return letters.count >= 2 && letters.allSatisfy { "dmyjtahs".utf8.contains($0) }
            && letters.indices.allSatisfy { index in
                index > 0 && letters[index - 1] == letters[index]
                    || index + 1 < letters.count && letters[index + 1] == letters[index]
            }
    }

    /// Whether `word`, in a language without spaces, consists of words that give a role, and of what may stand beside
    /// them: 사진주소 is a photo's address, 주소 alone somebody's home.
    static func isOfRoles(_ word: String) -> Bool {
        let pieces = divided(word) ?? []
        return pieces.contains { piece in lexicon.roleWords.values.contains { $0.contains(piece) } }
            && !pieces.contains { lexicon.has($0, .taking) }
    }

    /// Returns the fewest known words of one language that `word` consists of; `nil` if there are none.
    private static func divided(_ word: String) -> [String]? {
        if lexicon.pieces[word] != nil { return [word] }
        let characters = Array(word)
        guard (2...40).contains(characters.count) else { return nil }
        let isLatin = characters[0].isASCII
        let shortest = isLatin ? 3 : 1
        var best: [(pieces: [String], mask: Lexicon.Languages)?] = [([], .max)]
        for end in 1...characters.count {
            var found: (pieces: [String], mask: Lexicon.Languages)?
            for start in max(0, end - 20)..<end {
                guard end - start >= shortest, let before = best[start],
                    before.pieces.count + 1 < found?.pieces.count ?? .max
                else { continue }
                let piece = String(characters[start..<end])
                guard let mask = languages(of: piece, isLast: end == characters.count), mask & before.mask != 0 else {
                    continue
                }
                found = (before.pieces + [piece], mask & before.mask)
            }
            best.append(found)
        }
        return best[characters.count].flatMap { $0.pieces.count > 1 ? $0.pieces : nil }
    }

    /// German joins some words with an s.
    private static func languages(of piece: String, isLast: Bool) -> Lexicon.Languages? {
        if let mask = lexicon.pieces[piece] { return mask }
        guard !isLast, piece.hasSuffix("s"), let mask = lexicon.pieces[String(piece.dropLast())] else { return nil }
        return mask & lexicon.mask("de") == 0 ? nil : lexicon.mask("de")
    }

    // MARK: Claims

    /// Returns the claims of addresses and numbers, which any words beside them leave what they are.
    private static func contacts(_ words: [String], _ kinds: Set<WithheldKind>) -> [Claim] {
        if words.contains(where: {
            lexicon.has($0, .taking) && !["email", "mail", "phone", "number", "no", "nr", "numero"].contains($0)
        }) {
            return []
        }
        let score = words.contains { lexicon.has($0, .secondary) } ? 300 : 600
        if kinds.contains(.mail) { return [Claim(role: .email, score: score - words.count)] }
        if kinds.contains(.phone) { return [Claim(role: .phone, score: score - words.count)] }
        return []
    }

    private static func heads(_ words: [String], _ heading: String) -> [Claim] {
        if let claim = wholeName(words, heading) { return [claim] }
        var claims: [Claim] = []
        for (start, word) in words.enumerated() {
            for head in lexicon.heads[word] ?? [] where words[start...].starts(with: head.words) {
                let others = Array(words[..<start] + words[(start + head.words.count)...])
                if let claim = claim(head, others) { claims.append(claim) }
            }
        }
        let isPerson = words.allSatisfy { lexicon.has($0, [.person, .plain, .full]) }
        if isPerson, words.contains(where: { lexicon.has($0, .person) }), !claims.contains(where: { $0.role == .login })
        {
            claims.append(Claim(role: .name, score: 100 - words.count, isWeak: true))
        }
        return claims
    }

    private static func claim(_ head: Lexicon.Head, _ others: [String]) -> Claim? {
        if !others.isEmpty, head.isAlone || head.format != nil { return nil }
        let neutral = neutralClasses[head.role] ?? []
        let same = [head.role] + (neutralRoles[head.role] ?? [])
        var unknown = 0
        for word in others {
            if lexicon.has(word, neutral) || lexicon.has(word, in: same) { continue }
            if takes(word, from: head) { return nil }
            if lexicon.has(word, .plain) { continue }
            // The head of another role.
            if lexicon.heads[word]?.contains(where: { !$0.isAlone }) == true { return nil }
            unknown += 1
        }
        // A part of a name, or several, which ``wholeName(_:_:)`` reads.
        if head.role == .name, others.contains(where: isPartOfName) { return nil }
        let isName = [.name, .firstName, .lastName, .reading, .login].contains(head.role)
        if unknown > (isName ? 0 : 2) { return nil }
        let score = (unknown == 0 ? 900 : 300 - unknown * 50) + (head.format == nil ? 0 : 90)
        return Claim(
            role: head.role, score: score - head.rank * 8 - min(others.count, 10) + (head.words.count - 1) * 40,
            languages: head.languages, isWeak: unknown > 0, format: head.format)
    }

    /// Whether a word of the phrase's language, or an English one, takes the meaning away.
    private static func takes(_ word: String, from head: Lexicon.Head) -> Bool {
        guard let languages = lexicon.classes[word]?[.taking] else { return false }
        return head.languages == 0 || languages & (head.languages | lexicon.mask("en")) != 0
    }

    private static func isPartOfName(_ word: String) -> Bool {
        lexicon.has(word, in: [.firstName, .lastName]) && !lexicon.has(word, in: [.name]) && !lexicon.has(word, .full)
    }

    private static let neutralClasses: [FieldRole: [Lexicon.WordClass]] = [
        .name: [.full, .person], .firstName: [.full, .person], .lastName: [.full, .person],
        .reading: [.full, .person], .login: [.person],
        .title: [.work, .person, .label, .full], .department: [.work, .person, .label, .full],
        .location: [.work, .person, .label, .full], .country: [.work, .person, .label],
        .organization: [.work, .person, .label, .full], .joined: [.work, .person],
        .photo: [.link, .person, .work, .label, .full], .website: [.link, .person, .work, .label],
        .about: [.person, .label, .work, .full], .skills: [.work, .person, .label],
        .languages: [.work, .person, .label],
    ]

    /// The roles whose words name the things that have a role: `School/Department`, `Last name` of a reading.
    private static let neutralRoles: [FieldRole: [FieldRole]] = [
        .firstName: [.name], .lastName: [.name], .reading: [.name, .firstName, .lastName], .country: [.location],
        .title: [.organization], .department: [.organization],
    ]
}

// MARK: - Whole names

extension HeadingPhrase {
    /// Returns the claim of a heading that lists the parts of a name: `Last name, First name`, `NOM Prénom`.
    private static func wholeName(_ words: [String], _ heading: String) -> Claim? {
        guard words.count >= 2, !heading.contains(" - "), !heading.contains(":"), !heading.contains("."),
            !heading.contains("_") || words.count == 2
        else { return nil }
        var (first, last, whole): (Int?, Int?, Int?) = (nil, nil, nil)
        var languages = Lexicon.Languages.max
        var index = 0
        while index < words.count {
            let heads = (lexicon.heads[words[index]] ?? []).filter { head in
                [.firstName, .lastName, .name].contains(head.role) && head.format == nil
                    && words[index...].starts(with: head.words)
            }
            let order: [FieldRole] = [.firstName, .lastName, .name]
            let best = heads.max { one, other in
                (one.words.count, -(order.firstIndex(of: one.role) ?? 3))
                    < (other.words.count, -(order.firstIndex(of: other.role) ?? 3))
            }
            guard let best else {
                if lexicon.has(words[index], [.full, .person, .plain, .middle]) {
                    index += 1
                    continue
                }
                return nil
            }
            switch best.role {
            case .firstName: first = first ?? index
            case .lastName: last = last ?? index
            default: whole = whole ?? index
            }
            if best.role != .name { languages &= best.languages }
            index += best.words.count
        }
        // Where the word for names also stands for last or first names.
        let english = lexicon.mask("en")
        if last == nil, first != nil, languages & ~english != 0, languages & english == 0 { last = whole }
        if first == nil, last != nil, heading.contains(",") || languages & english == 0 { first = whole }
        guard let first, let last, first != last else { return nil }
        return Claim(role: .name, score: 880, languages: languages == .max ? 0 : languages, isLastFirst: last < first)
    }
}
