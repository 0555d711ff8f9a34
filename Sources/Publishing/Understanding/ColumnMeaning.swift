import People

/// The kind of identifier in a column: evidence for how people are known.
public enum Identifier: String, CaseIterable, Sendable {
    /// The numbers or codes by which the source knows its records: `ID`, a UUID.
    case sourceID
    case email
    /// Numbers and codes of persons: personnel, member and student numbers.
    case personnelNumber
    /// Accounts and other codes.
    case code
}

/// The meaning of a source's column, with the evidence for it.
public struct ColumnMeaning: Equatable, Sendable {
    public var heading: String
    /// At most one column has a role.
    public var role: FieldRole?
    /// The kinds of facts that the heading names and readers should not see.
    public var withheld: Set<WithheldKind>
    /// Whether the column names others at work: the manager, the assistant.
    public var isRelation: Bool
    /// Whether its values only tell people apart and are shown to nobody: ids and accounts, except Rollcall's own words
    /// `id` and `login`, and the accounts of a list without names.
    public var isAccount = false
    /// How the column tells people apart, if it does.
    public var identifier: Identifier?
    /// For a column of names or last names: how it writes them, if they are shown otherwise.
    public var nameForm: NameForm?
    /// Whether it has the particles between first and last names: `van der`.
    public var isInfix = false
    /// Why it means that, for the publisher: `heading`, `values`, `beside Vorname`.
    public var reasons: [String] = []

    /// What the heading alone says.
    init(heading: String) {
        self.heading = heading
        withheld = Withheld.kinds(of: heading)
        isRelation = Withheld.isRelation(heading: heading, kinds: withheld)
    }
}

/// The meaning of all columns of a source.
public struct ColumnMeanings: Equatable, Sendable {
    /// In the order of the source.
    public private(set) var columns: [ColumnMeaning]
    /// The language of the headings, or `und`.
    public private(set) var language: String

    public var roles: [FieldRole?] { columns.map(\.role) }

    /// Derives the meaning from headings alone.
    public init(headings: [String]) { self.init(Survey(columns: headings.map { SurveyedColumn(heading: $0) })) }

    public init(_ survey: Survey) {
        var reading = ColumnReading(survey)
        reading.resolveNames()
        reading.assign()
        reading.findNames()
        reading.finish()
        language = reading.language
        columns = reading.meanings
    }
}

/// Decides about the columns of a source, step by step.
private struct ColumnReading {
    private let survey: Survey
    /// The claims are those that the values support.
    private var columns: [(phrase: HeadingPhrase, shape: ColumnShape, claims: [HeadingPhrase.Claim], isOther: Bool)]
    private let records: Int
    private(set) var meanings: [ColumnMeaning]
    /// The columns whose headings name the last name first.
    private var lastFirst: Set<Int> = []

    init(_ survey: Survey) {
        self.survey = survey
        records = survey.records
        meanings = survey.headings.map(ColumnMeaning.init)
        let normalized = Set(survey.headings.map(Heading.normalized))
        let formats = Lexicon.shared.formats.filter { !$0.value.isDisjoint(with: normalized) }.keys
        columns = zip(survey.columns, meanings).map { column, meaning in
            let phrase = HeadingPhrase(meaning)
            let shape = ColumnShape(column)
            let isOther = column.isHiddenInSheet || column.isOther
            let claims = phrase.claims.filter { claim in
                claim.format.map(formats.contains) != false
                    && shape.supports(claim.role, isWeak: claim.isWeak, heading: column.heading)
            }
            return (phrase, shape, claims, isOther)
        }
    }

    /// The columns other than `index` whose headings claim `role`, and nothing beside it.
    private func others(than index: Int, claiming role: FieldRole) -> [Int] {
        columns.indices.filter { other in
            other != index && columns[other].claims.contains { $0.role == role && !$0.isWeak }
        }
    }

    /// Decides by the other columns whether a column called Name has the whole name or a part of it.
    mutating func resolveNames() {
        let before = columns
        for index in columns.indices {
            guard let claim = before[index].claims.firstIndex(where: { $0.role == .name && !$0.isWeak }),
                before[index].claims[claim].isUsual, isBare(before[index].phrase.words),
                others(than: index, claiming: .name).isEmpty
            else { continue }
            let first = others(than: index, claiming: .firstName)
            let last = others(than: index, claiming: .lastName)
            guard first.isEmpty != last.isEmpty,
                before[index].shape.phrases < 0.5 || lacks(wordsOf: first + last, in: index)
            else { continue }
            columns[index].claims[claim].role = last.isEmpty ? .lastName : .firstName
            meanings[index].reasons.append(last.isEmpty ? "beside a first name" : "beside a last name")
        }
    }

    /// Whether most people have a value in a column among `others`, and most values of the column `index` have no word
    /// of it: José Luis beside García, but not Anna Keller beside Keller, or beside the short names of some.
    private func lacks(wordsOf others: [Int], in index: Int) -> Bool {
        let others = others.filter { columns[$0].shape.count * 2 > records }
        let parts = Set(others.flatMap(words).joined())
        let values = words(of: index)
        return !others.isEmpty && values.count { !$0.isEmpty && parts.isDisjoint(with: $0) } * 2 > values.count
    }

