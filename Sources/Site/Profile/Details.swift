import Base
import People
import Template

/// The facts on a page of a person's own, decided once for pages, fragments, JSON, vCards and linked data: the fields
/// of the directory's settings, in their order, and the members of the source's record that none of them reads.
struct Details: Equatable {
    /// The person's text about themselves.
    var biography: String?
    /// Numbers that are shown prominently: followers, answers.
    var figures: [ProfileField] = []
    var facts: [ProfileField] = []
    /// See ``Profile/website``.
    var website: String?
    /// The values of the fields whose meaning is known.
    private var values: [FieldRole: FieldValue] = [:]
}

extension Details {
    init(of person: Profile, _ language: Language) {
        let (reader, settings) = (person.fields, person.fields.settings)
        self.init(person.more, without: settings.readColumns, language)
        website = person.website
        var fields: [ProfileField] = []
        for role in [FieldRole.firstName, .lastName] { values[role] = reader.value(of: role) }
        for index in settings.facts {
            guard let value = reader.value(of: index) else { continue }
            let field = settings.fields[index]
            if let role = field.role { values[role] = value }
            switch (field.role, value) {
            // The type stands beside the name, and a whole reputation before the figures.
            case (.type, _): break
            case (.reputation, _) where person.reputation != nil: break
            case (.about, .text(let text)): biography = text
            default:
                let line = ProfileField(
                    label: settings.label(of: field, language), role: field.role,
                    values: [ProfileValue(value, field, language)], key: field.key)
                // Numbers that the list can be sorted by are prominent, unless they name something.
                let isFigure =
                    field.type == .number && !field.isPlainNumber && settings.orders.contains { $0.field == index }
                if isFigure { figures.append(line) } else { fields.append(line) }
            }
        }
        facts = fields + facts
    }

    /// Reads the members of a JSON object, first those in ``FieldCatalog``, in its order. Nulls, empty texts and the
    /// URLs of an API are left out. Any other JSON has no members.
    /// - Parameter excluded: the members that fields read.
    init(_ more: Bytes, without excluded: Set<String> = [], _ language: Language) {
        var found: [(rank: Int, isFigure: Bool, fact: ProfileField)] = []
        try? JSON.forEachMember(of: more) { key, value in
            let key = key.text
            if excluded.contains(key) { return }
            let rank = FieldCatalog.rank(of: key)
            let member = rank.map { FieldCatalog.all[$0] }
            switch member?.kind {
            case .biography: biography = biography ?? value.string?.text.trimmedOrNil
            case .markup: biography = biography ?? value.string?.text.withoutMarkup.trimmedOrNil
            case let kind:
                guard let fact = ProfileField(member, key, value, language) else { return }
                found.append((rank ?? .max, kind == .figure, fact))
            }
        }
        // The sort is stable: members with the same meaning keep their order, and so do those without a known one.
        for (_, isFigure, fact) in found.sorted(by: { $0.rank < $1.rank }) {
            if isFigure { figures.append(fact) } else { facts.append(fact) }
        }
    }
}

// MARK: - By meaning

extension Details {
    /// Whether the place is that of the work, as a field of the directory says it. People tell a service where they
    /// live.
    var worksAtPlace: Bool { values[.location] != nil || values[.country] != nil }

    /// The value for programs, in no language.
    func text(_ role: FieldRole) -> String? {
        if let value = values[role] { return value.plainText }
        return facts.first { $0.role == role && $0.values.count == 1 }?.values[0].text
    }

    func list(_ role: FieldRole) -> [String] {
        switch values[role] {
        case .list(let elements): elements
        case .text(let text): [text]
        default: []
        }
    }

    /// The rest of a URL after its scheme.
    func url(_ role: FieldRole, scheme: String) -> String? {
        guard case .link(let url, _) = values[role], url.hasPrefix(scheme) else { return nil }
        return String(url.dropFirst(scheme.count))
    }

    /// The addresses of the person's web pages, mail and telephones, each once.
    var addresses: [String] {
        let all = facts.flatMap(\.values).compactMap(\.href)
        return all.indices.filter { all.firstIndex(of: all[$0]) == $0 }.map { all[$0] }
    }

    /// The web pages among them; the website is the first.
    var webPages: [String] {
        [website].compactMap(\.self) + addresses.filter { $0.isWebURL && $0 != website }
    }
}