    /// The words of a column's values, without particles and initials.
    private func words(of index: Int) -> [[String]] {
        survey.columns[index].values.compactMap(\.text).map { text in
            text.lowercased().split { !$0.isLetter }.filter { $0.count > 2 }.map(String.init)
        }
    }

    /// Whether nothing says that it is the whole name.
    private func isBare(_ words: [String]) -> Bool {
        let words = words.filter { !Lexicon.shared.has($0, [.person, .plain]) }
        return words.count == 1
    }

    /// Gives each role to the column that claims it best.
    mutating func assign() {
        var candidates: [(index: Int, claim: HeadingPhrase.Claim, score: Int)] = []
        for (index, column) in columns.enumerated() {
            for claim in column.claims {
                var score = claim.score
                // A column without values leaves the role to another one.
                if records > 0, column.shape.count == 0 { score -= 700 }
                if column.isOther { score -= 800 }
                if claim.role == .name, column.shape.count * 2 < records { score -= 200 }
                candidates.append((index, claim, score))
            }
        }
        candidates.sort { ($1.score, $0.index) < ($0.score, $1.index) }
        var taken: Set<FieldRole> = []
        for candidate in candidates {
            guard meanings[candidate.index].role == nil, !taken.contains(candidate.claim.role) else { continue }
            if candidate.claim.isWeak, candidate.claim.role == .name, !taken.isDisjoint(with: Self.namingRoles) {
                continue
            }
            taken.insert(candidate.claim.role)
            give(candidate.claim.role, to: candidate.index)
            if candidate.claim.isLastFirst { lastFirst.insert(candidate.index) }
        }
    }

    private static let namingRoles: Set<FieldRole> = [.name, .firstName, .lastName]

    private mutating func give(_ role: FieldRole, to index: Int) {
        meanings[index].role = role
        let shape = columns[index].shape
        meanings[index].reasons.insert("heading", at: 0)
        if shape.count > 0 { meanings[index].reasons.append("values") }
    }

    /// Without any column of names, takes the first one whose values look like whole names.
    mutating func findNames() {
        if hasNames { return }
        let index = columns.indices.first { index in
            let (column, meaning) = (columns[index], meanings[index])
            return !column.isOther && meaning.withheld.isEmpty && !meaning.isRelation && column.shape.wholeNames >= 0.8
                && column.shape.different >= 0.7 && column.shape.count * 2 >= records
                && [nil, .title, .login].contains(meaning.role)
        }
        guard let index else { return }
        meanings[index].role = .name
        meanings[index].reasons = ["values"]
    }

    private var hasNames: Bool { !Self.namingRoles.isDisjoint(with: meanings.compactMap(\.role)) }

    /// Derives the rest of the meanings from the roles.
    mutating func finish() {
        let hasNames = hasNames
        for index in meanings.indices {
            let (claims, shape) = (columns[index].phrase.claims, columns[index].shape)
            if shape.count > 0, meanings[index].role == .name || meanings[index].role == .lastName {
                meanings[index].nameForm = NameForm(isLastFirst: lastFirst.contains(index), shape)
            }
            let words = columns[index].phrase.words
            meanings[index].isInfix =
                meanings[index].role == nil && words.count == 1 && words.allSatisfy { Lexicon.shared.has($0, .infix) }
            let isID = claims.contains { $0.role == .id && $0.format == nil }
            // The address of somebody's page is not an account: `https://github.com/anna`.
            let isLogin =
                shape.links < 0.5
                && claims.contains { $0.role == .login && ($0.format == nil || meanings[index].role == .login) }
            let isShown =
                switch meanings[index].role {
                case .id: meanings[index].heading == "id"
                case .login: meanings[index].heading == "login" || !hasNames
                case nil: false
                default: true
                }
            meanings[index].isAccount = (isID || isLogin) && !isShown
            meanings[index].identifier = identifier(meanings[index], shape, isID: isID)
        }
    }

    private func identifier(_ meaning: ColumnMeaning, _ shape: ColumnShape, isID: Bool) -> Identifier? {
        if meaning.isRelation { return nil }
        // `E-mail Display Name` has names.
        let isMail = meaning.withheld.contains(.mail)
        if isMail && shape.count == 0 || shape.addresses >= (isMail ? 0.3 : 0.5) { return .email }
        if meaning.withheld.contains(.number) { return .personnelNumber }
        let isCode = Heading.isOfIdentifiers(meaning.heading)
        if isID || meaning.withheld.contains(.account) && isCode { return .sourceID }
        return meaning.isAccount || meaning.role == .login || meaning.withheld.contains(.account) || isCode
            ? .code : nil
    }

    /// The language in which most headings are known. English and then the order of the lexicon decide a tie.
    var language: String {
        var counts: [String: Int] = [:]
        for (column, meaning) in zip(columns, meanings) {
            let claim = column.claims.first { $0.role == meaning.role } ?? column.claims.first
            var languages = Set(Lexicon.shared.languages(claim?.languages ?? 0))
            languages.formUnion(Withheld.languages(of: meaning.heading))
            for language in languages { counts[language, default: 0] += 1 }
        }
        let best = counts.values.max() ?? 0
        return Lexicon.shared.languages.first { counts[$0] == best } ?? "und"
    }
}

extension FieldRole {
    /// Returns the roles of columns with `headings`. At most one column has a role.
    public static func of(headings: [String]) -> [FieldRole?] { ColumnMeanings(headings: headings).roles }
}
